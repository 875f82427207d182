/** The column beside a suspect: errors, what was decided in all rounds, the next round, what is saved. */
import { html } from "htm/preact";
import { CountedErrors, Counts, FoundErrors, LastTen } from "../side.js";
import { whole } from "../numbers.js";

/** @typedef {import("../../src/suspect_work.js").SuspectWork} SuspectWork */
/** @typedef {{ review: SuspectWork, store: import("../../src/store.js").Store }} Props */

const audited = 50; // drawn at random for an audit

/** @param {Props} props */
function Rounds({ review, store }) {
  const told = review.told.value;
  if (!told) return null;
  const { accepted, kept, own, acknowledged } = told.counts;
  const all = accepted + kept + own + acknowledged;
  const rows = { accepted, kept, "own answer": own, "right as it is": acknowledged };
  const again = () => told.state === "idle" && review.round();
  return html`<section aria-label="Progress">
    <h2>${whole(all)} suspects decided <span>round ${told.round}</span></h2>
    <${Counts} rows=${{ ...rows, "waiting in this list": store.waiting }} />
    <p class="small muted">After ${told.round_of} decisions the rest is ranked anew by what was decided.</p>
    <p class="row">
      <button class="btn" aria-disabled=${told.state !== "idle"} onClick=${again}
        >${store.page.audit ? "List the most suspect" : "Rank the rest anew"}</button>
    </p>
  </section>`;
}

/** @param {Props} props */
function Audit({ review, store }) {
  if (store.page.errors || store.page.audit)
    return store.page.errors ? html`<${CountedErrors} count=${store.page.errors} />` : html`<${Drawn} />`;
  return html`<section aria-label="Errors in the corpus">
    <h2>Errors in the corpus</h2>
    <p class="small muted">
      Not known: a list of suspects does not tell how many errors it leaves out. An audit does, whatever the errors are
      like: ${audited} are drawn at random, and you decide on all of them.
    </p>
    <p class="row"><button class="btn" onClick=${() => review.round(audited)}>Draw ${audited} for an audit</button></p>
  </section>`;
}

const Drawn = () =>
  html`<section aria-label="Audit">
    <h2>Audit</h2>
    <p class="small muted">
      These were drawn at random. Decide on all of them, then list the most suspect again: the number of errors comes
      with it, and its interval.
    </p>
  </section>`;

/** @param {Props} props */
const Save = ({ review }) =>
  html`<section aria-label="Save">
    <p class="row"><button class="btn" aria-keyshortcuts="Control+S" onClick=${() => review.save()}
      >Save the corrected corpus <kbd>Ctrl s</kbd></button></p>
    <p class="small muted">Every other byte stays as it was.</p>
    <p class="row">
      <button class="btn quiet" onClick=${() => review.saveTable(false)}>Decisions as a table</button>
      <button class="btn quiet" onClick=${() => review.saveTable(true)}>Exceptions as a table</button>
    </p>
  </section>`;

/** @param {Props} props */
export const ReviewSide = (props) =>
  html`<aside class="side">
    ${!props.store.page.audit && html`<${FoundErrors} store=${props.store} />`}
    <${Rounds} ...${props} />
    <${Audit} ...${props} />
    <${Save} ...${props} />
    <${LastTen} store=${props.store} />
  </aside>`;
