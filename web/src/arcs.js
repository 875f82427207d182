/** Trees: reading arcs as the table spells them, whether they make a tree, and where to draw them. */

/** @typedef {{ head: number, relation: string }} Arc  the head's number from 1, or 0 for the root */
/** @typedef {{ word: number, arc: Arc, kind: string }} Drawn  an arc to draw; the word's number from 0 */
/** @typedef {{ drawn: Drawn, low: number, high: number, level: number, ends: [number, number] }} Placed */

/** @param {string} text  "3:obj" or "3" @returns {Arc} */
export function readArc(text) {
  const colon = text.indexOf(":");
  return colon < 0
    ? { head: Number(text), relation: "" }
    : { head: Number(text.slice(0, colon)), relation: text.slice(colon + 1) };
}

/** @param {Arc} arc @param {boolean} relations */
export const writeArc = (arc, relations) => (relations ? `${arc.head}:${arc.relation}` : `${arc.head}`);

/**
 * What keeps arcs from being a tree, in words, or nothing. The corpus may have several roots; a change may not add one.
 * @param {readonly Arc[]} arcs @param {readonly string[]} words @param {number} most  roots
 */
export function treeFault(arcs, words, most) {
  const lost = arcs.findIndex((arc) => !Number.isInteger(arc.head) || arc.head < 0 || arc.head > arcs.length);
  if (lost >= 0) return `“${words[lost]}” needs a head: a number from 0 to ${arcs.length}`;
  const roots = arcs.filter((arc) => arc.head === 0).length;
  if (roots === 0) return "no word would be the root";
  if (roots > most) return `${roots} words would be roots`;
  for (let start = 0; start < arcs.length; start++) {
    let at = start + 1;
    for (let steps = 0; at > 0 && steps <= arcs.length; steps++) at = arcs[at - 1]?.head ?? 0;
    if (at > 0) return `“${words[at - 1]}” would depend on itself, through ${chainOf(arcs, words, at)}`;
  }
  return "";
}

/** @param {readonly Arc[]} arcs @param {readonly string[]} words @param {number} start */
function chainOf(arcs, words, start) {
  const chain = [];
  let at = start;
  do {
    at = arcs[at - 1]?.head ?? 0;
    chain.push(`“${words[at - 1]}”`);
  } while (at !== start && at > 0);
  return chain.join(" and ");
}

/**
 * Gives each arc a level above (or below) the words: short ones first, and none over another on the same level.
 * @param {readonly Drawn[]} drawn @returns {Placed[]}
 */
export function placeArcs(drawn) {
  /** @type {Placed[]} */
  const placed = [];
  const spans = drawn
    .filter(({ arc }) => arc.head > 0)
    .map((d) => ({ drawn: d, low: Math.min(d.word, d.arc.head - 1), high: Math.max(d.word, d.arc.head - 1) }))
    .sort((a, b) => a.high - a.low - (b.high - b.low) || a.low - b.low);
  for (const span of spans) {
    const over = placed.filter((other) => other.low < span.high && span.low < other.high).map((other) => other.level);
    let level = 1;
    while (over.includes(level)) level++;
    const inside = placed.filter((other) => other.low >= span.low && other.high <= span.high);
    level = Math.max(level, ...inside.map((other) => other.level + 1));
    while (over.includes(level)) level++;
    placed.push({ ...span, level, ends: [0, 0] });
  }
  return placed;
}

/**
 * Spreads the ends of arcs at each word so that they do not cross there: those to the left, low ones outermost, then
 * those to the right. Fills in `ends`, as distances from the middle of the word.
 * @param {Placed[]} placed @param {number} words @param {number} step
 */
export function spreadEnds(placed, words, step) {
  for (let word = 0; word < words; word++) {
    const left = placed.filter((p) => p.high === word).sort((a, b) => a.level - b.level);
    const right = placed.filter((p) => p.low === word).sort((a, b) => b.level - a.level);
    const count = left.length + right.length;
    left.forEach((p, i) => (p.ends[1] = (i - (count - 1) / 2) * step));
    right.forEach((p, i) => (p.ends[0] = (left.length + i - (count - 1) / 2) * step));
  }
}
