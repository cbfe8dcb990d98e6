// Sorting and filtering of the readings. The tables are whole without this.

function key(row: HTMLTableRowElement, column: number): string | number {
  const cell = row.cells[column];
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  return cell.classList.contains("num") ? NaN : (cell.textContent ?? "").trim();
}

function compare(a: string | number, b: string | number, sign: number): number {
  if (typeof a === "number" && typeof b === "number") {
    // No value: last, either way.
    if (isNaN(a) || isNaN(b)) return Number(isNaN(a)) - Number(isNaN(b));
    return sign * (a - b);
  }
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}

function sort(table: HTMLTableElement, column: number): void {
  const heads = [...table.tHead!.rows[0].cells];
  const descending = heads[column].getAttribute("aria-sort") === "ascending";
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", descending ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, key: key(row, column) }));
  rows.sort((a, b) => compare(a.key, b.key, descending ? -1 : 1));
  body.append(...rows.map((entry) => entry.row));
}

function sortable(table: HTMLTableElement): void {
  [...table.tHead!.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(table, column));
    head.append(button);
  });
}

function filterable(section: HTMLElement, families: HTMLDetailsElement[]): void {
  const finder = document.createElement("div");
  finder.className = "finder";
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
  finder.append(label, input, count);
  families[0].before(finder);
  const rows = families.map((family) =>
    [...family.querySelectorAll<HTMLTableRowElement>("tbody tr")].map((row) => ({
      row,
      text: (family.querySelector("summary b")?.textContent + " " +
        [...row.cells].map((cell) => cell.textContent).join(" ")).toLowerCase(),
    })));
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let total = 0;
    families.forEach((family, k) => {
      let shown = 0;
      for (const entry of rows[k]) {
        const match = words.every((word) => entry.text.includes(word));
        entry.row.hidden = !match;
        shown += Number(match);
      }
      total += shown;
      family.hidden = shown === 0;
      if (words.length > 0) family.open = shown > 0;
    });
    count.textContent = words.length === 0 ? "" : total === 1 ? "1 reading" : `${total} readings`;
  });
  section.classList.add("finds");
}

export function tables(): void {
  const section = document.getElementById("readings");
  const families = [...document.querySelectorAll<HTMLDetailsElement>("details.family")];
  if (!section || families.length === 0) return;
  document.querySelectorAll<HTMLTableElement>("table.readings").forEach(sortable);
  filterable(section, families);
}
