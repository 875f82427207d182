// The state of a review without a page: what the server would refuse is said before it is sent.
import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { localStorage: { getItem: () => null, setItem: () => {} } });
const { Store } = await import("../src/store.js");

const columns = ["file", "line", "word", "words", "text", "given", "proposed", "decision", "error", "also"];
const rows = [
  ["a", "1", "2", "1", "sold", "0:root", "3:obj", "", "0.9", "3:2:obj->0:root"],
  ["a", "1", "3", "1", "boat", "2:obj", "1:nmod", "", "0.8", ""],
  ["a", "1", "1", "1", "She", "2:nsubj", "3:nsubj", "", "0.7", ""],
];

test("a word that was decided with another suspect is not decided otherwise", () => {
  /** @type {{ row: number, decision: string }[]} */
  const sent = [];
  const page = {
    ...{ identity: "x", name: "x.tsv", trees: true, relations: true, level: "word", labels: ["obj", "nsubj"] },
    table: [columns, ...rows].map((row) => row.join("\t") + "\n").join(""),
    sentences: [{ words: ["She", "sold", "boat"], given: ["2:nsubj", "0:root", "2:obj"] }],
    ...{ sentence: [0, 0, 0], group: [0, 1, 2], listed: "", audit: false, errors: null, commands: [] },
  };
  const store = new Store(page, {
    read: () => ({ decisions: {}, done: [], current: 0 }),
    keep: () => true,
    put: (changes) => sent.push(...changes),
  });
  store.accept(); // "boat" becomes the root with it, and is not asked about any more
  assert.equal(store.current.value, 2);
  assert.equal(store.waiting, 1);
  store.go(1);
  for (const decide of [() => store.accept(), () => store.keepGiven()]) {
    decide();
    assert.match(store.alert.value, /Not taken: “boat” was decided as 0:root with “sold”/);
    assert.equal(store.current.value, 1);
  }
  store.move(1, true);
  store.accept();
  assert.equal(store.waiting, 0);
  store.undo();
  store.undo();
  assert.equal(store.waiting, 3);
  assert.deepEqual(sent.slice(0, 2), [0, 2].map((row) => ({ row, decision: "+" }))); // prettier-ignore
});
