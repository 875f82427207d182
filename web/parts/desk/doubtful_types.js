/** Which labels the model doubts most. */
import { html } from "htm/preact";
import { labelStyle } from "./marked.js";

const most = 8;

/** @param {{ work: import("../../src/work.js").Work, figures: import("../../src/figures.js").Figures }} props */
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
      (t) => html`<li key=${t.type}><span class=${`chip ${labelStyle(t.type, labels)}`}>${t.type}</span>
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="val" width=${
          100 * share(t)
        } height="10" /></svg>
        <span class="num">${Math.round(100 * share(t))} % <span class="muted">of ${t.things}</span></span></li>`,
    )}</ul></section>`;
}
