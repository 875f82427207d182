/** What is given beside what is proposed: two sentences, or one tree. */
import { html } from "htm/preact";
import { changed } from "../src/suspects.js";
import { readArc } from "../src/arcs.js";
import { typeOf } from "../src/labels.js";
import { Sentence } from "./sentence.js";
import { Tree } from "./tree.js";

/** @typedef {import("../src/suspects.js").Suspect} Suspect */
/** @typedef {import("../src/suspects.js").Change} Change */
/** @typedef {{ suspect: Suspect, changes: Change[], chunks: boolean, types: string[], own: boolean }} Compared */

/** @param {readonly Change[]} changes  the words for which something else is proposed, or all */
function markedWords(changes) {
  const other = changes.filter((change) => change.given !== change.proposed);
  return new Set((other.length ? other : changes).map((change) => change.word));
}

/** What changes, in few words: "LOC → ORG", "obl of sold → nmod of boat". @param {Suspect} of @param {boolean} trees */
export function shortChange({ changes, sentence }, trees) {
  const [change] = changes.filter((c) => c.given !== c.proposed);
  if (!change) return "";
  const name = (/** @type {string} */ text) => {
    const { head, relation } = readArc(text);
    return trees ? `${relation || "part"} of ${sentence.words[head - 1] ?? "the root"}` : typeOf(text);
  };
  return `${name(change.given)} → ${name(change.proposed)}`;
}

/** @param {Compared} props */
export function TwoSentences({ suspect, changes, chunks, types, own }) {
  const { sentence } = suspect;
  const marked = markedWords(changes);
  const shown = { words: sentence.words, chunks, types, marked };
  return html`<div class="compare">
    <section aria-label="Given">
      <h3>Given <small>${suspect.place}</small></h3>
      <${Sentence} ...${shown} labels=${sentence.given} />
    </section>
    <section aria-label=${own ? "Yours" : "Proposed"}>
      <h3>${own ? "Yours" : html`Proposed <small>by models that did not learn from this sentence</small>`}</h3>
      ${
        suspect.differs || own
          ? html`<${Sentence} ...${shown} labels=${changed(sentence, changes)} />`
          : html`<p class="muted">Nothing else is proposed.</p>`
      }
    </section>
  </div>`;
}

/** @param {Compared & { picked?: number, pick?: (word: number) => void }} props */
export function OneTree({ suspect, changes, own, picked, pick }) {
  const { sentence } = suspect;
  const other = changes.filter((change) => change.given !== change.proposed);
  const marked = markedWords(changes);
  const above = sentence.given.map((text, word) => ({
    word,
    arc: readArc(text),
    kind: marked.has(word) ? "given" : "",
  }));
  const below = other.map((change) => ({ word: change.word, arc: readArc(change.proposed), kind: "new" }));
  const name = own ? "yours" : "proposed";
  return html`<div>
    <${Tree} words=${sentence.words} tags=${sentence.tags} above=${above} below=${below}
      focus=${other[0]?.word ?? suspect.from} picked=${picked} pick=${pick}
      label=${`Given arcs above the words, ${name} ones below`} />
    <ul class="legend">
      <li><span class="stroke given"></span>given and in doubt</li>
      <li><span class="stroke new"></span>${below.length || own ? `${name}, below the words` : "nothing else"}</li>
      <li class="muted">${suspect.place}</li>
    </ul>
  </div>`;
}
