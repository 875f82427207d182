// Editing trees: the rules, what is asked of the server, what changes, and finding relations by typing.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  askedFor,
  brokenRule,
  changesBetween,
  decidedHeads,
  findRelations,
  isRightToLeft,
  openWords,
  withArc,
  withoutArc,
} from "../src/tree_edit.js";

const words = ["a", "hearing", "was", "announced", "about", "the", "line"];
const shown = {
  heads: [2, 4, 4, 0, 7, 7, 4],
  relations: ["det", "nsubj", "aux", "root", "case", "det", "obl"],
};
const open = { heads: words.map(() => null), relations: words.map(() => null) };

test("an arc is put and taken away, and the tree before stays as it was", () => {
  const tree = withArc(shown, { word: 6, head: 1, relation: "nmod" });
  assert.deepEqual([tree.heads[6], tree.relations[6], shown.heads[6]], [2, "nmod", 4]);
  const less = withoutArc(tree, 6);
  assert.deepEqual([less.heads[6], less.relations[6], tree.heads[6]], [null, null, 2]);
  assert.equal(withArc(shown, { word: 0, head: -1, relation: null }).heads[0], 0);
});

test("what people decided is what the model did not say, or all without a model", () => {
  const tree = withArc(shown, { word: 6, head: 1, relation: "nmod" });
  assert.deepEqual(decidedHeads(tree, shown), [null, null, null, null, null, null, 2]);
  assert.deepEqual(decidedHeads(tree, null), tree.heads);
});

test("only arcs that must stay can be in the way", () => {
  const none = words.map(() => null);
  assert.equal(brokenRule(none, { word: 3, head: 6, relation: null }, words), null);
  assert.equal(brokenRule(none, { word: 0, head: -1, relation: null }, words), null);
  assert.match(brokenRule(none, { word: 0, head: 0, relation: null }, words)?.name ?? "", /the word itself/);
});

test("a circle is named with the words through which it goes", () => {
  const broken = brokenRule(shown.heads, { word: 3, head: 0, relation: null }, words);
  assert.equal(broken?.name, "That would close a circle:");
  assert.equal(
    broken?.text,
    "“a” already hangs below “announced”, through “hearing”. Choose another head, or give “a” a new one first.",
  );
  const near = brokenRule(shown.heads, { word: 6, head: 4, relation: null }, words);
  assert.match(near?.text ?? "", /^“about” already hangs below “line”\. Choose/);
  assert.equal(brokenRule(shown.heads, { word: 4, head: 3, relation: null }, words), null);
});

test("a second root is named with the first", () => {
  const broken = brokenRule(shown.heads, { word: 6, head: -1, relation: null }, words);
  assert.match(broken?.text ?? "", /one, and “announced” is it already\. Give “announced” a head first/);
  assert.equal(brokenRule(shown.heads, { word: 3, head: -1, relation: null }, words), null);
});

test("every set of heads without a broken rule can be completed to a tree with one root", () => {
  // All ways to give heads to 4 words one after the other: what the rules let through has no cycle, and one root.
  const four = words.slice(0, 4);
  for (let code = 0; code < 5 ** 4; code++) {
    /** @type {(number | null)[]} */
    let fixed = [null, null, null, null];
    for (let word = 0, rest = code; word < 4; word++, rest = Math.floor(rest / 5)) {
      const head = (rest % 5) - 1;
      if (!brokenRule(fixed, { word, head, relation: null }, four)) fixed = fixed.with(word, head + 1);
    }
    assert.ok(fixed.filter((head) => head === 0).length <= 1);
    for (let word = 0; word < 4; word++) {
      let at = word;
      for (let steps = 0; at >= 0 && steps < 5; steps++) at = (fixed[at] ?? 0) - 1;
      assert.ok(at < 0, `a cycle in ${fixed}`);
    }
  }
});

test("the server is asked for the arcs of people alone, with their relations", () => {
  const once = withArc(shown, { word: 6, head: 1, relation: "nmod" });
  const other = { ...once, relations: once.relations.with(0, "amod") };
  assert.deepEqual(askedFor(other, shown, { word: 5, head: 3, relation: null }), {
    heads: [null, null, null, null, null, 4, 2],
    relations: ["amod", null, null, null, null, null, "nmod"],
  });
});

test("what changes is listed, the annotator's own arc first", () => {
  const after = { heads: [2, 0, 4, 2, 7, 7, 2], relations: [...shown.relations.slice(0, 6), "nmod"] };
  const changes = changesBetween(shown, after, 6);
  assert.deepEqual(changes.map(({ word }) => word), [6, 1, 3]); // prettier-ignore
  assert.deepEqual(changes.map(({ own }) => own), [true, false, false]); // prettier-ignore
  assert.deepEqual(changes[0]?.before, { head: 4, relation: "obl" });
  assert.deepEqual(changes[0]?.after, { head: 2, relation: "nmod" });
});

test("what is missing is counted", () => {
  assert.equal(openWords(open, true).length, 7);
  const half = withArc(open, { word: 1, head: 3, relation: null });
  assert.equal(openWords(half, true).length, 7);
  assert.deepEqual(openWords(half, false), [0, 2, 3, 4, 5, 6]);
});

test("relations are found by typing: those that begin so first, then the likeliest", () => {
  const names = ["det", "nummod", "nmod", "nmod:poss", "obl"];
  const likely = [{ label: "nmod:poss", probability: 0.2 }, { label: "obl", probability: 0.7 }]; // prettier-ignore
  const found = (/** @type {string} */ typed) => findRelations(names, likely, typed).map(({ name }) => name);
  assert.deepEqual(found(""), ["obl", "nmod:poss", "det", "nummod", "nmod"]);
  assert.deepEqual(found("nm"), ["nmod:poss", "nmod", "nummod"]);
  assert.deepEqual(found("NMOD"), ["nmod", "nmod:poss", "nummod"]);
  assert.deepEqual(findRelations(names, likely, "nm").at(-1)?.marks, [0, 2]);
  assert.deepEqual(found("xyz"), []);
});

test("the first letter decides how a sentence is written", () => {
  assert.equal(isRightToLeft(["“", "7", "שלום", "Ada"]), true);
  assert.equal(isRightToLeft(["Ada", "سلام"]), false);
  assert.equal(isRightToLeft(["1", "."]), false);
});
