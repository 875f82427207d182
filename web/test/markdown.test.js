// Guidelines: what is understood of Markdown, and that nothing in it can run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseInline, parseMarkdown } from "../src/markdown.js";

/** A tree as HTML, for reading. @param {any} node @returns {string} */
const shown = (node) =>
  typeof node === "string"
    ? node
    : `<${node.tag}${node.href ? ` ${node.href}` : ""}>${node.content.map(shown).join("")}</${node.tag}>`;
const html = (/** @type {string} */ text) => parseMarkdown(text).map(shown).join("\n");

test("headings, paragraphs, lists, quotes, code, tables and lines", () => {
  assert.equal(html("# Names\n\nOne\ntwo.\n\n---\n"), "<h3>Names</h3>\n<p>One two.</p>\n<hr></hr>");
  assert.equal(
    html("- a\n- b\n  - c\n\n1. x\n2. y"),
    "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>\n<ol><li>x</li><li>y</li></ol>",
  );
  assert.equal(html("> *so*\n> it is"), "<blockquote><p><em>so</em> it is</p></blockquote>");
  assert.equal(html("```\na *b*\n\nc\n```\nd"), "<pre>a *b*\n\nc</pre>\n<p>d</p>");
  assert.equal(
    html("| a | b |\n|---|---|\n| 1 | 2 |"),
    "<table><tbody><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
  );
});

test("emphasis, code and links within a line", () => {
  const line = (/** @type {string} */ text) => parseInline(text).map(shown).join("");
  assert.equal(line("**PER** is a *person*, `B-PER`"), "<strong>PER</strong> is a <em>person</em>, <code>B-PER</code>");
  assert.equal(line("[more](https://example.org/a_b_c)"), "<a https://example.org/a_b_c>more</a>");
  assert.equal(line("snake_case_name and 2 * 3 * 4"), "snake_case_name and 2 * 3 * 4");
});

test("nothing in a file can run: markup is text, and links lead to pages only", () => {
  assert.deepEqual(parseInline("<img src=x onerror=alert(1)>"), ["<img src=x onerror=alert(1)>"]);
  for (const href of ["javascript:alert`1`", "data:text/html,x", "JaVaScRiPt:x", "//example.org"])
    assert.deepEqual(parseInline(`[a](${href})`), ["a"], href);
});

test("any text ends, in elements that are known", () => {
  const signs = ["*", "_", "`", "[", "](", ")", "#", ">", "- ", "|", "\n", "word", " ", "```\n", "1. ", "**", "<b>"];
  const known = /^(h[1-6]|p|hr|ul|ol|li|blockquote|pre|table|tbody|tr|th|td|strong|em|code|a)$/;
  const tags = (/** @type {any} */ node) => (typeof node === "string" ? [] : [node.tag, ...node.content.flatMap(tags)]);
  let seed = 3;
  for (let round = 0; round < 500; round++) {
    let text = "";
    for (let i = 0; i < 30; i++) text += signs[(seed = (seed * 1103515245 + 12345) % 2147483648) % signs.length];
    for (const tag of parseMarkdown(text).flatMap(tags)) assert.match(tag, known);
  }
});
