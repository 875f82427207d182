/** The same error in other places: the same last word, given and proposed labels; each is shown, with a tick. */
import { html } from "htm/preact";
import { shortChange } from "./comparison.js";
import { percent } from "./numbers.js";

/** @typedef {import("../src/store.js").Store} Store */
/** @typedef {import("../src/suspects.js").Suspect} Suspect */

/** @param {Suspect} suspect  its sentence, with its words in bold */
const inContext = ({ sentence: { words }, from, to }) =>
  html`${words.slice(0, from).join(" ")} <b>${words.slice(from, to).join(" ")}</b> ${words.slice(to).join(" ")}`;

/** @param {{ store: Store, suspect: Suspect }} props */
export function SameError({ store, suspect }) {
  const alike = store.alike(suspect);
  if (alike.length === 0) return null;
  const ticked = alike.filter((s) => store.ticked(s)).length;
  return html`<section class="card group" aria-label="The same error">
    <div class="group-head">
      <h2>The same error in ${alike.length} other place${alike.length > 1 ? "s" : ""}</h2>
      <p class="row">
        <span class="small muted">${ticked} ticked; % is the chance that the given label is wrong</span>
        <button class="btn" aria-keyshortcuts="Shift+A" onClick=${() => store.accept(true)}>
          Accept this and the ticked <kbd>Shift a</kbd>
        </button>
      </p>
    </div>
    <ul>
      ${alike.map(
        (s) =>
          html`<li key=${s.row}>
            <label>
              <input type="checkbox" checked=${store.ticked(s)} onChange=${() => store.turn(s.row)} />
              <span dir="auto">${inContext(s)}</span>
              <span class="to">${shortChange(s, store.page.trees)}${s.error < 0.5 ? ", unsure" : ""}</span>
              <span class="num">${percent(s.error)}</span>
            </label>
          </li>`,
      )}
    </ul>
  </section>`;
}
