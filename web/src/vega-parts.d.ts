// The parts of Vega publish no types of their own; what we use of them.
declare module "vega-dataflow" {
  export const transforms: Record<string, unknown>;
}
declare module "vega-encode" {}
declare module "vega-transforms" {}
declare module "vega-view-transforms" {}
declare module "vega-parser" {
  export function parse(spec: unknown, config?: unknown, options?: { ast?: boolean }): unknown;
}
declare module "vega-view" {
  export class View {
    constructor(runtime: unknown, options: Record<string, unknown>);
    run(): this;
    runAsync(): Promise<this>;
    finalize(): this;
  }
}
