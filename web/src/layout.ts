// Fits a specification of ours to the width there is. The files under figures/ keep fixed sizes.

export interface Spec {
  title?: unknown;
  description?: unknown;
  config?: unknown;
  usermeta?: { tare?: { kind: string; panels: number; columns: number; points: number } };
  facet?: unknown;
  columns?: number;
  spec?: Spec;
  width?: unknown;
  data?: { values: { label?: string; series?: string }[] };
  [key: string]: unknown;
}

/** Names beside the plot take at most this much of the width. */
function nameLimit(available: number): number {
  return Math.round(Math.max(80, Math.min(220, available * 0.34)));
}

/** The same chart with names cut to `limit`; the numbers below it have them whole. */
function cut<T>(part: T, limit: number): T {
  if (Array.isArray(part)) return part.map((each: unknown) => cut(each, limit)) as T;
  if (part === null || typeof part !== "object") return part;
  const entries = Object.entries(part).map(([key, value]) =>
    [key, key === "data" ? value : key === "labelLimit" ? limit : cut(value as unknown, limit)]);
  return Object.fromEntries(entries) as T;
}

/** Room left of the plot for tick labels or names, estimated from the longest name. */
function margin(spec: Spec, kind: string, limit: number): number {
  if (kind === "curve" || kind === "scatter") return 70;
  const rows = spec.data?.values ?? [];
  const names = rows.map((row) => (kind === "heat" ? row.series : row.label) ?? "");
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  return 34 + Math.min(limit, longest * 7);
}

const LEGIBLE = 38; // pixels a number needs in a field of a heat map

interface Layer {
  mark?: { style?: string; text?: string; dx?: number };
}

/** Fields of a heat map get narrower; numbers that would no longer fit are left to the tooltip and
 * the table, and the dots stay in their corner. */
function narrowed(spec: Spec, step: number): Spec {
  const layers = ((spec.layer ?? []) as Layer[])
    .filter(({ mark }) => step >= LEGIBLE || mark?.style !== "cell" || mark.text !== undefined)
    .map((layer) =>
      layer.mark?.text === undefined
        ? layer
        : { ...layer, mark: { ...layer.mark, dx: step / 2 - 6 } });
  return { ...spec, layer: layers, width: { step } };
}

/** `less`: how much narrower than estimated each view must be, found by drawing it. */
export function fit(spec: Spec, available: number, less: number): Spec {
  const limit = nameLimit(available);
  const out: Spec = { ...(limit < 220 ? cut(spec, limit) : spec) };
  delete out.title; // the page has it
  delete out.description;
  delete out.config;
  const { kind = "curve", panels = 1 } = spec.usermeta?.tare ?? {};
  if (kind === "heat") {
    const fields = Math.max(1, spec.usermeta?.tare?.columns ?? 1);
    if (less <= 0) return out;
    const view = out.spec ?? out; // several panels stand side by side
    const whole = (view.width as { step: number }).step;
    const narrow = narrowed(view, Math.max(18, whole - less / fields));
    return out.spec ? { ...out, spec: narrow } : narrow;
  }
  const side = margin(spec, kind, limit);
  if (!out.spec) {
    const numeric = kind === "curve" || kind === "scatter";
    out.width = Math.min(820, available) - (numeric ? 0 : side + 16 + less);
    if (numeric) out.autosize = { type: "fit-x", contains: "padding" };
    return out;
  }
  const least = side + 210;
  const most = Math.max(1, Math.min(panels, 3, Math.floor(available / least)));
  const columns = Math.ceil(panels / Math.ceil(panels / most)); // 4 panels: 2 and 2, not 3 and 1
  const share = (available - 20 * (columns - 1)) / columns;
  out.columns = columns;
  out.spec = { ...out.spec, width: Math.max(90, Math.min(600, share - side - 8 - less)) };
  return out;
}
