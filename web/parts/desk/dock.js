/** The dock: labels, or what else a view puts there, and the answers, always at the same place. */
import { html } from "htm/preact";
import { KeyButton } from "./key_button.js";

/** @typedef {import("../../src/work.js").Work} Work */

/** @param {{ work: Work, children?: any }} props */
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
