/** Trees: reading arcs as the table spells them, and whether they make a tree. */

/** @typedef {{ head: number, relation: string }} Arc  the head's number from 1, or 0 for the root */
/**
 * An arc to draw: the word's number from 0; what is written on it, if not the relation alone.
 * @typedef {{ word: number, arc: Arc, kind: string, text?: string }} Drawn
 */

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
