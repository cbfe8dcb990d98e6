// Fits a specification of ours to the width there is. The files under figures/ keep fixed sizes.

export interface Spec {
  title?: unknown;
  description?: unknown;
  config?: unknown;
  usermeta?: { tare?: { kind: string; panels: number; labels: number; points: number } };
  facet?: unknown;
  columns?: number;
  spec?: Spec;
  width?: unknown;
  data?: { values: { label?: string; series?: string }[] };
  [key: string]: unknown;
}

/** Room left of the plot for tick labels or names, estimated from the longest name. */
function margin(spec: Spec, kind: string): number {
  if (kind === "curve" || kind === "scatter") return 70;
  const names = spec.data?.values.map((row) => (kind === "heat" ? row.series : row.label) ?? "") ?? [];
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  return 34 + Math.min(220, longest * 7);
}

export function fit(spec: Spec, available: number): Spec {
  const out: Spec = { ...spec };
  delete out.title; // the page has it
  delete out.description;
  delete out.config;
  const { kind = "curve", panels = 1 } = spec.usermeta?.tare ?? {};
  if (kind === "heat") return out;
  const side = margin(spec, kind);
  if (!out.spec) {
    out.width = Math.max(140, Math.min(720, available - side - 16));
    return out;
  }
  const least = side + 210;
  const columns = Math.max(1, Math.min(panels, 3, Math.floor(available / least)));
  const share = (available - 20 * (columns - 1)) / columns;
  out.columns = columns;
  out.spec = { ...out.spec, width: Math.max(130, Math.min(600, share - side - 8)) };
  return out;
}
