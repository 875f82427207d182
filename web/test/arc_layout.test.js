// The layout of trees, on random trees and on sets of arcs that are none: geometry, not pictures.
import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut, levelsOf } from "../src/arc_layout.js";

/** @typedef {import("../src/arc_layout.js").ArcToPlace} ArcToPlace */
/** @typedef {import("../src/arc_layout.js").PlacedArc} PlacedArc */

/** Numbers from 0 up to 1, the same for the same seed. @param {number} seed */
function randomly(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A random tree: near heads are likelier, as in language, and some are anywhere, so that arcs cross.
 * @param {number} words @param {number} crossing  the share of heads anywhere @param {() => number} random
 */
function randomArcs(words, crossing, random) {
  const order = Array.from({ length: words }, (_, i) => i).sort((a, b) => a - b + (random() - 0.5) * 8);
  return order.slice(1).map((word, i) => {
    const known = order.slice(0, i + 1);
    const near = known.reduce((best, other) => (Math.abs(other - word) < Math.abs(best - word) ? other : best));
    const any = known[Math.floor(random() * known.length)] ?? 0;
    return { word, head: random() < crossing ? any : near, label: 20 + Math.floor(random() * random() * 150) };
  });
}

const between = (/** @type {number} */ x, /** @type {number} */ a, /** @type {number} */ b) =>
  x > Math.min(a, b) && x < Math.max(a, b);

/** What is wrong with the arcs of one side. @param {readonly ArcToPlace[]} arcs @param {readonly PlacedArc[]} placed */
function faults(arcs, placed) {
  /** @type {string[]} */
  const found = [];
  placed.forEach((arc, i) => {
    const half = (arcs[i]?.label ?? 0) / 2;
    const [left, right] = [arc.at - half, arc.at + half];
    if (left < Math.min(arc.from, arc.to) || right > Math.max(arc.from, arc.to))
      found.push(`label ${i} is off its arc`);
    placed.forEach((other, k) => {
      if (k === i) return;
      const hides = (/** @type {number} */ leg) => other.level > arc.level && between(leg, left, right);
      if (hides(other.from) || hides(other.to)) found.push(`arc ${k} crosses label ${i}`);
      const apart = Math.max(arc.from, arc.to) < Math.min(other.from, other.to);
      const apart2 = Math.max(other.from, other.to) < Math.min(arc.from, arc.to);
      if (arc.level === other.level && !apart && !apart2) found.push(`arcs ${i} and ${k} are on one level`);
    });
  });
  return found;
}

/** @param {readonly number[]} widths @param {readonly number[]} middle */
const overlapping = (widths, middle) =>
  widths.slice(1).filter((width, i) => {
    const [a = 0, b = 0] = [middle[i], middle[i + 1]];
    return Math.abs(b - a) < (width + (widths[i] ?? 0)) / 2;
  }).length;

test("no label is crossed or off its arc, and no words overlap, in trees of 2 to 120 words", () => {
  const random = randomly(1);
  for (const words of [2, 3, 8, 18, 30, 60, 120])
    for (const crossing of [0, 0.1, 0.5])
      for (let n = 0; n < 10; n++) {
        const widths = Array.from({ length: words }, () => 14 + Math.floor(random() * 90));
        const arcs = randomArcs(words, crossing, random);
        const { above, middle, width } = layOut({ widths, above: arcs });
        assert.deepEqual(faults(arcs, above), [], `${words} words, ${crossing} crossing, tree ${n}`);
        assert.equal(overlapping(widths, middle), 0);
        assert.ok(middle.every((x, i) => x - (widths[i] ?? 0) / 2 >= 0 && x + (widths[i] ?? 0) / 2 <= width));
      }
});

test("two trees at once, one of them before a change, and arcs on both sides of the words", () => {
  const random = randomly(2);
  for (let n = 0; n < 20; n++) {
    const widths = Array.from({ length: 25 }, () => 14 + Math.floor(random() * 60));
    const [above, below] = [0, 1].map(() => [...randomArcs(25, 0.2, random), ...randomArcs(25, 0.2, random)]);
    const layout = layOut({ widths, above: above ?? [], below });
    assert.deepEqual(faults(above ?? [], layout.above), []);
    assert.deepEqual(faults(below ?? [], layout.below), []);
  }
});

test("from right to left is the mirror image", () => {
  const random = randomly(3);
  const widths = Array.from({ length: 20 }, () => 40);
  const above = randomArcs(20, 0.2, random);
  const [plain, mirrored] = [false, true].map((mirror) => layOut({ widths, above, mirrored: mirror }));
  assert.ok(plain && mirrored);
  assert.ok((mirrored.middle[0] ?? 0) > (mirrored.middle[19] ?? 0));
  mirrored.middle.forEach((x, i) => assert.ok(Math.abs(x - (mirrored.width - (plain.middle[i] ?? 0))) < 1e-9));
  assert.deepEqual(faults(above, mirrored.above), []);
});

test("an arc is above those inside of it, and a chain needs one level", () => {
  const chain = [1, 2, 3, 4].map((word) => ({ word, head: word - 1, label: 20 }));
  const widths = [30, 30, 30, 30, 30];
  assert.equal(levelsOf(layOut({ widths, above: chain }).above), 1);
  const nested = [1, 2, 3, 4].map((word) => ({ word, head: 0, label: 20 }));
  assert.deepEqual(layOut({ widths, above: nested }).above.map((arc) => arc.level), [1, 2, 3, 4]); // prettier-ignore
  assert.deepEqual(layOut({ widths: [30], above: [] }).above, []);
});

test("the label of a long arc stays near its dependent", () => {
  const widths = Array.from({ length: 60 }, () => 60);
  const long = [
    { word: 59, head: 0, label: 40 },
    { word: 0, head: 58, label: 40 },
  ];
  const { above } = layOut({ widths, above: long });
  for (const arc of above) assert.ok(Math.abs(arc.at - arc.to) <= 320);
});
