/** What is around the work: the head bar, the dock, the list of all suspects and the list of keys. */
import { html } from "htm/preact";
import { listed } from "../src/keys.js";
import { shortChange } from "./comparison.js";
import { percent, whole } from "./numbers.js";

/** @typedef {import("../src/store.js").Store} Store */

const states = {
  kept: ["", "Kept in this browser"],
  lost: ["bad", "Not kept: save the table"],
  saved: ["", "Table saved"],
};

/** Turns light into dark and back. */
export function turnTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

/** The head bar of every page on which one works. @param {{ title: string, children: any }} props */
export const Bar = ({ title, children }) =>
  html`<header class="head">
    <span class="brand">
      <svg viewBox="0 0 24 24" fill="none" stroke-width="2.2" stroke-linecap="round" aria-hidden="true">
        <circle class="ring" cx="12" cy="12" r="9.5" stroke-dasharray="1 4.2" />
        <path class="part" d="M12 2.5A9.5 9.5 0 1 1 2.7 14" />
        <path class="tick" d="m8 12.3 2.9 2.9 5.3-6" /></svg
      >vouch</span>
    <h1>${title}</h1>
    <div class="head-end">
      ${children}
      <button class="btn quiet icon" aria-label="Switch between light and dark" onClick=${turnTheme}>
        <svg class="line" viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="7" /><path d="M10 3v14a7 7 0 0 0 0-14z" fill="currentColor" stroke="none" />
        </svg>
      </button>
    </div>
  </header>`;

/** @param {{ store: Store, help: () => void }} props */
export function Head({ store, help }) {
  const [style, text] = states[store.state.value];
  return html`<${Bar} title="Probably mislabelled">
    <span class="save ${style}" role="status">${text}</span>
    <button class="btn quiet" aria-keyshortcuts="h" onClick=${help}>Keys <kbd>h</kbd></button>
  <//>`;
}

/** @param {{ store: Store, save: () => void }} props */
export const Dock = ({ store, save }) =>
  html`<footer class="dock">
    <div class="acts" role="toolbar" aria-label="Go on">
      <button class="btn" aria-keyshortcuts="Space" onClick=${() => store.move(1, true)}>Skip <kbd>space</kbd></button>
      <button class="btn" aria-keyshortcuts="Backspace" aria-disabled=${store.done.value.length === 0}
        onClick=${() => store.undo()}>Undo <kbd>⌫</kbd></button>
      <button class="btn quiet" aria-keyshortcuts="p" onClick=${() => store.move(-1)}>Previous <kbd>p</kbd></button>
      <button class="btn quiet" aria-keyshortcuts="n" onClick=${() => store.move(1)}>Next <kbd>n</kbd></button>
      <button class=${`btn last ${store.counts.value.decided === store.suspects.length ? "main" : ""}`}
        aria-keyshortcuts="Control+S" onClick=${save}>Save table <kbd>Ctrl s</kbd></button>
    </div>
  </footer>`;

const marks = /** @type {Record<string, string>} */ ({
  "": "",
  "+": "✓ accepted",
  "-": "✓ kept",
  "-!": "✓ right as it is",
});
const page = 50; // suspects that are listed at once

/** Which are listed, and the way to the others. @param {{ store: Store, rows: number[], from: number }} props */
function Pages({ store, rows, from }) {
  const turn = (/** @type {string} */ name, /** @type {number} */ to) => {
    const row = rows[to];
    return html`<button class="btn" aria-disabled=${row === undefined}
      onClick=${() => row !== undefined && store.go(row)}>${name}</button>`;
  };
  const last = Math.min(from + page, rows.length);
  return html`<div class="group-head pages">
    <span class="muted small">${whole(from + 1)} to ${whole(last)} of ${whole(rows.length)}</span>
    <div class="row">${turn("Earlier ones", from - page)}${turn("Later ones", from + page)}</div>
  </div>`;
}

/** @param {{ store: Store }} props */
export function AllSuspects({ store }) {
  const rows = store.sequence.value;
  const at = rows.indexOf(store.current.value);
  const from = Math.floor(Math.max(at, 0) / page) * page;
  return html`<section class="card all" aria-label="All suspects">
    <div class="group-head">
      <h2>All suspects <small>${store.page.listed}</small></h2>
      <label class="field">Order
        <select class="pick" value=${store.order.value}
          onChange=${(/** @type {any} */ event) => (store.order.value = event.target.value)}>
          <option value="suspicion">${store.page.audit ? "As drawn" : "Most suspect first"}</option>
          <option value="corpus">As in the corpus</option>
        </select>
      </label>
    </div>
    <ol>
      ${rows.slice(from, from + page).map((row) => {
        const suspect = store.suspects[row];
        const decision = store.decision(row);
        const said = store.along.value.has(row) ? "✓ with another" : (marks[decision] ?? `✓ ${decision}`);
        return html`<li key=${row}>
          <button aria-current=${row === store.current.value} tabindex=${row === store.current.value ? 0 : -1}
            onClick=${() => store.go(row)}>
            <span class="num muted">${row + 1}</span>
            <span class="txt" dir="auto">${suspect?.text}</span>
            <span class="to">${suspect && shortChange(suspect, store.page.trees)}</span>
            <span class="what">${said}</span>
            <span class="num">${percent(suspect?.error ?? 0)}</span>
          </button>
        </li>`;
      })}
    </ol>
    ${rows.length > page && html`<${Pages} store=${store} rows=${rows} from=${from} />`}
  </section>`;
}

/** @param {{ close: () => void }} props */
export const AllKeys = ({ close }) =>
  html`<section class="card keys" aria-label="Keys">
    <div class="group-head"><h2>Keys</h2><button class="btn" onClick=${close}>Close <kbd>Esc</kbd></button></div>
    <dl>${listed.map(({ shown, says }) => html`<div><dt><kbd>${shown}</kbd></dt><dd>${says}</dd></div>`)}</dl>
  </section>`;
