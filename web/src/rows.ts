// Rows of a table of readings: those that stand in the page, and those that are data and become
// rows when they are shown. The columns are those of the table's head, as C wrote them.

type Datum =
  | string
  | null // no number
  | number // shown as it is
  | [string, number] // as shown, in full
  | [number, string]; // which verdict, marks
type Verdict = [string, string, string]; // class, sign, name
interface Kept { verdicts: Verdict[]; rows: Datum[][] }

const NONE = "\u2013";

export interface Row {
  keys: (string | number)[];
  text: string; // in lower case, for the filter
  element(): HTMLTableRowElement;
}

function keyOf(cell: HTMLTableCellElement): string | number {
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  return cell.classList.contains("num") ? NaN : (cell.textContent ?? "").trim();
}

function standing(row: HTMLTableRowElement): Row {
  const cells = [...row.cells];
  return {
    keys: cells.map(keyOf),
    text: cells.map((cell) => cell.textContent).join(" ").toLowerCase(),
    element: () => row,
  };
}

function named(cell: HTMLElement, name: string): void {
  const bdi = document.createElement("bdi");
  const letters = [...name];
  bdi.textContent = letters.length > 80 ? letters.slice(0, 80).join("") + "\u2026" : name;
  if (letters.length > 16) bdi.className = "long";
  if (letters.length > 80) bdi.title = name;
  cell.append(bdi);
}

function badge(cell: HTMLElement, [look, sign, name]: Verdict, marks: string): void {
  const span = document.createElement("span");
  const icon = document.createElement("i");
  span.className = `verdict ${look}`;
  icon.setAttribute("aria-hidden", "true");
  icon.textContent = sign;
  span.append(icon, ` ${name}`);
  cell.append(span);
  if (marks === "") return;
  const small = document.createElement("small");
  small.className = "marks";
  small.textContent = marks;
  cell.append(" ", small);
}

function isVerdict(datum: Datum): datum is [number, string] {
  return Array.isArray(datum) && typeof datum[0] === "number";
}

function shown(datum: Datum, verdicts: Verdict[]): string {
  if (isVerdict(datum)) {
    const [, sign, name] = verdicts[datum[0]];
    return `${sign} ${name} ${datum[1]}`.trim();
  }
  return String(Array.isArray(datum) ? datum[0] : datum ?? NONE);
}

function number(datum: number | null | [string, number]): number {
  return Array.isArray(datum) ? datum[1] : datum ?? NaN;
}

/** The cells have the elements and classes of a row that stands in the page. */
function drawn(data: Datum[], verdicts: Verdict[], like: HTMLTableRowElement) {
  const row = document.createElement("tr");
  data.forEach((datum, column) => {
    const model = like.cells[column];
    const cell = document.createElement(model.localName);
    if (model.localName === "th") cell.setAttribute("scope", "row");
    cell.className = model.className;
    row.append(cell);
    if (isVerdict(datum)) {
      badge(cell, verdicts[datum[0]], datum[1]);
    } else if (typeof datum === "string" && !model.classList.contains("say")) {
      named(cell, datum);
    } else {
      cell.textContent = shown(datum, verdicts);
      if (Array.isArray(datum)) cell.title = String(datum[1]);
    }
  });
  return row;
}

function kept(data: Datum[], verdicts: Verdict[], like: HTMLTableRowElement): Row {
  let row: HTMLTableRowElement | undefined;
  const texts = data.map((datum) => shown(datum, verdicts));
  return {
    keys: data.map((datum, k) =>
      typeof datum === "string" || isVerdict(datum) ? texts[k] : number(datum)),
    text: texts.join(" ").toLowerCase(),
    element: () => (row ??= drawn(data, verdicts, like)),
  };
}

export function rowsOf(table: HTMLTableElement, data: Element | null): Row[] {
  const present = [...table.tBodies[0].rows];
  const rows = present.map(standing);
  if (!data) return rows;
  const more = JSON.parse(data.textContent!) as Kept;
  return rows.concat(more.rows.map((each) => kept(each, more.verdicts, present[0])));
}
