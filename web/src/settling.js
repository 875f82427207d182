/**
 * Two answers to one sentence, place by place: where they differ, what was taken, and the answer that comes of it.
 *
 * A place is the smallest run of words that has all of the difference: of chunks a cluster of those that overlap, else
 * one word. Whatever is taken at one place overlaps nothing at another.
 */
import { asAnswer, hasSpans } from "./answers.js";

/** @typedef {import("./answers.js").Kind} Kind */
/** @typedef {import("./labels.js").Span} Span */
/** @typedef {{ from: number, to: number, type: string | null, head: number | null }} Mark  a chunk, or a word's arc */
/** @typedef {{ from: number, to: number, sides: Mark[][], what: string }} Place */

const same = (/** @type {Mark[]} */ a, /** @type {Mark[]} */ b) => JSON.stringify(a) === JSON.stringify(b);

/** An answer as marks: of chunks, or one for every word. @param {any} values @param {Kind} kind @returns {Mark[]} */
export function marksOf(values, kind) {
  if (hasSpans(kind))
    return /** @type {{ spans: Span[] }} */ (asAnswer(values, kind)).spans.map((span) => ({ ...span, head: null }));
  const types = kind.trees ? values.relations : values.labels;
  return types.map((/** @type {string | null} */ type, /** @type {number} */ i) => ({
    from: i,
    to: i + 1,
    type,
    head: kind.trees ? values.heads[i] : null,
  }));
}

/** The runs of words that marks of any side make together. @param {Mark[]} marks @returns {[number, number][]} */
function clusters(marks) {
  /** @type {[number, number][]} */
  const found = [];
  for (const { from, to } of [...marks].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = found.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

/** In what two chunks differ. @param {Mark} a @param {Mark} b */
function spanDifference(a, b) {
  const edges = a.from !== b.from || a.to !== b.to;
  if (edges && a.type !== b.type) return "edges and type differ";
  return edges ? "the edges differ" : "the type differs";
}

/** In what the sides differ. @param {Mark[][]} sides @param {Kind} kind */
function difference(sides, kind) {
  const [a, b] = sides.map((side) => side[0]);
  if (!a || !b) return `${(a ?? b)?.type} or no name`;
  if (kind.trees) return a.head === b.head ? "the relation differs" : "the head differs";
  if (!hasSpans(kind)) return "the label differs";
  return sides.some(({ length }) => length > 1) ? "one name or several" : spanDifference(a, b);
}

/** Where answers differ. @param {any[]} answers @param {Kind} kind @returns {Place[]} */
export function placesOf(answers, kind) {
  const all = answers.map((values) => marksOf(values, kind));
  return clusters(all.flat()).flatMap(([from, to]) => {
    const sides = all.map((marks) => marks.filter((mark) => mark.from >= from && mark.to <= to));
    const first = sides[0] ?? [];
    if (sides.every((side) => same(side, first))) return [];
    return [{ from, to, sides, what: difference(sides, kind) }];
  });
}

/** What all say: the marks outside of places. @param {any[]} answers @param {Kind} kind @returns {Mark[]} */
export function agreedOf(answers, kind) {
  const places = placesOf(answers, kind);
  return marksOf(answers[0], kind).filter(({ from }) => !places.some((place) => from >= place.from && from < place.to));
}

/** The answer of what all say and what was taken. @param {any[]} answers @param {Mark[][]} taken @param {Kind} kind */
export function settled(answers, taken, kind) {
  const marks = [...agreedOf(answers, kind), ...taken.flat()].sort((a, b) => a.from - b.from);
  if (hasSpans(kind)) return { spans: marks.map(({ from, to, type }) => ({ from, to, type: type ?? "" })) };
  if (!kind.trees) return { labels: marks.map(({ type }) => type) };
  return { heads: marks.map(({ head }) => head), relations: marks.map(({ type }) => type) };
}

/**
 * What annotators differ in, by how often, of the list that /v1/agreement has.
 * @param {{ answers: (string | null)[] }[]} disagreements @param {Kind} kind @returns {[string, number][]}
 */
export function commonDifferences(disagreements, kind) {
  /** @type {Map<string, number>} */
  const count = new Map();
  for (const { answers } of disagreements) {
    const said = [...new Set(answers.filter((answer) => answer !== null))];
    const name = nameOf(said[0] ?? "", said[1] ?? "", kind);
    count.set(name, (count.get(name) ?? 0) + 1);
  }
  return [...count].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

/** @param {string} a @param {string} b @param {Kind} kind */
function nameOf(a, b, kind) {
  if (kind.trees) {
    const [[headA, x = ""], [headB, y = ""]] = [a.split(":"), b.split(":")];
    return headA === headB ? [x, y].sort().join(" or ") : x === y ? `head of ${x}` : "head and relation";
  }
  if (!hasSpans(kind)) return [a, b].sort().join(" or ");
  const [x, y] = [a, b].map((labels) =>
    [...new Set(labels.split(" ").flatMap((label) => (label === "O" ? [] : [label.slice(2)])))].sort().join(" and "),
  );
  if (x === y) return `edges of ${x}`;
  return x && y ? [x, y].sort().join(" or ") : `${x || y} or no name`;
}
