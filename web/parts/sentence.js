/** A sentence with its labels: the name stands inside the colour. */
import { html } from "htm/preact";
import { colourOf, spansOf, typeOf } from "../src/labels.js";

/** @typedef {Record<"words" | "labels" | "types", string[]> & { chunks: boolean, marked: Set<number> }} Labelled */

/** The spans to show: all chunks or, of labels for single words, those in question. @param {Labelled} of */
function shownSpans({ labels, chunks, marked }) {
  if (chunks) return spansOf(labels);
  return [...marked].sort((a, b) => a - b).map((i) => ({ from: i, to: i + 1, type: labels[i] ?? "" }));
}

/** @param {Labelled} props */
export function Sentence(props) {
  const { words, types, marked } = props;
  const spans = shownSpans(props);
  const parts = [];
  for (let i = 0; i < words.length;) {
    const span = spans.find((s) => s.from === i);
    const to = span ? span.to : i + 1;
    const text = words.slice(i, to).join(" ");
    const now = words.some((_, n) => n >= i && n < to && marked.has(n));
    if (span)
      parts.push(html`<span class=${`span ${colourOf(types, span.type)} ${now ? "now" : ""}`}
        >${text}<span class="tag" dir="ltr">${span.type}</span></span
      >`);
    else parts.push(now ? html`<span class="spot">${text}</span>` : text);
    parts.push(" ");
    i = to;
  }
  return html`<p class="quote" dir="auto">${parts}</p>`;
}

/** A label as a small sign. @param {{ types: string[], label: string }} props */
export const Chip = ({ types, label }) =>
  label === "O"
    ? html`<span class="chip none">no name</span>`
    : html`<span class=${`chip ${types.length ? colourOf(types, typeOf(label)) : "plain"}`} dir="ltr">${label}</span>`;
