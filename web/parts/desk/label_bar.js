/** The labels, each a button with its key. */
import { html } from "htm/preact";
import { colourOf } from "../../src/labels.js";
import { NamesWork } from "../../src/names_work.js";
import { KeyButton } from "./key_button.js";
import { labelKey } from "./popover.js";

const most = 30; // that have a key, and are shown; the others are typed

/** @param {{ work: import("../../src/work.js").Work }} props */
export function LabelBar({ work }) {
  const names = work.part(NamesWork);
  const { labels } = names.kind.value;
  const target = names.target.value;
  const more = labels.length - most;
  const sure = names.sure.length + (names.isSure() ? 1 : 0);
  if (labels.length === 0)
    return html`<p class="small muted">There are no labels to give: end the program, and name them by${" "}
      <code>vouch serve --labels A,B,C</code></p>`;
  return html`<div class="labels" role="toolbar" aria-label="Labels">
      ${labels.slice(0, most).map(
        (label, i) =>
          html`<button key=${label} type="button" class=${`lab ${colourOf(labels, label)}`}
            aria-pressed=${target?.type === label} onClick=${() => names.put(label)}
            ><kbd>${labelKey(i)}</kbd>${label}</button>`,
      )}
      ${more > 0 && html`<${KeyButton} work=${work} id="type" label=${`${more} more`} style="quiet" />`}
    </div>
    ${
      sure > 0 &&
      html`<${KeyButton} work=${work} id="accept-sure" style="quiet extra"
        label=${`Accept the ${sure === 1 ? "sure sentence" : `${sure} sure sentences`} on this screen`} />`
    }`;
}
