/** Why this sentence is here, and the order of the queue. */
import { html } from "htm/preact";
import { Icon } from "./icon.js";

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
