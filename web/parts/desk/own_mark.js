/** An own answer at one place: of chunks which words and which label, of trees which head and which relation. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { hasSpans } from "../../src/answers.js";

/** @typedef {[string | number, string][]} Options */

/** @param {{ name: string, value: string | number, options: Options, set: (value: string) => void }} props */
const Pick = ({ name, value, options, set }) =>
  html`<label class="field">${name}
    <select class="pick" value=${value} onChange=${(/** @type {any} */ event) => set(event.target.value)}>
      ${options.map(([key, text]) => html`<option key=${key} value=${key}>${text}</option>`)}
    </select></label>`;

/** @param {{ settle: import("../../src/settle.js").Settle, place: import("../../src/settling.js").Place }} props */
export function OwnMark({ settle, place }) {
  const kind = settle.kind.value;
  const words = settle.item.value?.words ?? [];
  const usual = place.sides.flat()[0] ?? { from: place.from, to: place.to, head: 0, type: "" };
  const [mark, setMark] = useState({ ...usual, type: usual.type ?? "" });
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) =>
    setMark({ ...mark, [name]: name === "type" ? value : Number(value) });
  /** @type {Options} */
  const within = words.slice(place.from, place.to).map((word, i) => [place.from + i, word]);
  /** @type {Options} */
  const ends = within.map(([i, word]) => [Number(i) + 1, word]);
  /** @type {Options} */
  const heads = [
    [0, "0 root"],
    ...words.map((word, i) => /** @type {[number, string]} */ ([i + 1, `${i + 1} ${word}`])),
  ];
  /** @type {Options} */
  const types = kind.labels.map((label) => [label, label]);
  const take = () =>
    settle.choose({ side: -1, marks: mark.type ? [{ ...mark, to: Math.max(mark.to, mark.from + 1) }] : [] });
  return html`<div class="own row pad" role="group" aria-label="Own answer">
    ${hasSpans(kind) && html`<${Pick} name="From" value=${mark.from} options=${within} set=${set("from")} />`}
    ${hasSpans(kind) && html`<${Pick} name="to" value=${mark.to} options=${ends} set=${set("to")} />`}
    ${kind.trees && html`<${Pick} name="Head" value=${mark.head} options=${heads} set=${set("head")} />`}
    <${Pick} name=${kind.trees ? "Relation" : "Label"} value=${mark.type} set=${set("type")}
      options=${hasSpans(kind) ? [...types, ["", "no name"]] : types} />
    <button type="button" class="btn" onClick=${take}>Take this answer</button>
  </div>`;
}
