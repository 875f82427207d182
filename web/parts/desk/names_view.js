/** Names, and labels of words: the sentence, what the model says of it, and what was decided. */
import { html } from "htm/preact";
import { Dock } from "./dock.js";
import { Neighbours } from "./neighbours.js";
import { Why } from "./why.js";

/** @param {{ work: import("../../src/work.js").Work }} props */
export function NamesView({ work }) {
  const item = work.item.value;
  return html`<main class="work" id="work">
      <div class="desk">
        <h1 class="hidden">Names</h1>
        <${Why} work=${work} />
        ${item && html`<${Neighbours} list=${item.before} />`}
        <section class="card" aria-label="Sentence">
          <p class="sentence" dir="auto" tabindex="0">${item?.words.join(" ")}</p>
        </section>
        ${item && html`<${Neighbours} list=${item.after} />`}
      </div>
    </main>
    <${Dock} work=${work} />`;
}
