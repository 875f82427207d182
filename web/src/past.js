/** A decision in a few words, for the list of the last ones: what is different from what was shown. */

/** @typedef {import("./work.js").Past} Past */
/** @typedef {import("./labels.js").Span} Span */
/** @typedef {{ chip?: string | null, text: string, what: string }} Described  chip: a label; null: none */

const kinds = /** @type {Record<string, string>} */ ({
  skip: "skipped",
  flag: "flagged",
  reject: "rejected",
  acknowledge: "right as it is",
});

const beginning = 12;

/** @param {Span[]} before @param {Span[]} after @param {string[]} words @returns {Described[]} */
function spanChanges(before, after, words) {
  const textOf = (/** @type {Span} */ { from, to }) => words.slice(from, to).join(" ");
  const meets = (/** @type {Span} */ a) => (/** @type {Span} */ b) => a.from < b.to && b.from < a.to;
  const changes = after.flatMap((span) => {
    const same = before.find(({ from, to }) => from === span.from && to === span.to);
    if (same?.type === span.type) return [];
    if (same) return [{ chip: span.type, text: textOf(span), what: `${same.type} → ${span.type}` }];
    const what = before.some(meets(span)) ? "edge moved" : "added";
    return [{ chip: span.type, text: textOf(span), what }];
  });
  const gone = before.filter((span) => !after.some(meets(span)));
  return [...changes, ...gone.map((span) => ({ chip: null, text: textOf(span), what: "no name" }))];
}

/** @param {(string | null)[]} before @param {(string | null)[]} after @param {string[]} words @returns {Described[]} */
const labelChanges = (before, after, words) =>
  words.flatMap((text, i) => {
    const label = after[i] ?? null;
    if (label === (before[i] ?? null)) return [];
    return [{ chip: label, text, what: `${before[i] ?? "open"} → ${label ?? "open"}` }];
  });

/** @param {(number | null)[]} before @param {(number | null)[]} after @param {string[]} words @returns {Described[]} */
const headChanges = (before, after, words) =>
  words.flatMap((text, i) => {
    const head = after[i];
    if (head === before[i] || head === undefined) return [];
    return [{ text, what: `← ${head ? words[head - 1] : "root"}` }];
  });

/** @param {any} shown @param {any} answer @param {string[]} words @returns {Described[]} */
function changesOf(shown, answer, words) {
  if (answer.spans) return spanChanges(shown.spans, answer.spans, words);
  if (answer.labels) return labelChanges(shown.labels, answer.labels, words);
  const heads = headChanges(shown.heads, answer.heads, words);
  return heads.length > 0 ? heads : labelChanges(shown.relations, answer.relations, words);
}

/** @param {Past} past @returns {Described} */
export function describe({ kind, words, shown, answer }) {
  const text = words.slice(0, beginning).join(" ");
  const other = kinds[kind];
  if (other || !answer) return { text, what: other ?? "labelled" };
  const changes = shown ? changesOf(shown, answer, words) : [];
  const [first] = changes;
  if (first) return { ...first, what: changes.length > 1 ? `${first.what}, ${changes.length - 1} more` : first.what };
  const what = shown ? "accepted" : "labelled";
  const span = "spans" in answer ? answer.spans[0] : undefined;
  return span ? { chip: span.type, text: words.slice(span.from, span.to).join(" "), what } : { text, what };
}
