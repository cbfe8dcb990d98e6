// The parts of Vega that our charts need: no maps, forces, trees or word clouds.
import { transforms } from "vega-dataflow";
import * as encode from "vega-encode";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import { parse } from "vega-parser";
import * as tx from "vega-transforms";
import { extend } from "vega-util";
import { View } from "vega-view";
import * as vtx from "vega-view-transforms";
import type { Config, TopLevelSpec } from "vega-lite";

extend(transforms, tx, vtx, encode);

export interface Chart {
  draw(): void;
  close(): void;
}

/** A view of `spec` in `element`. Expressions are interpreted, never compiled: the page's policy
 *  allows no eval. */
export function chart(element: HTMLElement, spec: TopLevelSpec, config: Config, canvas: boolean): Chart {
  const vega = compile(spec, { config }).spec;
  const view = new View(parse(vega, undefined, { ast: true }), {
    renderer: canvas ? "canvas" : "svg",
    container: element,
    expr: expressionInterpreter,
    hover: false,
  });
  return { draw: () => void view.run(), close: () => void view.finalize() };
}
