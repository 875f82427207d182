/** Answers to a sentence: what an annotator begins with, and whether two are the same. */
import { spansOf } from "./labels.js";

/** @typedef {import("./labels.js").Span} Span */
/**
 * @typedef {{ spans: Span[] } | { labels: (string | null)[] }
 *   | { heads: (number | null)[], relations: (string | null)[] }} Answer  as /v1/answer takes it
 */
/** @typedef {{ labels?: (string | null)[], heads?: (number | null)[], relations?: (string | null)[] }} Values */
/** @typedef {{ trees: boolean, scheme: string, labels: string[] }} Kind  what is labelled, as /v1/desk tells */

/** Whether answers are chunks of words; else every word has a label, or a head. @param {Kind} kind */
export const hasSpans = (kind) => !kind.trees && kind.scheme !== "none";

/** The server's values as an answer that can be changed. @param {Values} values @param {Kind} kind @returns {Answer} */
export function asAnswer(values, kind) {
  if (kind.trees) return { heads: values.heads ?? [], relations: values.relations ?? [] };
  const labels = values.labels ?? [];
  if (!hasSpans(kind)) return { labels };
  return { spans: spansOf(labels.map((label) => label ?? "O")) };
}

/** An answer that says nothing yet. @param {number} words @param {Kind} kind @returns {Answer} */
export function emptyAnswer(words, kind) {
  if (hasSpans(kind)) return { spans: [] };
  const open = Array(words).fill(null);
  return kind.trees ? { heads: open, relations: open } : { labels: open };
}

/** The members of an answer that are decided on, in one order. @param {any} answer */
const core = ({ spans, labels, heads, relations }) =>
  spans
    ? [...spans].sort((a, b) => a.from - b.from).map(({ from, to, type }) => [from, to, type])
    : { labels, heads, relations };

/** @param {Answer} a @param {Answer} b */
export const sameAnswer = (a, b) => JSON.stringify(core(a)) === JSON.stringify(core(b));

/** An answer without what the server would not understand. @param {Answer} answer @returns {Answer} */
export const bare = (answer) =>
  "spans" in answer ? { spans: answer.spans.map(({ from, to, type }) => ({ from, to, type })) } : answer;
