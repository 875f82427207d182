/** Whether probabilities can be believed: by label, what was shown beside what was right. */
import { html } from "htm/preact";
import { thingsOf } from "./dashboard_view.js";
import { colourOf } from "../../src/labels.js";

/** @typedef {import("../../src/figures.js").Reliability} One */

const most = 8;
const size = 108;
const inset = 6;

/** The verdict: whether what was shown is within the interval of what was right. @param {One} one @returns {[string,
  boolean]} */
export function verdict({ all, things, missing }) {
  if (!all) return [`– ${things}, ${missing} more needed`, false];
  const off = Math.abs(all.shown - all.right.value).toFixed(2);
  if (all.shown > all.right.high) return [`too sure by ${off}`, true];
  if (all.shown < all.right.low) return [`too careful by ${off}`, true];
  return [`within ${off}`, false];
}

/** @param {{ one: One, from: number, label: string }} props */
function Small({ one, from, label }) {
  const x = (/** @type {number} */ p) => inset + (size * (Math.max(p, from) - from)) / (1 - from);
  const y = (/** @type {number} */ p) => inset + size - (size * (Math.max(p, from) - from)) / (1 - from);
  const said = one.bins.map(
    ({ shown, right }) =>
      `${shown.toFixed(2)} shown, ${right.value.toFixed(2)} right (${right.low.toFixed(2)} to
        ${right.high.toFixed(2)})`,
  );
  return html`<svg class="chart" viewBox="0 0 120 136" role="img" aria-label=${`${label}: ${
    said.join("; ") || "too few"
  }`}>
    <line class="grid" x1="6" x2="114" y1="114" y2="114" /><line class="grid" x1="6" x2="6" y1="6" y2="114" />
    <line class="ideal" x1="6" y1="114" x2="114" y2="6" />
    ${one.bins.map(({ shown, right }) => {
      const off = shown > right.high || shown < right.low;
      return html`<line class=${off ? "whisker off" : "whisker"} x1=${x(shown)} x2=${x(shown)} y1=${y(right.low)}
        y2=${y(right.high)} />
        <circle class=${off ? "off" : "dot"} cx=${x(shown)} cy=${y(right.value)} r="4" />`;
    })}
    <text x="6" y="132">${from.toFixed(1)}</text><text x="116" y="132" text-anchor="end">1</text></svg>`;
}

/** @param {{ work: import("../../src/work.js").Work, figures: import("../../src/figures.js").Figures }} props */
export function Reliability({ work, figures }) {
  const list = figures.measures.value?.blind.reliability ?? [];
  const labels = work.about.value?.labels ?? [];
  const [all, ...types] = list;
  const shown = [
    ...(all ? [all] : []),
    ...types
      .filter(({ things }) => things > 0)
      .sort((a, b) => b.things - a.things)
      .slice(0, most - 1),
  ];
  const rest = types.filter(({ things }) => things > 0).length - shown.length + 1;
  const least = Math.min(...list.flatMap(({ bins }) => bins.flatMap(({ shown: p, right }) => [p, right.low])), 0.8);
  const from = Math.max(0, Math.floor(least * 10) / 10);
  return html`<section class="card c12"><h2>Can the numbers be believed?</h2>
    <p class="note">Of ${thingsOf(work.about.value)} on blind items. Across: probability that was shown. Up: share
      that was right, with interval. On the dotted line a 0.8 is right eight times in ten.</p>
    <div class="multiples">${shown.map((one) => {
      const [text, off] = verdict(one);
      return html`<figure key=${one.type ?? ""}><figcaption>
        ${
          one.type === null
            ? html`<span class="chip none">all</span>`
            : html`<span class=${`chip ${colourOf(labels, one.type)}`}>${one.type}</span>`
        }<br />
        <span class=${off ? "" : "muted"}>${text}</span></figcaption><${Small} one=${one} from=${from}
          label=${one.type ?? "all"} /></figure>`;
    })}</div>
    ${rest > 0 && html`<p class="note">${rest} more labels are rarer.</p>`}</section>`;
}
