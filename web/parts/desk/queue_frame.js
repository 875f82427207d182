/** What is around a sentence of the queue: why it is here and in which order; below, the dock with the answers. */
import { html } from "htm/preact";
import { Icon } from "./icon.js";
import { KeyButton } from "./key_button.js";

/** @typedef {import("../../src/work.js").Work} Work */

const orders = /** @type {Record<string, string>} */ ({
  learning: "Learning value",
  doubt: "Doubt",
  suspects: "Suspected errors",
  disagreement: "Disagreement",
  document: "Document",
});

/** @param {{ work: Work }} props */
export const Order = ({ work }) =>
  html`<label class="field"><span class="order-label">Order</span>
    <select class="pick" id="order" aria-label="Order of the queue" aria-keyshortcuts="Q" value=${work.order.value}
      onChange=${(/** @type {any} */ event) => work.setOrder(event.target.value)}>
      ${(work.about.value?.orders ?? [])
        .filter((order) => order !== "disagreement")
        .map((order) => html`<option key=${order} value=${order}>${orders[order] ?? order}</option>`)}
    </select>
  </label>`;

/** @param {{ work: Work }} props */
export const Why = ({ work }) =>
  html`<div class="line-up">
    <p class="why" aria-live="polite"><${Icon} name="why" />
      <span>${work.item.value && html`<b>Why this one:</b> ${work.item.value.why}`}</span></p>
    <${Order} work=${work} />
  </div>`;

/** Labels, or what else a view puts there, and the answers, always at the same place.
 * @param {{ work: Work, children?: any }} props
 */
export const Dock = ({ work, children }) =>
  html`<footer class="dock">
    <div class="dock-in">
      ${children}
      <div class="acts" role="toolbar" aria-label="Answers">
        <${KeyButton} work=${work} id="accept" style="main" />
        <${KeyButton} work=${work} id="reject" />
        <${KeyButton} work=${work} id="skip" />
        <${KeyButton} work=${work} id="undo" />
        <${KeyButton} work=${work} id="flag" style="quiet extra first-extra" />
        <${KeyButton} work=${work} id="comment" style="quiet extra" />
        <${KeyButton} work=${work} id="guidelines" style="quiet extra" />
      </div>
    </div>
  </footer>`;
