/** The column of memory: how many errors were found, what was decided, the last ten decisions. */
import { html } from "htm/preact";
import { whole } from "./numbers.js";

/** @typedef {import("../src/store.js").Store} Store */

/** The errors that an audit counted. @param {{ count: import("../src/suspects.js").Count }} props */
export function CountedErrors({ count }) {
  return html`<section aria-label="Errors in the corpus">
    <h2>Errors in the corpus</h2>
    <p class="figure">
      ${count.count === null ? "–" : whole(count.count)} <small>${whole(count.least)} to ${whole(count.most)}</small>
    </p>
    <p class="small muted">among ${whole(count.items)}, with the 90 % interval.</p>
    <p class="assume">
      Counted from ${whole(count.decided)} of ${whole(count.drawn)} that were drawn at random and decided. The interval
      holds whatever the errors are like.
    </p>
  </section>`;
}

/**
 * The errors found in this list. How many are still to be found is not told: the sum of the chances is no estimate,
 * as nothing says how far off it is where errors are unlike the planted ones; an audit is one.
 * @param {{ store: Store, audit?: unknown }} props  audit: where the number of all comes from
 */
export function FoundErrors({ store, audit }) {
  const { decided, errors } = store.counts.value;
  return html`<section aria-label="Errors found">
    <h2>Errors found in this list</h2>
    <p class="figure">${decided > 0 ? whole(errors) : "–"} <small>of ${whole(decided)} decided</small></p>
    <p class="assume">
      The chance of a suspect assumes that the corpus errs as the errors do that were planted in a copy. Chances do not
      add up to the number of errors: ${audit ?? "an audit"} counts them, with an interval.
    </p>
  </section>`;
}

/** @param {{ rows: Record<string, number> }} props */
export const Counts = ({ rows }) =>
  html`<ul class="counts">
    ${Object.entries(rows).map(([name, n]) => html`<li><span>${name}</span><span class="num">${whole(n)}</span></li>`)}
  </ul>`;

/** @param {{ store: Store }} props */
function Decided({ store }) {
  const { accepted, kept, own, acknowledged, decided } = store.counts.value;
  const all = store.suspects.length;
  const rows = { accepted, "kept as given": kept, "own answer": own, "right as it is": acknowledged };
  return html`<section aria-label="Progress">
    <h2>${whole(decided)} of ${whole(all)} decided</h2>
    <svg class="progress" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="rail" width="100" height="4" />
      <rect class="val" width=${(100 * decided) / Math.max(all, 1)} height="4" />
    </svg>
    <${Counts} rows=${{ ...rows, waiting: all - decided }} />
    <p class="small muted">When done, save the table; then, where the corpus is:</p>
    ${store.page.commands.map((command) => html`<pre>${command}</pre>`)}
  </section>`;
}

const answers = /** @type {Record<string, string>} */ ({ "+": "accepted", "-": "kept", "-!": "right as it is" });

/** @param {{ store: Store }} props */
export function LastTen({ store }) {
  const last = store.done.value.flat().slice(-10).reverse();
  if (last.length === 0) return null;
  return html`<section aria-label="Last decisions">
    <h2>Last decisions</h2>
    <ol class="past">
      ${last.map(
        ({ row, after }) =>
          html`<li>
            <button onClick=${() => store.go(row)}>
              <span class="txt" dir="auto">${store.suspects[row]?.text}</span>
              <span class="what">${answers[after] ?? after}</span>
            </button>
          </li>`,
      )}
    </ol>
  </section>`;
}

/** @param {{ store: Store }} props */
export const Side = ({ store }) =>
  html`<aside class="side">
    <${Decided} store=${store} />
    ${store.page.errors && html`<${CountedErrors} count=${store.page.errors} />`}
    ${!store.page.audit && html`<${FoundErrors} store=${store} audit=${html`<code>vouch review --audit</code>`} />`}
    <${LastTen} store=${store} />
  </aside>`;
