/** What labels spell: chunks, by B-, I- and the like, or a name for each word. */

/** @typedef {{ from: number, to: number, type: string }} Span */

const spelled = /^([BIESLUM])-(.+)$/;

/** @param {string} label */
export const typeOf = (label) => spelled.exec(label)?.[2] ?? label;

/** @param {readonly string[]} labels  whether all of them spell chunks */
export const spellChunks = (labels) =>
  labels.some((label) => spelled.test(label)) && labels.every((label) => label === "O" || spelled.test(label));

/** The types of chunks, or the labels themselves, in their order. @param {readonly string[]} labels */
export const typesOf = (labels) => [...new Set(labels.filter((label) => label !== "O").map(typeOf))];

/** The chunks that labels spell, by any of the usual schemes. @param {readonly string[]} labels @returns {Span[]} */
export function spansOf(labels) {
  /** @type {Span[]} */
  const spans = [];
  /** @type {Span | undefined} */
  let open;
  labels.forEach((label, i) => {
    const [, prefix = "", type = ""] = spelled.exec(label) ?? [];
    if (!prefix) open = undefined;
    else if (!open || "BSU".includes(prefix) || open.type !== type) spans.push((open = { from: i, to: i + 1, type }));
    else open.to = i + 1;
    if ("ESLU".includes(prefix)) open = undefined;
  });
  return spans;
}

const colours = 20;
const calm = 8; // the others are deep: they are drawn with a light ground and a strong edge

/** The classes of a label's colours. @param {readonly string[]} labels @param {string | null} type */
export function colourOf(labels, type) {
  if (type === null) return "none";
  const number = Math.max(0, labels.indexOf(type)) % colours;
  return number < calm ? `l${number + 1}` : `l${number + 1} deep`;
}
