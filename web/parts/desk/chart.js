/** A chart by uPlot: drawn on a canvas, so the colours of the theme are read off a probe element. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

/** What a custom property is now, as a colour that a canvas understands. @param {HTMLElement} probe @param {string}
  name */
function resolved(probe, name) {
  probe.style.setProperty("color", `var(--${name})`);
  return getComputedStyle(probe).color;
}

/** The colours of the theme, read off an element. @param {HTMLElement} probe @returns {Record<string, string>} */
export const themeInks = (probe) => ({
  accent: resolved(probe, "accent"),
  muted: resolved(probe, "muted"),
  line: resolved(probe, "line"),
  strong: resolved(probe, "line-strong"),
  surface: resolved(probe, "surface"),
  ink: resolved(probe, "ink"),
});

/** Lines from low to high at the points of a series. @param {uPlot} u @param {any[]} low @param {any[]} high @param
  {string} ink */
export function drawWhiskers(u, low, high, ink) {
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1.6 * devicePixelRatio;
  ctx.beginPath();
  u.data[0].forEach((x, i) => {
    if (typeof low[i] !== "number" || typeof high[i] !== "number") return;
    const at = u.valToPos(x, "x", true);
    ctx.moveTo(at, u.valToPos(low[i], "y", true));
    ctx.lineTo(at, u.valToPos(high[i], "y", true));
  });
  ctx.stroke();
  ctx.restore();
}

/**
 * @param {{ data: any, options: (inks: any) => any, label: string, height?: number }} props  options: uPlot's,
   without
 *   size; made anew when the theme changes
 */
export function Chart({ data, options, label, height = 260 }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    const at = box.current;
    if (!at) return;
    const probe = at.appendChild(document.createElement("span"));
    let plot = /** @type {uPlot | null} */ (null);
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(
        {
          width: at.clientWidth,
          height,
          legend: { show: false },
          cursor: { show: false },
          ...options(themeInks(probe)),
        },
        data,
        at,
      );
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: at.clientWidth, height }));
    const themed = new MutationObserver(draw);
    const system = matchMedia("(prefers-color-scheme: dark)");
    resized.observe(at);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    system.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      themed.disconnect();
      system.removeEventListener("change", draw);
      plot?.destroy();
      probe.remove();
    };
  }, [JSON.stringify(data)]);
  return html`<div class="plot" role="img" aria-label=${label} ref=${box}></div>`;
}
