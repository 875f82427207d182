/**
 * Where the words, arcs and labels of a tree are drawn. Pure: it is given widths and returns places.
 *
 * Words stand in a line, arcs above or below them, each with a leg at its head and one at its dependent. Labels lie on
 * the arcs, so a label may only be hidden by the leg of a higher arc that crosses its own. The layout makes that
 * impossible: it finds a stretch of the arc between such legs, and moves words apart until the label fits there. Moving
 * apart never makes a stretch shorter, so one pass over the arcs, the short ones first, is enough. Arcs may cross, and
 * several may have the same dependent (before and after a change). O(A^2) for A arcs.
 */

/** @typedef {{ word: number, head: number, label: number }} ArcToPlace  from 0; the head is not the root; label: px */
/** @typedef {{ low: number, high: number, level: number, ends: [number, number], right: boolean }} Span */
/**
 * @typedef {object} PlacedArc
 * @property {number} level  above the words, from 1
 * @property {number} from  x of the head's leg
 * @property {number} to  x of the dependent's leg
 * @property {number} at  x of the middle of the label
 */
/** @typedef {{ middle: number[], width: number, above: PlacedArc[], below: PlacedArc[] }} Layout */
/**
 * @typedef {object} ToLayOut
 * @property {readonly number[]} widths  of the words
 * @property {readonly ArcToPlace[]} above
 * @property {readonly ArcToPlace[]} [below]
 * @property {boolean} [mirrored]  the first word is at the right
 */

const margin = 16;
const gap = 16; // between words
const step = 8; // between legs at a word
const around = 8; // on each side of a label
const afar = 320; // a label is never further from its dependent, so that one of the two is in sight

/**
 * Gives each arc a level: short ones first, none on the level of another that it overlaps, and above all that are
 * inside of it.
 * @param {readonly ArcToPlace[]} arcs @returns {Span[]} in their order
 */
function findLevels(arcs) {
  const spans = arcs.map(({ word, head }) => ({
    low: Math.min(word, head),
    high: Math.max(word, head),
    level: 0,
    ends: /** @type {[number, number]} */ ([0, 0]),
    right: word > head,
  }));
  /** @type {Span[]} */
  const placed = [];
  for (const span of [...spans].sort((a, b) => a.high - a.low - (b.high - b.low) || a.low - b.low)) {
    const over = placed.filter((other) => other.low < span.high && span.low < other.high);
    const inside = over.filter((other) => other.low >= span.low && other.high <= span.high);
    span.level = 1 + Math.max(0, ...inside.map((other) => other.level));
    while (over.some((other) => other.level === span.level)) span.level++;
    placed.push(span);
  }
  return spans;
}

/**
 * Spreads the legs at each word so that arcs which share a word do not cross: those to the left, low ones outermost,
 * then those to the right. Returns how wide the legs of each word are.
 * @param {readonly Span[]} spans @param {number} words
 */
function spreadLegs(spans, words) {
  return Array.from({ length: words }, (_, word) => {
    const left = spans.filter((span) => span.high === word).sort((a, b) => a.level - b.level);
    const right = spans.filter((span) => span.low === word).sort((a, b) => b.level - a.level);
    const most = left.length + right.length - 1;
    left.forEach((span, i) => (span.ends[1] = (i - most / 2) * step));
    right.forEach((span, i) => (span.ends[0] = (left.length + i - most / 2) * step));
    return Math.max(0, most) * step;
  });
}

/** A leg of a higher arc, as its word and its distance from the word's middle. @typedef {[number, number]} Leg */

/** The legs between which the label of an arc has to be, from left to right. @param {Span} span @param {Span[]} all */
function legsOver(span, all) {
  /** @type {Leg[]} */
  const legs = all.flatMap((other) =>
    other.level > span.level
      ? /** @type {Leg[]} */ ([[other.low, other.ends[0]], [other.high, other.ends[1]]]) // prettier-ignore
      : [],
  );
  const inside = legs.filter(([word]) => span.low < word && word < span.high);
  inside.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return /** @type {Leg[]} */ ([[span.low, span.ends[0]], ...inside, [span.high, span.ends[1]]]);
}

/**
 * The stretches of an arc between these legs: where they begin and end, and the words that can be moved apart.
 * @param {readonly Leg[]} legs @param {readonly number[]} middle
 */
function stretchesOf(legs, middle) {
  const x = legs.map(([word, end]) => (middle[word] ?? 0) + end);
  return legs.slice(1).map(([word], i) => ({
    from: x[i] ?? 0,
    to: x[i + 1] ?? 0,
    first: legs[i]?.[0] ?? 0,
    last: word,
  }));
}

/** Moves words apart, by the same for each gap, until a stretch of the arc has room for the label.
 * @param {readonly Leg[]} legs @param {number} need @param {number[]} middle */
function makeRoom(legs, need, middle) {
  const stretches = stretchesOf(legs, middle).filter(({ first, last }) => last > first);
  const widest = stretches.reduce((best, one) => (one.to - one.from > best.to - best.from ? one : best));
  const short = need - (widest.to - widest.from);
  if (short <= 0) return;
  const each = short / (widest.last - widest.first);
  for (let i = widest.first + 1; i < middle.length; i++)
    middle[i] = (middle[i] ?? 0) + each * (Math.min(i, widest.last) - widest.first);
}

/**
 * Where the label goes: as near as it can to the middle of its arc, or of the part that is not too far from the
 * dependent.
 * @param {readonly Leg[]} legs @param {number} need @param {readonly number[]} middle @param {boolean} right
 */
function labelPlace(legs, need, middle, right) {
  const stretches = stretchesOf(legs, middle);
  const [left, end] = [stretches[0]?.from ?? 0, stretches.at(-1)?.to ?? 0];
  const half = Math.min((end - left) / 2, afar);
  const wanted = right ? end - half : left + half;
  const places = stretches
    .filter(({ from, to }) => to - from >= need - 0.01)
    .map(({ from, to }) => Math.min(Math.max(wanted, from + need / 2), to - need / 2));
  return places.reduce(
    (best, at) => (Math.abs(at - wanted) < Math.abs(best - wanted) ? at : best),
    places[0] ?? wanted,
  );
}

/** @param {ToLayOut} what @returns {Layout} */
export function layOut({ widths, above, below = [], mirrored = false }) {
  const sides = [above, below].map((arcs) => ({ arcs, spans: findLevels(arcs) }));
  const legs = sides.map(({ spans }) => spreadLegs(spans, widths.length));
  const wide = widths.map((width, i) => Math.max(width, (legs[0]?.[i] ?? 0) + step, (legs[1]?.[i] ?? 0) + step));
  let x = margin;
  const middle = wide.map((width) => {
    x += width + gap;
    return x - gap - width / 2;
  });
  const labels = sides.flatMap(({ arcs, spans }) =>
    spans.map((span, i) => ({ span, legs: legsOver(span, spans), need: (arcs[i]?.label ?? 0) + 2 * around })),
  );
  for (const label of [...labels].sort((a, b) => a.span.high - a.span.low - (b.span.high - b.span.low)))
    makeRoom(label.legs, label.need, middle);
  const width = (middle.at(-1) ?? 0) + (wide.at(-1) ?? 0) / 2 + margin;
  const seen = (/** @type {number} */ at) => (mirrored ? width - at : at);
  const placed = labels.map(({ span, legs: over, need }) => {
    const ends = [(middle[span.low] ?? 0) + span.ends[0], (middle[span.high] ?? 0) + span.ends[1]].map(seen);
    const [from = 0, to = 0] = span.right ? ends : ends.reverse();
    return { level: span.level, from, to, at: seen(labelPlace(over, need, middle, span.right)) };
  });
  const count = above.length;
  return { middle: middle.map(seen), width, above: placed.slice(0, count), below: placed.slice(count) };
}

/** How many levels there are. @param {readonly PlacedArc[]} arcs */
export const levelsOf = (arcs) => Math.max(0, ...arcs.map((arc) => arc.level));
