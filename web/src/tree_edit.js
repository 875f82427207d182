/**
 * A tree in the making, as pure functions. A tree is an answer {heads, relations}: heads count words from 1, 0 is the
 * root, null is open. Words are numbered from 0 everywhere else.
 *
 * An annotator gives one word a head; the rest follows as the best tree that has this arc and all that people have
 * decided before (see askedFor). So only what people have decided can be in the way of an arc: the rules are checked
 * against that.
 */

/** @typedef {{ heads: (number | null)[], relations: (string | null)[] }} TreeAnswer */
/** @typedef {{ word: number, head: number, relation: string | null }} Arc  the head from 0, or -1 for the root */
/** @typedef {{ head: number | null, relation: string | null }} Side */
/** @typedef {{ word: number, before: Side, after: Side, own: boolean }} Change */
/** @typedef {{ name: string, text: string }} Broken  the rule, and what is in its way */

const quoted = (/** @type {readonly string[]} */ words, /** @type {number} */ word) => `“${words[word] ?? word + 1}”`;

/**
 * The tree with one more arc. @param {TreeAnswer} tree @param {Arc} arc @returns {TreeAnswer}
 */
export const withArc = (tree, { word, head, relation }) => ({
  heads: tree.heads.with(word, head + 1),
  relations: tree.relations.with(word, relation),
});

/** The tree without a word's arc. @param {TreeAnswer} tree @param {number} word @returns {TreeAnswer} */
export const withoutArc = (tree, word) => ({
  heads: tree.heads.with(word, null),
  relations: tree.relations.with(word, null),
});

/**
 * The heads that people have decided: those that are not the model's, or all where there is no model's answer.
 * @param {TreeAnswer} tree @param {TreeAnswer | null} shown  the model's
 */
export const decidedHeads = (tree, shown) =>
  tree.heads.map((head, i) => (shown && head === shown.heads[i] ? null : head));

/**
 * What keeps a word from getting this head, given the heads that must stay, or null.
 * @param {readonly (number | null)[]} fixed @param {Arc} arc @param {readonly string[]} words
 * @returns {Broken | null}
 */
export function brokenRule(fixed, { word, head }, words) {
  const name = quoted(words, word);
  if (head === word) return { name: "That is the word itself:", text: `${name} needs another word as its head.` };
  if (head < 0) {
    const root = fixed.findIndex((other, i) => other === 0 && i !== word);
    if (root < 0) return null;
    const other = quoted(words, root);
    return {
      name: "That would be a second root:",
      text: `a tree has one, and ${other} is it already. Give ${other} a head first, or choose a head for ${name}.`,
    };
  }
  const chain = [];
  let at = head;
  for (let steps = 0; at >= 0 && at !== word && steps <= fixed.length; steps++) {
    chain.push(at);
    at = (fixed[at] ?? 0) - 1;
  }
  if (at !== word) return null;
  const through = chain.slice(1).map((i) => quoted(words, i));
  const by = through.length > 0 ? `, through ${through.join(" and ")}` : "";
  const other = quoted(words, head);
  return {
    name: "That would close a circle:",
    text: `${other} already hangs below ${name}${by}. Choose another head, or give ${other} a new one first.`,
  };
}

/**
 * What is asked of /v1/tree: the best tree with this arc and those that people have decided. A word keeps its relation
 * only with its head.
 * @param {TreeAnswer} tree @param {TreeAnswer} shown @param {Arc} arc
 */
export function askedFor(tree, shown, { word, head, relation }) {
  const heads = decidedHeads(tree, shown).with(word, head + 1);
  const isOwn = (/** @type {number} */ i) => heads[i] !== null || tree.relations[i] !== shown.relations[i];
  const relations = tree.relations.map((name, i) => (i === word ? relation : isOwn(i) ? name : null));
  return { heads, relations };
}

/**
 * Every arc that differs, that of the word itself first.
 * @param {TreeAnswer} before @param {TreeAnswer} after @param {number} word @returns {Change[]}
 */
export function changesBetween(before, after, word) {
  const side = (/** @type {TreeAnswer} */ tree, /** @type {number} */ i) => ({
    head: tree.heads[i] ?? null,
    relation: tree.relations[i] ?? null,
  });
  return before.heads
    .map((_, i) => ({ word: i, before: side(before, i), after: side(after, i), own: i === word }))
    .filter(({ before: a, after: b }) => a.head !== b.head || a.relation !== b.relation)
    .sort((a, b) => Number(b.own) - Number(a.own) || a.word - b.word);
}

/** The words that need a head, or a relation on their arc. @param {TreeAnswer} tree @param {boolean} relations */
export const openWords = (tree, relations) =>
  tree.heads.flatMap((head, i) => (head === null || (relations && !tree.relations[i]) ? [i] : []));

const letter = /\p{L}/u;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether a sentence is written from right to left: its first letter decides. @param {readonly string[]} words */
export function isRightToLeft(words) {
  for (const word of words) for (const sign of word) if (letter.test(sign)) return rightToLeft.test(sign);
  return false;
}

/** @typedef {{ name: string, probability: number | null, marks: number[] }} Found  marks: places that were typed */

/**
 * The places of what was typed in a name, in order; null if it is not there.
 * @param {string} name @param {string} typed
 */
function placesOf(name, typed) {
  const [whole, part] = [name.toLowerCase(), typed.toLowerCase()];
  const start = whole.indexOf(part);
  if (start >= 0) return Array.from(part, (_, i) => start + i);
  const places = [];
  let at = -1;
  for (const sign of part) {
    at = whole.indexOf(sign, at + 1);
    if (at < 0) return null;
    places.push(at);
  }
  return places;
}

/**
 * How well a name suits: it is that, begins so, has it, has its letters.
 * @param {string} name @param {number[]} places
 */
const rankOf = (name, places) =>
  places.length === name.length ? 0 : places[0] === 0 && isRun(places) ? 1 : isRun(places) ? 2 : 3;
const isRun = (/** @type {number[]} */ places) => places.every((place, i) => place === (places[0] ?? 0) + i);

/**
 * The relations in which what was typed occurs: those that begin so first, of these the likeliest.
 * @param {readonly string[]} names @param {readonly { label: string, probability: number }[]} likely
 * @param {string} typed @returns {Found[]}
 */
export function findRelations(names, likely, typed) {
  const probability = new Map(likely.map((one) => [one.label, one.probability]));
  const found = names.flatMap((name, order) => {
    const marks = typed ? placesOf(name, typed) : [];
    const p = probability.get(name) ?? null;
    return marks ? [{ name, probability: p, marks, rank: typed ? rankOf(name, marks) : 0, order }] : [];
  });
  found.sort((a, b) => a.rank - b.rank || (b.probability ?? 0) - (a.probability ?? 0) || a.order - b.order);
  return found.map(({ name, probability: p, marks }) => ({ name, probability: p, marks }));
}
