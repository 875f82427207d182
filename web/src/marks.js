/**
 * What is to be seen of an answer in labels: one mark for every span, for every doubtful word that is in none, and for
 * every span that was taken away. Where every word has a label, each word is a mark.
 */
import { chance } from "../parts/numbers.js";
import { hasSpans } from "./answers.js";
import { typeOf } from "./labels.js";

/** @typedef {import("./work.js").Item} Item */
/** @typedef {import("./answers.js").Kind} Kind */
/** @typedef {import("./labels.js").Span} Span */
/**
 * @typedef {object} Mark
 * @property {number} from
 * @property {number} to
 * @property {string | null} type  null: no name, or no label yet
 * @property {number | null} probability  if it is the model's answer, or one of its alternatives
 * @property {boolean} doubtful
 * @property {boolean} own  the annotator's, not the model's
 * @property {boolean} gone  taken away
 */
/** @typedef {{ type: string | null, probability: number }} Alternative */

/**
 * The model's probability of each type for words, the likeliest first: of a word, the sum over the labels of that type;
 * of several, the least.
 * @param {Item} item @param {number} from @param {number} to @param {Kind} kind @returns {Alternative[]}
 */
export function alternatives(item, from, to, kind) {
  /** @type {{ label: string, probability: number }[][]} */
  const words = (item.answer?.alternatives ?? []).slice(from, to);
  const nameOf = (/** @type {string} */ label) => (!hasSpans(kind) ? label : label === "O" ? "" : typeOf(label));
  const sums = words.map((word) => {
    /** @type {Map<string, number>} */
    const sum = new Map();
    for (const { label, probability } of word) sum.set(nameOf(label), (sum.get(nameOf(label)) ?? 0) + probability);
    return sum;
  });
  const names = [...new Set(sums.flatMap((sum) => [...sum.keys()]))];
  return names
    .map((name) => ({ type: name || null, probability: Math.min(...sums.map((sum) => sum.get(name) ?? 0)) }))
    .filter(({ probability }) => probability >= 0.005)
    .sort((a, b) => b.probability - a.probability);
}

/** @param {Span} a @param {Span} b */
const same = (a, b) => a.from === b.from && a.to === b.to && a.type === b.type;
/** @param {{ from: number, to: number }} a @param {{ from: number, to: number }} b */
const meet = (a, b) => a.from < b.to && b.from < a.to;

/** @param {Item} item @param {Span[]} spans @param {Kind} kind @returns {Mark[]} */
function spanMarks(item, spans, kind) {
  /** @type {(Span & { confidence: number | null, doubtful: boolean })[]} */
  const proposed = item.answer?.spans ?? [];
  const drawn = spans.map((span) => {
    const model = proposed.find((other) => same(other, span));
    const other = alternatives(item, span.from, span.to, kind).find(({ type }) => type === span.type);
    const probability = model?.confidence ?? other?.probability ?? null;
    return { ...span, probability, doubtful: model?.doubtful ?? false, own: !model, gone: false };
  });
  const gone = proposed
    .filter((span) => !spans.some((other) => meet(span, other)))
    .map(({ from, to, type }) => ({ from, to, type, probability: null, doubtful: false, own: true, gone: true }));
  /** @type {Mark[]} */
  const marks = [...drawn, ...gone];
  (item.answer?.doubtful ?? []).forEach((/** @type {boolean} */ doubtful, /** @type {number} */ i) => {
    const word = { from: i, to: i + 1 };
    if (!doubtful || marks.some((mark) => meet(mark, word)) || proposed.some((span) => meet(span, word))) return;
    const probability = item.answer.confidence[i];
    marks.push({ ...word, type: null, probability, doubtful: true, own: false, gone: false });
  });
  return marks.sort((a, b) => a.from - b.from);
}

/** @param {Item} item @param {(string | null)[]} labels @returns {Mark[]} */
const wordMarks = (item, labels) =>
  labels.map((type, from) => {
    const model = item.answer?.labels[from] === type;
    const other = item.answer?.alternatives[from]?.find((/** @type {any} */ { label }) => label === type);
    return {
      from,
      to: from + 1,
      type,
      probability: model ? item.answer.confidence[from] : (other?.probability ?? null),
      doubtful: model && item.answer.doubtful[from],
      own: type !== null && !model,
      gone: false,
    };
  });

/** @param {Item} item @param {any} draft @param {Kind} kind @returns {Mark[]} */
export const marksOf = (item, draft, kind) =>
  draft.spans ? spanMarks(item, draft.spans, kind) : wordMarks(item, draft.labels ?? []);

// Scripts that put no spaces between words.
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** What is between two words. @param {string | undefined} left @param {string | undefined} right */
export const gap = (left = "", right = "") =>
  dense.test(left.at(-1) ?? "") && dense.test(right.at(0) ?? "") ? "\u200a" : " ";

/** What a mark is, to those who do not see it. @param {Mark} mark */
export function described({ type, probability, doubtful, own }) {
  const doubt = probability === null ? "doubtful" : `doubtful, ${chance(probability)}`;
  return `, ${type ?? "no name"}, ${doubtful ? doubt : own ? "decided by you" : "sure"}`;
}
