// Edits of spans: nothing overlaps, nothing is lost but what is asked for; against words that are labelled one by one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { merge, moveEdge, put, retype, spanAt, split } from "../src/span_edit.js";

const two = [
  { from: 1, to: 3, type: "PER" },
  { from: 4, to: 6, type: "LOC" },
];

test("a span is found by its word, changes its type, and is put over others", () => {
  assert.equal(spanAt(two, 2), 0);
  assert.equal(spanAt(two, 3), -1);
  assert.deepEqual(retype(two, 1, "ORG")[1], { from: 4, to: 6, type: "ORG" });
  assert.deepEqual(put(two, { from: 2, to: 5, type: "ORG" }), [
    { from: 1, to: 2, type: "PER" },
    { from: 2, to: 5, type: "ORG" },
    { from: 5, to: 6, type: "LOC" },
  ]);
});

test("an edge takes words from a neighbour, which goes with its last one", () => {
  assert.deepEqual(moveEdge(two, 0, "to", 1, 7)[0], { from: 1, to: 4, type: "PER" });
  const over = moveEdge(moveEdge(two, 0, "to", 1, 7), 0, "to", 1, 7);
  assert.deepEqual(over, [
    { from: 1, to: 5, type: "PER" },
    { from: 5, to: 6, type: "LOC" },
  ]);
  assert.deepEqual(moveEdge(over, 0, "to", 1, 7), [{ from: 1, to: 6, type: "PER" }]);
});

test("an edge stays within the sentence, and a span keeps a word", () => {
  const one = [{ from: 0, to: 1, type: "PER" }];
  for (const edge of /** @type {const} */ (["from", "to"])) assert.deepEqual(moveEdge(one, 0, edge, -1, 1), one);
  assert.deepEqual(moveEdge(one, 0, "from", 1, 1), one);
  assert.deepEqual(moveEdge(one, 0, "to", 1, 1), one);
});

test("splitting and merging are each other's opposite", () => {
  const parts = split(two, 0, 2);
  assert.deepEqual(
    parts.map(({ from, to }) => [from, to]),
    [[1, 2], [2, 3], [4, 6]], // prettier-ignore
  );
  assert.deepEqual(merge(parts, 0), two);
  assert.deepEqual(merge(two, 0), [{ from: 1, to: 6, type: "PER" }]);
  assert.deepEqual(merge(two, 1), two);
  assert.deepEqual(split(two, 0, 1), two);
});

test("whatever is done, spans are in order, have words, and share none", () => {
  const words = 8;
  let seed = 7;
  const below = (/** @type {number} */ n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  /** @type {import("../src/labels.js").Span[]} */
  let spans = [];
  for (let step = 0; step < 2000; step++) {
    const i = below(spans.length + 1);
    const from = below(words);
    const edits = [
      () => put(spans, { from, to: from + 1 + below(words - from), type: "ABC".charAt(below(3)) }),
      () => moveEdge(spans, i, below(2) ? "from" : "to", below(2) ? 1 : -1, words),
      () => split(spans, i, from),
      () => merge(spans, i),
      () => spans.filter((_, j) => j !== i),
    ];
    spans = edits[below(edits.length)]?.() ?? spans;
    for (const [j, span] of spans.entries()) {
      assert.ok(span.from < span.to && span.from >= 0 && span.to <= words, JSON.stringify(spans));
      assert.ok(j === 0 || (spans[j - 1]?.to ?? 0) <= span.from, JSON.stringify(spans));
    }
  }
});
