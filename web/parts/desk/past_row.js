/** The last ten decisions on trees, in a row; each can be looked at again and changed. */
import { html } from "htm/preact";

/** @typedef {import("../../src/work.js").Work} Work */
/** @typedef {import("../../src/work.js").Past} Past */

const others = /** @type {Record<string, string>} */ ({ skip: "skipped", flag: "flagged", reject: "rejected" });

/** What was decided, as whose decision and what. @param {Past} past @returns {[string, string]} */
function summary({ kind, words, shown, answer }) {
  const [before, after] = /** @type {any[]} */ ([shown, answer]);
  if (others[kind] || !before || !after) return ["whole tree", others[kind] ?? "accepted"];
  const changed = words.flatMap((_, i) =>
    before.heads[i] !== after.heads[i] || before.relations[i] !== after.relations[i] ? [i] : [],
  );
  const [word] = changed;
  if (word === undefined) return ["whole tree", "accepted"];
  if (changed.length > 1) return [words[word] ?? "", `${changed.length} arcs changed`];
  const relations = `${before.relations[word]} → ${after.relations[word] ?? "open"}`;
  return [words[word] ?? "", before.heads[word] === after.heads[word] ? relations : "head changed"];
}

/** @param {{ work: Work, past: Past }} props */
function One({ work, past }) {
  const [what, how] = summary(past);
  return html`<li>
    <button type="button" class="btn" title=${past.words.join(" ")} onClick=${() => work.visit(past.sentence)}>
      <span class="hidden">Change: </span><bdi>${what}</bdi> <span class="muted">${how}</span>
    </button>
  </li>`;
}

/** @param {{ work: Work }} props */
export const PastRow = ({ work }) =>
  html`<section class="past-row" aria-label="Last ten decisions">
    <h2>Last ten</h2>
    ${
      work.last.value.length > 0
        ? html`<ol>
            ${work.last.value.map((past) => html`<${One} key=${past.sentence} work=${work} past=${past} />`)}
          </ol>`
        : html`<p class="muted">none yet</p>`
    }
  </section>`;
