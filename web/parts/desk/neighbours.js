/** The sentences before and after, dimmed, with the labels that they have or would get. */
import { html } from "htm/preact";
import { asAnswer } from "../../src/answers.js";
import { colourOf } from "../../src/labels.js";
import { gap } from "../../src/marks.js";

/** @typedef {import("../../src/work.js").Work} Work */
/** @typedef {import("../../src/work.js").Neighbour} Neighbour */
/** @typedef {import("../../src/labels.js").Span} Span */

/** A range of words in one text. @param {readonly string[]} words @param {number} from @param {number} to */
const textOf = (words, from, to) =>
  words.slice(from, to).reduce((text, word, i) => text + (i > 0 ? gap(words[from + i - 1], word) : "") + word, "");

/**
 * Words with spans on them.
 * @param {readonly string[]} words @param {Span[]} spans @param {readonly string[]} labels
 */
function marked(words, spans, labels) {
  const parts = [];
  for (let at = 0, to; at < words.length; at = to) {
    const span = spans.find(({ from }) => from === at);
    to = span ? span.to : at + 1;
    const text = textOf(words, at, to);
    if (at > 0) parts.push(gap(words[at - 1], words[at]));
    if (!span) parts.push(text);
    else
      parts.push(html`<span class=${`mark ${colourOf(labels, span.type)}`}>${text}<small>${span.type}</small></span>`);
  }
  return parts;
}

/** @param {{ work: Work, neighbour: Neighbour }} props */
function Beside({ work, neighbour: { sentence, words, answer, sure } }) {
  const about = work.about.value;
  const values = about && answer ? asAnswer(answer, about) : null;
  const spans = values && "spans" in values ? values.spans : [];
  const state = work.isDecided(sentence) ? "✓ decided" : sure ? "sure" : "";
  return html`${marked(words, spans, about?.labels ?? [])}${state && html` <small class="state">${state}</small>`}`;
}

/** @param {{ work: Work, list: Neighbour[] }} props */
export const Neighbours = ({ work, list }) =>
  list.length > 0 &&
  html`<p class="neighbour" dir="auto">
    ${list.map(
      (neighbour) =>
        html`<span key=${neighbour.sentence} dir="auto"><${Beside} work=${work} neighbour=${neighbour} /></span>${" "}`,
    )}
  </p>`;
