/** Memory: how far one is, and the last ten decisions, each of which can be looked at again. */
import { html } from "htm/preact";
import { colourOf } from "../../src/labels.js";
import { describe } from "../../src/past.js";
import { whole } from "../numbers.js";

/** @typedef {import("../../src/work.js").Work} Work */

/** @param {readonly number[]} list */
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

/** What is told of learning. @param {import("../../src/work.js").About} about */
function learning({ learning: { state, rounds, fresh, every, trouble } }) {
  if (trouble) return `Learning failed: ${trouble}`;
  if (state !== "idle") return "The model learns from what was decided.";
  const left = every - fresh;
  const times = rounds === 0 ? "" : `The model has learned ${rounds === 1 ? "once" : `${whole(rounds)} times`} here. `;
  const learns = rounds === 0 ? "The model learns" : "It learns again";
  return every > 0 && left > 0
    ? `${times}${learns} after ${left === 1 ? "one more decision" : `${left} more decisions`}.`
    : times;
}

/** @param {{ work: Work }} props */
export function Progress({ work }) {
  const about = work.about.value;
  if (!about || !work.loaded.value) return null;
  const done = Math.max(0, about.sentences - work.left.value);
  const share = about.sentences > 0 ? (100 * done) / about.sentences : 0;
  const seconds = work.seconds.value;
  return html`<section aria-label="Progress">
    <h2>${whole(done)} of ${whole(about.sentences)} decided <span>${share.toFixed(0)} %</span></h2>
    <svg class="progress" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="rail" width="100" height="10" rx="1" /><rect class="val" width=${share} height="10" rx="1" />
    </svg>
    <p class="small muted">${
      seconds.length > 0 && `${whole(seconds.length)} since you came, ${median(seconds).toFixed(1)} seconds each. `
    }${learning(about)}</p>
    ${
      about.labelled > 0 &&
      about.labelled < about.sentences &&
      html`<p class="small muted">
        ${whole(about.labelled)} of the ${whole(about.sentences)} have labels in the corpus already, and wait to be
        decided like the others: by document where they stand, by learning value and doubt behind the others.
      </p>`
    }
  </section>`;
}

/** @param {{ work: Work, past: import("../../src/work.js").Past }} props */
function Decision({ work, past }) {
  const { chip, text, what } = describe(past);
  const { labels = [] } = work.about.value ?? {};
  return html`<li><button type="button" onClick=${() => work.visit(past.sentence)}
    aria-current=${work.item.value?.sentence === past.sentence ? "true" : undefined}>
    <span class="hidden">Change: </span>
    ${chip !== undefined && html`<span class=${`chip ${colourOf(labels, chip)}`}>${chip ?? "none"}</span>`}
    <span class="txt" dir="auto">${text}</span><span class="what">${what}</span></button></li>`;
}

/** @param {{ work: Work }} props */
export const LastTen = ({ work }) =>
  html`<section aria-label="Last ten decisions">
    <h2>Last ten decisions <span>⌫ undoes one</span></h2>
    ${work.last.value.length === 0 && html`<p class="small muted">None yet.</p>`}
    <ol class="past">
      ${work.last.value.map((past) => html`<${Decision} key=${past.key} work=${work} past=${past} />`)}
    </ol>
  </section>`;

/** @param {{ work: Work }} props */
export const Side = ({ work }) =>
  html`<aside class="side" aria-label="Progress and decisions">
    <${Progress} work=${work} /><${LastTen} work=${work} />
  </aside>`;
