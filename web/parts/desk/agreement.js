/** How far annotators agree: in one figure with its interval, or why there is none yet; and label by label. */
import { html } from "htm/preact";
import { Figure, range, written } from "./figure.js";
import { colourOf } from "../../src/labels.js";

const none = html`<p class="note">No sentence was answered by two people yet.</p>`;

/** @param {{ found: any }} props */
export function Agreement({ found }) {
  const all = found?.all;
  if (!all) return html`<${Figure} value=${null} />${none}`;
  return html`<${Figure} value=${all.f1} digits=${2} scale=${1} />
    <p class="note">${
      all.f1
        ? `F1 of one annotator against the other, of ${all.sentences} answered by both, same words and label.`
        : `${all.sentences} answered by both; about ${all.missing} more until there is a figure.`
    }</p>`;
}

const most = 12; // labels

/** @param {{ work: import("../../src/work.js").Work, figures: import("../../src/figures.js").Figures }} props */
export function AgreementByType({ work, figures }) {
  const labels = work.about.value?.labels ?? [];
  const types = (figures.agreement.value?.types ?? [])
    .filter((/** @type {any} */ { things }) => things > 0)
    .sort((/** @type {any} */ a, /** @type {any} */ b) => (b.f1?.value ?? -1) - (a.f1?.value ?? -1))
    .slice(0, most);
  return html`<section class="card c8"><h2>Agreement by label</h2>
    <p class="note">F1 of one annotator against the other, same words and label, with its interval, from 0 to 1</p>
    ${types.length === 0 && html`<p class="figure">–</p>${none}`}
    <ul class="rows wide">${types.map(
      (
        /** @type {any} */ { type, f1, things, missing },
      ) => html`<li key=${type}><span class=${`chip ${colourOf(labels, type)}`}>${type}</span>
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" y="4" width="100"
          height="2" />
          ${
            f1 &&
            html`<rect class="span-of" x=${100 * f1.low} width=${100 * (f1.high - f1.low)} y="3" height="4"
            /><rect class="val" x=${Math.min(99, 100 * f1.value - 0.5)} width="1" height="10" />`
          }</svg>
        <span class="num">${
          f1
            ? html`${written(f1.value, 2, 1)} <span class="muted">${range(f1, 2, 1)}</span>`
            : html`– <span class="muted">${Math.round(things)}, ${missing} more
            needed</span>`
        }</span></li>`,
    )}</ul></section>`;
}
