import { chart, type Chart } from "./engine";
import { fit, type Spec } from "./layout";
import { theme } from "./theme";
import type { TopLevelSpec } from "vega-lite";

const MANY_POINTS = 1500; // beyond this a canvas is quicker than SVG

class Plot {
  private spec: Spec;
  private current?: Chart;
  private width = 0;
  private wanted = false;
  private turn = 0;

  constructor(readonly element: HTMLElement) {
    const block = document.getElementById(element.dataset.spec ?? "");
    this.spec = JSON.parse(block?.textContent ?? "{}") as Spec;
  }

  /** Draw, or draw again if forced or if the width has changed. */
  async show(isDark: boolean, force = false): Promise<void> {
    const width = Math.floor(this.element.clientWidth);
    if (width === 0 || (!force && this.current && Math.abs(width - this.width) < 24)) return;
    this.wanted = true;
    this.width = width;
    const turn = ++this.turn; // a later call makes this one give up
    try {
      // Names of unknown length stand beside the views: draw, and draw narrower if that was too
      // wide.
      for (let less = 0, tries = 0; tries < 3; tries++) {
        const fitted = fit(this.spec, width, less);
        const inside = this.draw(fitted, isDark, width);
        await this.current!.settled();
        const over = inside.scrollWidth - inside.clientWidth;
        if (turn !== this.turn || over <= 0) return;
        less += over / (fitted.columns ?? 1) + 1;
      }
    } catch (problem) {
      this.element.textContent = "This chart could not be drawn; its numbers stand below.";
      console.error(problem);
    }
  }

  private draw(fitted: Spec, isDark: boolean, width: number): HTMLElement {
    this.current?.close();
    // The element itself is the picture for screen readers; Vega marks up what is inside in its
    // own way.
    const inside = document.createElement("div");
    inside.setAttribute("aria-hidden", "true");
    this.element.replaceChildren(inside);
    const points = this.spec.usermeta?.tare?.points ?? 0;
    const font = getComputedStyle(document.body).fontFamily;
    const config = theme(isDark, font, width, this.spec);
    this.current = chart(inside, fitted as unknown as TopLevelSpec, config, points > MANY_POINTS);
    this.current.draw();
    return inside;
  }

  again(isDark: boolean, force: boolean): void {
    if (this.wanted) void this.show(isDark, force);
  }
}

export function charts(): void {
  const places = document.querySelectorAll<HTMLElement>(".plot[data-spec]");
  const plots = [...places].map((place) => new Plot(place));
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        near.unobserve(entry.target);
        void plots.find((plot) => plot.element === entry.target)?.show(scheme.matches);
      }
    },
    { rootMargin: "400px" },
  );
  for (const plot of plots) near.observe(plot.element);
  scheme.addEventListener("change", () => {
    plots.forEach((plot) => plot.again(scheme.matches, true));
  });
  let timer = 0;
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      plots.forEach((plot) => plot.again(scheme.matches, false));
    }, 150);
  });
  // Paper is white, and shows what was never scrolled to.
  addEventListener("beforeprint", () => plots.forEach((plot) => void plot.show(false, true)));
  addEventListener("afterprint", () => {
    plots.forEach((plot) => void plot.show(scheme.matches, true));
  });
}
