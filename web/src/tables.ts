// Sorting and filtering of the readings. Without this the tables stand as they were written.
import { rowsOf, type Row } from "./rows";

const STEP = 200; // rows that a table shows at once

function compare(a: string | number, b: string | number, sign: number): number {
  if (typeof a === "number" && typeof b === "number") {
    // No value: last, either way.
    if (isNaN(a) || isNaN(b)) return Number(isNaN(a)) - Number(isNaN(b));
    return sign * (a - b);
  }
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}

class Family {
  private readonly table: HTMLTableElement;
  private readonly more: HTMLButtonElement;
  private readonly note: HTMLElement | null;
  private readonly name: string;
  private rows: Row[] = [];
  private words: string[] = [];
  private limit = STEP;

  constructor(readonly box: HTMLDetailsElement) {
    this.table = box.querySelector("table")!;
    this.note = box.querySelector(".rest");
    this.name = (box.querySelector("summary b")?.textContent ?? "").toLowerCase();
    this.more = document.createElement("button");
    this.more.type = "button";
    this.more.className = "show-more";
    this.more.hidden = true;
    this.more.addEventListener("click", () => {
      this.limit += STEP;
      this.draw();
    });
    box.append(this.more);
    [...this.table.tHead!.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => this.sort(head, column));
      head.append(button);
    });
    // Thousands of rows are read when somebody looks at them.
    box.addEventListener("toggle", () => box.open && this.read() && this.draw());
  }

  private read(): Row[] {
    if (this.rows.length === 0)
      this.rows = rowsOf(this.table, this.box.querySelector("script.rows"));
    return this.rows;
  }

  private sort(head: HTMLTableCellElement, column: number): void {
    const descending = head.getAttribute("aria-sort") === "ascending";
    const heads = [...this.table.tHead!.rows[0].cells];
    heads.forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    this.read().sort((a, b) => compare(a.keys[column], b.keys[column], descending ? -1 : 1));
    this.limit = STEP;
    this.draw();
  }

  /** How many rows have all the words. */
  filter(words: string[]): number {
    this.words = words;
    this.limit = STEP;
    return this.draw();
  }

  private draw(): number {
    const matching = this.read().filter(({ text }) =>
      this.words.every((word) => text.includes(word) || this.name.includes(word)));
    const shown = matching.slice(0, this.limit);
    const left = matching.length - shown.length;
    this.table.tBodies[0].replaceChildren(...shown.map((row) => row.element()));
    this.more.hidden = left === 0;
    this.more.textContent = `Show ${Math.min(left, STEP)} more of ${left}`;
    if (this.note) {
      this.note.hidden = left === 0;
      this.note.textContent = `${shown.length} of ${matching.length} are shown.`;
    }
    return matching.length;
  }
}

function finder(families: Family[]): HTMLElement {
  const box = document.createElement("div");
  box.className = "finder";
  const label = document.createElement("label");
  label.htmlFor = "find";
  label.textContent = "Show readings with";
  const input = document.createElement("input");
  input.type = "search";
  input.id = "find";
  input.placeholder = "a name, a reading, a verdict \u2026";
  input.autocomplete = "off";
  const count = document.createElement("span");
  count.className = "count";
  count.setAttribute("role", "status");
  box.append(label, input, count);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let total = 0;
    for (const family of families) {
      const found = family.filter(words);
      total += found;
      family.box.hidden = found === 0;
      if (words.length > 0) family.box.open = found > 0;
    }
    count.textContent = words.length === 0 ? "" : total === 1 ? "1 reading" : `${total} readings`;
  });
  return box;
}

export function tables(): void {
  const boxes = [...document.querySelectorAll<HTMLDetailsElement>("details.family")];
  if (boxes.length === 0) return;
  const families = boxes.map((box) => new Family(box));
  boxes[0].before(finder(families));
}
