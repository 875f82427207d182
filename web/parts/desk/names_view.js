/** Names, and labels of words: the sentence, what the model says of it, and what was decided. */
import { html } from "htm/preact";
import { NamesWork } from "../../src/names_work.js";
import { Icon } from "./icon.js";
import { LabelBar } from "./label_bar.js";
import { Neighbours } from "./neighbours.js";
import { Notice } from "./notices.js";
import { Slot } from "./popover.js";
import { Side } from "./side.js";
import { SpanSentence } from "./span_sentence.js";
import { Dock, Why } from "./queue_frame.js";

/** @typedef {import("../../src/work.js").Work} Work */

const Blind = () =>
  html`<p class="line-up blind-line"><span class="blind-mark"><${Icon} name="blind" /> Blind item</span>
    <span class="small muted">it measures the model; nothing is suggested, or revealed afterwards</span></p>`;

/** Nothing is left in this order. @param {{ work: Work }} props */
export const Empty = ({ work }) =>
  work.loaded.value &&
  html`<${Notice} kind="good" sign="tick"><b>Nothing left in this order.</b> Take another order, or${" "}
    <a href="#dashboard">see what was reached</a>.<//>`;

/** @param {{ work: Work }} props */
function Sentence({ work }) {
  const item = work.item.value;
  const names = work.part(NamesWork);
  if (!item) return html`<${Empty} work=${work} />`;
  return html`<${Neighbours} work=${work} list=${item.before} before />
    <section class=${item.blind ? "card blind" : "card"} key=${item.sentence} aria-label=${`Sentence ${item.sentence}`}>
      <h2 class="hidden">Sentence ${item.sentence}</h2>
      ${item.blind && html`<${Blind} />`}
      ${
        work.visiting.value &&
        html`<p class="line-up blind-line">
          <span class="small muted">Looked up: decide again with your changes, or</span>
          <button type="button" class="btn" onClick=${() => work.leave()}>go back to the queue</button></p>`
      }
      <${SpanSentence} work=${work} />
      <${Slot} names=${names} />
    </section>
    <${Neighbours} work=${work} list=${item.after} />`;
}

/** @param {{ work: Work }} props */
export const NamesView = ({ work }) =>
  html`<main class="work" id="work">
      <div class="desk">
        <h1 class="hidden">${work.about.value?.task === "ner" ? "Names" : "Labels"}</h1>
        <${Why} work=${work} />
        <${Sentence} work=${work} />
      </div>
      <${Side} work=${work} />
    </main>
    <${Dock} work=${work}><${LabelBar} work=${work} /><//>`;
