/** The guidelines of the project: the Markdown file that the server was given. */
import { html } from "htm/preact";
import { h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { parseMarkdown } from "../../src/markdown.js";
import { ask } from "../../src/server.js";

/** @param {any} node @returns {any} */
const drawn = (node) =>
  typeof node === "string"
    ? node
    : h(
        node.tag,
        node.href ? { href: node.href, target: "_blank", rel: "noreferrer noopener" } : null,
        ...node.content.map(drawn),
      );

/** @param {{ work: import("../../src/work.js").Work }} props */
export function Guidelines({ work }) {
  const [text, setText] = useState("");
  useEffect(() => {
    ask("/v1/guidelines")
      .then((response) => response.text())
      .then(setText)
      .catch((error) => work.troubled(error));
  }, []);
  return text
    ? html`<div class="prose" dir="auto">${parseMarkdown(text).map(drawn)}</div>`
    : html`<p>There are none: <code>vouch serve --guidelines FILE.md</code> shows a Markdown file here.</p>`;
}
