/** What is given beside what is proposed: two sentences, or one tree. */
import { html } from "htm/preact";
import { changed } from "../src/suspects.js";
import { readArc } from "../src/arcs.js";
import { spansOf, spellChunks } from "../src/labels.js";
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

/** An arc in few words: "nmod of boat", "ROOT". @param {string} text @param {string[]} words */
function nameOfArc(text, words) {
  const { head, relation } = readArc(text);
  return head > 0 ? `${relation || "part"} of ${words[head - 1] ?? head}` : relation || "root";
}

/** The types of the chunks that labels spell, in their order. @param {string[]} labels */
const chunkTypes = (labels) => [...new Set(spansOf(labels).map(({ type }) => type))].join(" and ") || "no name";

/** @param {string[]} given @param {string[]} proposed */
function chunkChange(given, proposed) {
  const [before, after] = [chunkTypes(given), chunkTypes(proposed)];
  return before === after ? `edges of ${before}` : `${before} → ${after}`;
}

/**
 * What changes, in few words: "LOC → ORG", "edges of LOC", "obl of sold → nmod of boat".
 * @param {Suspect} of @param {boolean} trees
 */
export function shortChange({ changes, sentence }, trees) {
  const [change] = changes.filter((c) => c.given !== c.proposed);
  if (!change) return "";
  const [given, proposed] = [changes.map((c) => c.given), changes.map((c) => c.proposed)];
  if (!trees && spellChunks([...given, ...proposed])) return chunkChange(given, proposed);
  const name = (/** @type {string} */ text) => (trees ? nameOfArc(text, sentence.words) : text);
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
  const focus = other[0]?.word ?? suspect.from;
  const inWords = (/** @type {string} */ arc) => nameOfArc(arc, sentence.words);
  return html`<div>
    <${Tree} words=${sentence.words} tags=${sentence.tags} above=${above} below=${below}
      focus=${focus} picked=${picked} pick=${pick}
      label=${`Given arcs above the words, ${name} ones below`} />
    <ul class="legend">
      <li><span class="stroke given"></span>given and in doubt: <b>${inWords(sentence.given[focus] ?? "")}</b></li>
      <li>
        <span class="stroke new"></span>
        ${other[0] ? html`${name}, below the words: <b>${inWords(other[0].proposed)}</b>` : "nothing else"}
      </li>
      <li class="muted">${suspect.place}</li>
    </ul>
  </div>`;
}
