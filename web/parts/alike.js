/** The same error in other places: the same words, given and proposed alike, each shown and ticked. */
import { html } from "htm/preact";
import { percent } from "./numbers.js";

/** @typedef {import("../src/store.js").Store} Store */
/** @typedef {import("../src/suspects.js").Suspect} Suspect */

const most = 20; // that are shown, and so decided, at once

/** Others like this one that wait. @param {Store} store @param {Suspect} suspect */
export const alikeOf = (store, suspect) =>
  suspect.differs
    ? (store.kinds.get(suspect.kind) ?? []).filter((s) => s !== suspect && !store.decision(s.row)).slice(0, most)
    : [];

/** @param {Suspect} suspect  its sentence, with its words in bold */
const inContext = ({ sentence: { words }, from, to }) =>
  html`${words.slice(0, from).join(" ")} <b>${words.slice(from, to).join(" ")}</b> ${words.slice(to).join(" ")}`;

/** @param {{ store: Store, alike: Suspect[], accept: () => void }} props */
export function SameError({ store, alike, accept }) {
  if (alike.length === 0) return null;
  const { left } = store;
  const tick = (/** @type {number} */ row) => {
    const next = new Set(left.value);
    if (!next.delete(row)) next.add(row);
    left.value = next;
  };
  return html`<section class="card group" aria-label="The same error">
    <div class="group-head">
      <h2>The same in ${alike.length} other place${alike.length > 1 ? "s" : ""}</h2>
      <button class="btn" aria-keyshortcuts="Shift+A" onClick=${accept}>
        Accept this and the ticked <kbd>Shift a</kbd>
      </button>
    </div>
    <ul>
      ${alike.map(
        (s) =>
          html`<li key=${s.row}>
            <label>
              <input type="checkbox" checked=${!left.value.has(s.row)} onChange=${() => tick(s.row)} />
              <span dir="auto">${inContext(s)}</span><span class="num">${percent(s.error)}</span>
            </label>
          </li>`,
      )}
    </ul>
  </section>`;
}
