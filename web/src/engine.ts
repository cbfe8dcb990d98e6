// The parts of Vega that our charts need: no maps, forces, trees or word clouds.
import { transforms } from "vega-dataflow";
import * as encode from "vega-encode";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import { parse } from "vega-parser";
import * as tx from "vega-transforms";
import { extend, type LoggerInterface } from "vega-util";
import { View } from "vega-view";
import * as vtx from "vega-view-transforms";
import type { Config, TopLevelSpec } from "vega-lite";

extend(transforms, tx, vtx, encode);

/** Panels with scales of their own draw all their layers from one source, so that its remark on
 *  panels of  several sources does not concern us; everything else it says is passed on. */
const logger: LoggerInterface = {
  level: (() => logger) as unknown as LoggerInterface["level"],
  error: (...said) => (console.error(...said), logger),
  warn: (...said) => {
    if (!String(said[0]).startsWith("Detected faceted independent scales")) console.warn(...said);
    return logger;
  },
  info: () => logger,
  debug: () => logger,
};

export interface Chart {
  /** At once, as far as can be seen. */
  draw(): void;
  /** When sizes are final. */
  settled(): Promise<unknown>;
  close(): void;
}

/** A view of `spec` in `element`. Expressions are interpreted, never compiled: the page's policy
 *  allows no eval. */
export function chart(
  element: HTMLElement, spec: TopLevelSpec, config: Config, canvas: boolean,
): Chart {
  const vega = compile(spec, { config, logger }).spec;
  const view = new View(parse(vega, undefined, { ast: true }), {
    renderer: canvas ? "canvas" : "svg",
    container: element,
    expr: expressionInterpreter,
    hover: false,
  });
  return {
    draw: () => void view.run(),
    settled: () => view.runAsync(),
    close: () => void view.finalize(),
  };
}
