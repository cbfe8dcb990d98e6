import { charts } from "./charts";
import { tables } from "./tables";

tables();
charts();
