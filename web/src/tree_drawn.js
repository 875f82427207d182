/** What is drawn and said of a tree in the making: every arc with its kind and its label, every word with its name. */
import { chance } from "../parts/numbers.js";

/** @typedef {import("./tree_work.js").TreeWork} TreeWork */
/** @typedef {import("./arcs.js").Drawn} Drawn */

/** How sure the model is of an arc that it proposed itself. @param {TreeWork} trees @param {number} word */
function standing(trees, word) {
  const answer = trees.work.item.value?.answer;
  const shown = trees.shown.value;
  const tree = trees.tree.value;
  const isHead = !!shown && tree.heads[word] === shown.heads[word];
  const isRelation = isHead && tree.relations[word] === shown.relations[word];
  if (!shown || !isRelation) return { kind: "yours", text: `✓ ${tree.relations[word] ?? ""}` };
  const relation = tree.relations[word] ?? "";
  const doubt = trees.doubtOf(word);
  if (doubt === "head") return { kind: "doubt", text: `${relation} ${chance(answer.confidence[word])}` };
  if (doubt) return { kind: "unsure", text: `${relation} ${chance(answer.relation_confidence[word])}` };
  return { kind: "", text: relation };
}

/**
 * How likely an arc is that follows from the annotator's own; that one needs no number.
 * @param {TreeWork} trees @param {import("./tree_edit.js").Change} change
 */
export const followed = ({ proposal }, { word, own }) => (own ? "" : chance(proposal.value?.sure?.[word]));

/** Every arc, those of a change before and after it. @param {TreeWork} trees @returns {Drawn[]} */
export function drawnArcs(trees) {
  const changes = new Map(trees.changes.value.map((change) => [change.word, change]));
  return trees.tree.value.heads.flatMap((head, word) => {
    const change = changes.get(word);
    const relation = trees.tree.value.relations[word] ?? "";
    /** @type {Drawn[]} */
    const arcs = [];
    if (change && change.after.head !== null) {
      const arc = { head: change.after.head, relation: change.after.relation ?? "" };
      arcs.push({ word, arc, kind: "new", text: `${arc.relation} ${followed(trees, change)}`.trim() });
    }
    if (head === null || (change && change.before.head === change.after.head)) return arcs;
    const kind = change ? { kind: "old", text: relation } : standing(trees, word);
    return [{ word, arc: { head, relation }, ...kind }, ...arcs];
  });
}

/** A word in full: “line, word 10, depends on hearing as nmod, 0.43”. @param {TreeWork} trees @param {number} word */
export function nameOfWord(trees, word) {
  const { heads, relations } = trees.tree.value;
  const name = `${trees.words.value[word]}, word ${word + 1}`;
  const head = heads[word];
  if (head === null || head === undefined) return `${name}, has no head yet`;
  const relation = relations[word] ? ` as ${relations[word]}` : "";
  const on = head === 0 ? "is the root" : `depends on ${trees.words.value[head - 1]}`;
  const kind = standing(trees, word).kind;
  const answer = trees.work.item.value?.answer;
  const sure = kind === "yours" ? ", decided by you" : answer ? `, ${chance(answer.confidence[word])}` : "";
  return `${name}, ${on}${relation}${sure}`;
}

/** What a word depends on, in few words. @param {TreeWork} trees @param {import("./tree_edit.js").Side} side */
export const nameOfSide = ({ words }, { head, relation }) =>
  head === null ? "no head" : `${head === 0 ? "root" : words.value[head - 1]} ${relation ?? ""}`.trim();
