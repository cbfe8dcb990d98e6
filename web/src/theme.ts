import type { Config } from "vega-lite";
import type { Spec } from "./layout";

// Okabe and Ito, lightened a little where the ground is dark.
const light = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B8860B", "#56B4E9", "#7a7a7a"];
const dark = ["#56B4E9", "#F28E4B", "#3CC9A0", "#E3A0C8", "#E6B84A", "#9AD1F5", "#a9b1bc"];

/** Legend entries that fit beside each other, judged by the longest name. */
function legendColumns(width: number, spec: Spec): number {
  const names = spec.data?.values.map((row) => row.series ?? "") ?? [];
  const least = spec.usermeta?.tare?.kind === "forest" ? 16 : 8; // "stands after FDR"
  const longest = names.reduce((most, name) => Math.max(most, name.length), least);
  return Math.max(1, Math.floor(width / (60 + 7 * Math.min(longest, 30))));
}

export function theme(isDark: boolean, font: string, width: number, spec: Spec): Config {
  const ink = isDark ? "#e8eaed" : "#1b1f24";
  const soft = isDark ? "#a9b1bc" : "#525a65";
  const line = isDark ? "#333a44" : "#e1e3e6";
  return {
    font,
    background: "transparent",
    aria: false, // the page describes its charts itself
    view: { stroke: null },
    range: { category: isDark ? dark : light },
    mark: { color: (isDark ? dark : light)[0] },
    axis: {
      labelColor: soft, titleColor: soft, tickColor: line, domainColor: line, gridColor: line,
      labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 8,
      grid: true, gridOpacity: 0.6, tickCount: 5, labelOverlap: true,
    },
    axisBand: { grid: false, labelColor: ink },
    legend: {
      orient: "top", labelColor: ink, labelFontSize: 12, symbolSize: 80, titleColor: soft,
      labelLimit: 220, columnPadding: 18, offset: 10, columns: legendColumns(width, spec),
      ...(width < 480 && { layout: { top: { direction: "vertical", anchor: "start" } } }),
    },
    header: {
      labelColor: ink, labelFontSize: 13, labelFontWeight: 600, labelPadding: 10, labelLimit: 260,
    },
    line: { strokeWidth: 2 },
    text: { color: soft },
    rule: { color: ink },
    style: {
      zero: { stroke: soft, opacity: 0.7 },
      margin: { fill: soft },
      whisker: { opacity: 0.8, size: 1.5 },
      "point-label": { fontSize: 11 },
      cell: { stroke: null },
    },
  } as Config;
}
