// The context of a sentence: the words next to it, however long its neighbours are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "../parts/desk/neighbours.js";

/** @param {number[]} lengths @param {boolean} before */
const shown = (lengths, before) =>
  nearest(
    lengths.map((length, sentence) => ({ sentence, words: Array(length).fill("w"), answer: null, sure: false })),
    before,
  ).map(({ neighbour, from, to }) => [neighbour.sentence, from, to]);

test("short neighbours are shown whole, in their order", () => {
  for (const before of [true, false])
    assert.deepEqual(shown([10, 20], before), [
      [0, 0, 10],
      [1, 0, 20],
    ]);
});

test("of long ones the words next to the sentence are shown", () => {
  assert.deepEqual(shown([10, 300], true), [[1, 240, 300]]);
  assert.deepEqual(shown([300, 10], true), [
    [0, 250, 300],
    [1, 0, 10],
  ]);
  assert.deepEqual(shown([300, 10], false), [[0, 0, 60]]);
  assert.deepEqual(shown([10, 300], false), [
    [0, 0, 10],
    [1, 0, 50],
  ]);
});
