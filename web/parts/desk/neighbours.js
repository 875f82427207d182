/** The sentences before and after, dimmed. */
import { html } from "htm/preact";

/** @param {{ list: import("../../src/work.js").Neighbour[] }} props */
export const Neighbours = ({ list }) =>
  list.length > 0 &&
  html`<p class="neighbour" dir="auto">
    ${list.map(({ sentence, words }) => html`<span key=${sentence}>${words.join(" ")} </span>`)}
  </p>`;
