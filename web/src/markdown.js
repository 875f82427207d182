/**
 * The part of Markdown that guidelines are written in, as a tree: headings, paragraphs, lists, quotes, code, tables
 * without alignment, lines; emphasis, code and links in the text. HTML in it is text like any other, and links lead to
 * http, https, mailto or a place of the same page only: nothing in a file can run.
 */

/** @typedef {string | { tag: "strong" | "em" | "code" | "a", href?: string, content: Inline[] }} Inline */
/** @typedef {{ tag: string, content: (Block | Inline)[] }} Block */

const safe = /^(https?:|mailto:|#)/i;

/** What there is within a line: the first that is found counts. @type {[RegExp, (found: string[]) => Inline][]} */
const inlines = [
  [/`([^`]+)`/, ([, code = ""]) => ({ tag: "code", content: [code] })],
  [/(\*\*|__)(.+?)\1/, ([, , text = ""]) => ({ tag: "strong", content: parseInline(text) })],
  [
    /(?<![\w*])([*_])([^\s*_](?:[^*_]*[^\s*_])?)\1(?![\w*])/,
    ([, , text = ""]) => ({ tag: "em", content: parseInline(text) }),
  ],
  [
    /\[([^\]]*)\]\(([^)\s]+)\)/,
    ([, words = "", href = ""]) => (safe.test(href) ? { tag: "a", href, content: parseInline(words || href) } : words),
  ],
];

/** @param {string} text @returns {Inline[]} */
export function parseInline(text) {
  const found = inlines.flatMap(([pattern, make]) => {
    const match = pattern.exec(text);
    return match ? [{ match, make }] : [];
  });
  const [first] = found.sort((a, b) => a.match.index - b.match.index);
  if (!first) return text ? [text] : [];
  const { match, make } = first;
  const before = text.slice(0, match.index);
  return [...(before ? [before] : []), make(match), ...parseInline(text.slice(match.index + match[0].length))];
}

const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/;

/**
 * How a block begins, by its first line; the first that fits.
 * @type {[RegExp, (lines: string[], at: RegExpExecArray) => Block][]}
 */
const blocks = [
  [
    /^(?:```|~~~)/,
    (lines) => ({ tag: "pre", content: [take(lines, 1, (line) => !/^(?:```|~~~)/.test(line), 1).join("\n")] }),
  ],
  [
    /^(#{1,6})\s+(.*?)\s*#*$/,
    (lines, [, signs = "", text = ""]) => (
      lines.shift(),
      { tag: `h${Math.min(6, signs.length + 2)}`, content: parseInline(text) }
    ),
  ],
  [/^(?:-{3,}|\*{3,}|_{3,})\s*$/, (lines) => (lines.shift(), { tag: "hr", content: [] })],
  [
    /^>/,
    (lines) => ({
      tag: "blockquote",
      content: parseBlocks(take(lines, 0, (line) => line.startsWith(">")).map((line) => line.replace(/^> ?/, ""))),
    }),
  ],
  [/^\s*\|.*\|\s*$/, (lines) => table(take(lines, 0, (line) => /^\s*\|/.test(line)))],
  [item, (lines) => list(take(lines, 0, (line) => item.test(line) || /^\s{2,}\S/.test(line)))],
];

/**
 * Takes lines off as long as they belong.
 * @param {string[]} lines @param {number} skip @param {(line: string) => boolean} belongs @param {number} [after]
 */
function take(lines, skip, belongs, after = 0) {
  lines.splice(0, skip);
  const end = lines.findIndex((line) => !belongs(line));
  const taken = lines.splice(0, end < 0 ? lines.length : end);
  lines.splice(0, after);
  return taken;
}

/** @param {string[]} lines @returns {Block} */
function list(lines) {
  const depth = /** @type {any} */ (item.exec(lines[0] ?? ""))?.[1].length ?? 0;
  /** @type {string[][]} */
  const items = [];
  for (const line of lines) {
    const [, indent, text] = item.exec(line) ?? [];
    if (indent !== undefined && indent.length <= depth) items.push([text ?? ""]);
    else items.at(-1)?.push(line.replace(/^\s{1,4}/, ""));
  }
  const tag = /^\s*\d/.test(lines[0] ?? "") ? "ol" : "ul";
  return {
    tag,
    content: items.map(([first = "", ...more]) => ({
      tag: "li",
      content: [...parseInline(first), ...parseBlocks(more)],
    })),
  };
}

/** @param {string[]} lines @returns {Block} */
function table(lines) {
  const rows = lines
    .filter((line) => !/^[\s|:-]+$/.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, "")
        .split("|"),
    );
  const cell = (/** @type {number} */ row) => (/** @type {string} */ text) => ({
    tag: row === 0 ? "th" : "td",
    content: parseInline(text.trim()),
  });
  return {
    tag: "table",
    content: [{ tag: "tbody", content: rows.map((row, i) => ({ tag: "tr", content: row.map(cell(i)) })) }],
  };
}

/** @param {string[]} lines  which it takes off @returns {Block[]} */
export function parseBlocks(lines) {
  /** @type {Block[]} */
  const made = [];
  while (lines.length > 0) {
    const line = lines[0] ?? "";
    const [begins, make] = blocks.find(([pattern]) => pattern.test(line)) ?? [];
    if (begins && make) made.push(make(lines, /** @type {RegExpExecArray} */ (begins.exec(line))));
    else if (line.trim() === "") lines.shift();
    else
      made.push({
        tag: "p",
        content: parseInline(
          take(
            lines,
            0,
            (next) => next.trim() !== "" && (next === line || !blocks.some(([pattern]) => pattern.test(next))),
          ).join(" "),
        ),
      });
  }
  return made;
}

/** @param {string} text @returns {Block[]} */
export const parseMarkdown = (text) => parseBlocks(text.replace(/\r\n?/g, "\n").split("\n"));
