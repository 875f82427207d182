/**
 * Edits of spans, as pure functions: lists of spans in the order of their words in, such lists out. No two overlap: a
 * span that grows takes words from its neighbour, which goes if it loses all of them. What cannot be done gives the
 * same list back.
 */

/** @typedef {import("./labels.js").Span} Span */

/** The number of the span that has the word; -1: none. @param {readonly Span[]} spans @param {number} word */
export const spanAt = (spans, word) => spans.findIndex(({ from, to }) => from <= word && word < to);

/** What is left of a span outside of another. @param {Span} span @param {Span} other @returns {Span[]} */
const outside = (span, { from, to }) =>
  [
    { ...span, to: Math.min(span.to, from) },
    { ...span, from: Math.max(span.from, to) },
  ].filter((rest) => rest.from < rest.to);

/** Adds a span; others lose the words that it takes. @param {readonly Span[]} spans @param {Span} span */
export const put = (spans, span) =>
  [...spans.flatMap((other) => outside(other, span)), span].sort((a, b) => a.from - b.from);

/** @param {readonly Span[]} spans @param {number} i @returns {Span[]} */
export const remove = (spans, i) => spans.filter((_, j) => j !== i);

/** @param {readonly Span[]} spans @param {number} i @param {string} type @returns {Span[]} */
export const retype = (spans, i, type) => spans.map((span, j) => (j === i ? { ...span, type } : span));

/**
 * Moves an edge by a word: out by 1, in by -1.
 * @param {readonly Span[]} spans @param {number} i @param {"from" | "to"} edge @param {1 | -1} by
 * @param {number} words  of the sentence
 */
export function moveEdge(spans, i, edge, by, words) {
  const span = spans[i];
  if (!span) return [...spans];
  const moved = { ...span, [edge]: span[edge] + (edge === "from" ? -by : by) };
  if (moved.from < 0 || moved.to > words || moved.from >= moved.to) return [...spans];
  return put(remove(spans, i), moved);
}

/** Two spans of one, the second from a word on. @param {readonly Span[]} spans @param {number} i @param {number} at */
export function split(spans, i, at) {
  const span = spans[i];
  if (!span || at <= span.from || at >= span.to) return [...spans];
  return put(put(remove(spans, i), { ...span, to: at }), { ...span, from: at });
}

/**
 * One span of a span, the next one and what is between them, with the type of the first.
 * @param {readonly Span[]} spans @param {number} i
 */
export function merge(spans, i) {
  const span = spans[i];
  const next = spans[i + 1];
  return span && next ? put(spans, { ...span, to: next.to }) : [...spans];
}
