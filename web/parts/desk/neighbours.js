/**
 * The sentences before and after, dimmed, with the labels that they have or would get: no more words than are read for
 * context, those next to the sentence.
 */
import { html } from "htm/preact";
import { asAnswer } from "../../src/answers.js";
import { colourOf } from "../../src/labels.js";
import { gap } from "../../src/marks.js";

/** @typedef {import("../../src/work.js").Work} Work */
/** @typedef {import("../../src/work.js").Neighbour} Neighbour */
/** @typedef {import("../../src/labels.js").Span} Span */

const most = 60; // words of context on either side

/** A range of words in one text. @param {readonly string[]} words @param {number} from @param {number} to */
const textOf = (words, from, to) =>
  words.slice(from, to).reduce((text, word, i) => text + (i > 0 ? gap(words[from + i - 1], word) : "") + word, "");

/**
 * Words with spans on them, from a word to another: a span that is cut has no name.
 * @param {readonly string[]} words @param {Span[]} spans @param {readonly string[]} labels
 * @param {number} first @param {number} end
 */
function marked(words, spans, labels, first, end) {
  const parts = [];
  for (let at = first, to; at < end; at = to) {
    const span = spans.find((one) => one.from === at && one.to <= end);
    to = span ? span.to : at + 1;
    const text = textOf(words, at, to);
    if (at > first) parts.push(gap(words[at - 1], words[at]));
    if (!span) parts.push(text);
    else
      parts.push(html`<span class=${`mark ${colourOf(labels, span.type)}`}>${text}<small>${span.type}</small></span>`);
  }
  return parts;
}

/** @param {{ work: Work, neighbour: Neighbour, from: number, to: number }} props */
function Beside({ work, neighbour: { sentence, words, answer, sure }, from, to }) {
  const about = work.about.value;
  const values = about && answer ? asAnswer(answer, about) : null;
  const spans = values && "spans" in values ? values.spans : [];
  const state = work.isDecided(sentence) ? "✓ decided" : sure ? "sure" : "";
  return html`${from > 0 && "… "}${marked(words, spans, about?.labels ?? [], from, to)}${to < words.length && " …"}${
    state && html` <small class="state">${state}</small>`
  }`;
}

/** Which words of which neighbours are shown. @param {Neighbour[]} list @param {boolean} before */
export function nearest(list, before) {
  let room = most;
  const shown = (before ? [...list].reverse() : list).map((neighbour) => {
    const { length } = neighbour.words;
    const count = Math.min(length, room);
    room -= count;
    return { neighbour, from: before ? length - count : 0, to: before ? length : count };
  });
  return (before ? shown.reverse() : shown).filter(({ from, to }) => to > from);
}

/** @param {{ work: Work, list: Neighbour[], before?: boolean }} props */
export const Neighbours = ({ work, list, before = false }) =>
  list.length > 0 &&
  html`<p class=${before ? "neighbour before" : "neighbour"} dir="auto"><span>
    ${nearest(list, before).map(
      ({ neighbour, from, to }) =>
        html`<span key=${neighbour.sentence} dir="auto"
          ><${Beside} work=${work} neighbour=${neighbour} from=${from} to=${to} /></span>${" "}`,
    )}
  </span></p>`;
