/** What is around a sentence of the queue: why it is here and in which order; below, the dock with the answers. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
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
    <p class="why" aria-live="polite">${
      work.item.value && html`<${Icon} name="why" /> <span><b>Why this one:</b> ${work.item.value.why}</span>`
    }</p>
    <${Order} work=${work} />
  </div>`;

/** Tells how high the dock is, which has as many lines as the labels need: what stays in sight stays above it. */
function useHeight() {
  const dock = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const told = new ResizeObserver(() => {
      document.documentElement.style.setProperty("--dock", `${dock.current?.offsetHeight ?? 0}px`);
    });
    if (dock.current) told.observe(dock.current);
    return () => told.disconnect();
  }, []);
  return dock;
}

/** Labels, or what else a view puts there, and the answers, always at the same place.
 * @param {{ work: Work, children?: any }} props
 */
export function Dock({ work, children }) {
  const dock = useHeight();
  return html`<footer class="dock" ref=${dock}>
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
}
