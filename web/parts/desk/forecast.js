/** What more sentences bring: the figure after every round, and what is to be expected. */
import { html } from "htm/preact";
import { Chart, drawWhiskers } from "./chart.js";
import { figureNames } from "./dashboard_view.js";
import { range, written } from "./figure.js";

/** @typedef {import("../../src/figures.js").Measures} Measures */
/** @typedef {import("../../src/figures.js").Point} Point */

/** The figure's last point of each number of decisions. @param {Point[]} points @param {string} name */
function curveOf(points, name) {
  const by = new Map(points.filter((point) => point.name === name).map((point) => [point.decided, point]));
  return [...by.values()].sort((a, b) => a.decided - b.decided);
}

/** What is expected from the last point on. @param {Measures} measures @param {Point | undefined} last */
function aheadOf(measures, last) {
  const { ahead, gain, decided } = measures.hundred_more;
  if (!gain || !last) return [];
  const start = { at: last.decided, value: last.value, low: last.value, high: last.value };
  const bounded = (/** @type {number} */ x) => Math.min(1, Math.max(0, x));
  return [
    start,
    ...ahead.flatMap(({ learned, gain: by }) =>
      by && decided + learned > last.decided
        ? [
            {
              at: Math.round(decided + learned),
              value: bounded(last.value + by.value),
              low: bounded(last.value + by.low),
              high: bounded(last.value + by.high),
            },
          ]
        : [],
    ),
  ];
}

/** In words whether more pays. @param {Measures} measures */
function advice(measures) {
  const { gain, worth, far, worth_it: least } = measures.hundred_more;
  if (!gain) return "What more would bring is told when 40 sentences are decided, and 20 more of them blind.";
  const time = measures.seconds
    ? `, in about ${Math.max(1, Math.round((measures.seconds.median * 100) / 60))} minutes`
    : "";
  const next = `A hundred more should bring ${written(gain.value)} points (${range(gain)})${time}.`;
  if (!worth || far <= 0) return next;
  const points = written(least);
  if (worth.value >= far) return `${next} When it stops paying cannot be told: not within the next ${Math.round(far)}.`;
  if (worth.value <= 0) return `${next} That is less than ${points}: labelling more hardly pays.`;
  const until = worth.high >= far ? `${Math.round(far)} or beyond` : Math.round(worth.high);
  return `${next} After about ${Math.round(worth.value)} more (${Math.round(worth.low)} to ${until}) a hundred bring
    less than ${points}.`;
}

/** @param {Point[]} points @param {ReturnType<typeof aheadOf>} ahead */
function dataOf(points, ahead) {
  const xs = [...new Set([0, ...points.map((p) => p.decided), ...ahead.map((p) => p.at)])].sort((a, b) => a - b);
  const of = (/** @type {Map<number, number>} */ by) => xs.map((x) => by.get(x) ?? null);
  const now = (/** @type {"value" | "low" | "high"} */ key) =>
    of(new Map(points.map((p) => [p.decided, 100 * p[key]])));
  const then = (/** @type {"value" | "low" | "high"} */ key) => of(new Map(ahead.map((p) => [p.at, 100 * p[key]])));
  return [xs, now("value"), then("value"), then("low"), then("high"), now("low"), now("high")];
}

/** @param {any[]} data @returns {(inks: any) => any} */
const optionsOf = (data) => (inks) => {
  const axis = {
    stroke: inks.muted,
    font: "12px sans-serif",
    grid: { stroke: inks.line, width: 1 },
    ticks: { show: false },
  };
  const all = data
    .slice(1)
    .flat()
    .filter((/** @type {number | null} */ x) => x !== null);
  return {
    scales: {
      x: { time: false },
      y: {
        range: [Math.max(0, Math.floor(Math.min(...all) / 5) * 5), Math.min(100, Math.ceil(Math.max(...all) / 5) * 5)],
      },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 28, incrs: [10, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10000] },
      { ...axis, size: 40, incrs: [1, 5, 10, 20] },
    ],
    series: [
      {},
      {
        stroke: inks.accent,
        width: 2.2,
        spanGaps: true,
        points: { show: true, size: 8, fill: inks.accent, stroke: inks.surface },
      },
      { stroke: inks.accent, width: 2, dash: [5, 5], spanGaps: true, points: { show: false } },
      { stroke: "transparent", spanGaps: true, points: { show: false } },
      { stroke: "transparent", spanGaps: true, points: { show: false } },
      { show: false },
      { show: false },
    ],
    bands: [{ series: [4, 3], fill: inks.accent.replace("rgb(", "rgba(").replace(")", ", 0.14)") }],
    hooks: {
      drawSeries: [
        (/** @type {any} */ u, /** @type {number} */ i) => i === 1 && drawWhiskers(u, data[5], data[6], inks.accent),
      ],
    },
  };
};

/** @param {{ name: string, points: Point[], ahead: ReturnType<typeof aheadOf> }} props */
function Curve({ name, points, ahead }) {
  const last = /** @type {Point} */ (points.at(-1));
  const end = ahead.length > 1 ? ahead.at(-1) : undefined;
  const data = dataOf(points, ahead);
  const now = `${written(last.value)} at ${last.decided}, ${range(last)}`;
  const then = end ? `; expected ${written(end.value)} at ${end.at}, ${range(end)}` : "";
  return html`<${Chart} data=${data} options=${optionsOf(data)}
      label=${`${figureNames[name]} on blind items by sentences decided: ${now}${then}`} />
    <p class="note">Across: sentences decided. Up: ${figureNames[name]} on blind items:
      ${` ${now}${then}`}${end && " (dashed)"}.</p>`;
}

/** @param {{ figures: import("../../src/figures.js").Figures }} props */
export function Forecast({ figures }) {
  const measures = figures.measures.value;
  const name = Object.keys(measures?.blind.figures ?? { f1: null })[0] ?? "f1";
  const points = curveOf(figures.points.value, name);
  const ahead = measures ? aheadOf(measures, points.at(-1)) : [];
  return html`<section class="card c8"><h2>What more sentences bring</h2>
    <p class="note">${measures && advice(measures)}</p>
    ${
      points.length > 0
        ? html`<${Curve} name=${name} points=${points} ahead=${ahead} />`
        : html`<p class="figure">–</p><p class="note">The curve begins with the first round that is measured.</p>`
    }</section>`;
}
