/** Words with marks: chunks with their label inside, arcs as the head's word and the relation, places with numbers. */
import { html } from "htm/preact";
import { hasSpans } from "../../src/answers.js";
import { colourOf } from "../../src/labels.js";

/** @typedef {import("../../src/settling.js").Mark} Mark */
/**
 * @typedef {{ from: number, to: number, number: number, now: boolean, open: boolean, what: string, go: () => void }}
 *   Spot
 */

/** @param {Mark} mark @param {readonly string[]} words @param {import("../../src/answers.js").Kind} kind */
const tagOf = ({ type, head }, words, kind) =>
  kind.trees ? `${type ?? ""} of ${head ? words[head - 1] : "root"}` : type;

/** @param {{ spot: Spot, text: string }} props */
const Place = ({ spot, text }) =>
  html`<span role="button" tabindex=${spot.now ? 0 : -1} class=${`spot${spot.now ? " now" : ""}`}
    onClick=${spot.go} onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && spot.go()}
    >${text}<sup><span class="hidden">, place </span>${spot.number}${spot.open ? "" : " ✓"}</sup
    ><span class="hidden">, ${spot.what}, ${spot.open ? "open" : "taken"}</span></span>`;

/** @param {{ words: string[], from: number, to: number, marks: Mark[], kind: any, spots?: Spot[] }} props */
export function Marked({ words, from, to, marks, kind, spots = [] }) {
  const shown = hasSpans(kind) || spots.length === 0 ? marks.filter(({ type }) => type !== null) : [];
  const parts = [];
  for (let i = from; i < to;) {
    const at = i;
    const spot = spots.find((one) => one.from === at);
    const mark = shown.find((one) => one.from === at);
    i = Math.max(at + 1, (spot ?? mark)?.to ?? 0);
    const text = words.slice(at, i).join(" ");
    if (spot) parts.push(html`<${Place} key=${at} spot=${spot} text=${text} />`);
    else if (mark)
      parts.push(html`<span key=${at} class=${`span ${colourOf(kind.labels, mark.type)}`}
        >${text}<span class="tag" dir="ltr">${tagOf(mark, words, kind)}</span></span>`);
    else parts.push(text);
    if (i < to) parts.push(" ");
  }
  return parts;
}
