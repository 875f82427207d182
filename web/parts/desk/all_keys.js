/** All keys of the view, and whether single characters act. */
import { html } from "htm/preact";
import { keysOf } from "../../src/desk_keys.js";

/** @param {{ work: import("../../src/work.js").Work }} props */
export function AllKeys({ work }) {
  const keys = keysOf(work.view.value);
  const groups = [...new Set(keys.map(({ group }) => group))];
  return html`<div class="keys">
      ${groups.map(
        (group) =>
          html`<section key=${group} aria-label=${group}>
            <h3>${group}</h3>
            <dl>
              ${keys
                .filter((key) => key.group === group)
                .map(({ id, shown, says }) => html`<div key=${id}><dt><kbd>${shown}</kbd></dt><dd>${says}</dd></div>`)}
            </dl>
          </section>`,
      )}
    </div>
    <label class="row small">
      <input type="checkbox" checked=${work.letters.value}
        onChange=${(/** @type {any} */ event) => (work.letters.value = event.target.checked)} />
      Letters, digits and signs act by themselves; without a tick only the other keys and the buttons do.
    </label>`;
}
