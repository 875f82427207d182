/** Cards of the dashboard about the work: seconds a decision, by session; and which labels the model doubts most. */
import { html } from "htm/preact";
import { colourOf } from "../../src/labels.js";

/** @typedef {import("../../src/figures.js").Session} Session */

const last = 8; // sessions
const width = 300;
const height = 150;

/** @typedef {{ work: import("../../src/work.js").Work, figures: import("../../src/figures.js").Figures }} Props */

/** @param {Props} props */
export function Sessions({ work, figures }) {
  const sessions = (figures.measures.value?.seconds?.sessions ?? []).slice(-last);
  const names = new Map(work.about.value?.annotators.map(({ id, name }) => [id, name]));
  const top = Math.max(1, ...sessions.map(({ high }) => high));
  const x = (/** @type {number} */ i) => 24 + ((width - 48) * (i + 0.5)) / Math.max(1, sessions.length);
  const y = (/** @type {number} */ s) => height - 22 - ((height - 40) * s) / top;
  const who = (/** @type {Session} */ { annotator }) => names.get(annotator) ?? "";
  const several = new Set(sessions.map(({ annotator }) => annotator)).size > 1;
  const said = sessions.map(
    (s) => `${several ? `${who(s)} ` : ""}${s.median.toFixed(1)} (${s.low.toFixed(1)} to ${s.high.toFixed(1)})`,
  );
  return html`<section class="card c4"><h2>Seconds a decision, by session</h2>
    <p class="note">Median, and the half of all decisions around it</p>
    ${
      sessions.length === 0
        ? html`<p class="figure">–</p><p class="note">No decision yet.</p>`
        : html`<svg class="chart" viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${said.join("; ")}>
            <line class="axis" x1="16" x2=${width - 8} y1=${height - 22} y2=${height - 22} />
            ${sessions.map(
              (s, i) => html`<line class="whisker" x1=${x(i)} x2=${x(i)} y1=${y(s.low)} y2=${y(s.high)} />
                <circle class="dot" cx=${x(i)} cy=${y(s.median)} r="4" />
                <text x=${x(i)} y=${height - 6} text-anchor="middle">${several ? who(s).slice(0, 6) : i + 1}</text>
                ${
                  (i === 0 || i === sessions.length - 1) &&
                  html`<text class="strong" x=${x(i) + 7} y=${y(s.median) - 6}>${s.median.toFixed(1)} s</text>`
                }`,
            )}</svg>`
    }</section>`;
}

const most = 8; // labels

/** @param {Props} props */
export function DoubtfulTypes({ work, figures }) {
  const labels = work.about.value?.labels ?? [];
  const share = (/** @type {{ doubtful: number, things: number }} */ t) => t.doubtful / t.things;
  const types = (figures.measures.value?.types ?? [])
    .filter(({ things }) => things > 0)
    .sort((a, b) => share(b) - share(a));
  return html`<section class="card c4"><h2>Most doubtful labels</h2>
    <p class="note">Share of what the model puts there with a probability below ${
      work.about.value?.threshold ?? 0.9
    }</p>
    ${types.length === 0 && html`<p class="figure">–</p><p class="note">There is no model yet.</p>`}
    <ul class="rows tight">${types.slice(0, most).map(
      (t) => html`<li key=${t.type}><span class=${`chip ${colourOf(labels, t.type)}`}>${t.type}</span>
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="val" width=${
          100 * share(t)
        } height="10" /></svg>
        <span class="num">${Math.round(100 * share(t))} % <span class="muted">of ${t.things}</span></span></li>`,
    )}</ul></section>`;
}
