/** A comment on the sentence in sight, or on the words that are chosen, and those that there are. */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { NamesWork } from "../../src/names_work.js";
import { ask } from "../../src/server.js";

/** @param {{ work: import("../../src/work.js").Work }} props */
export function Comment({ work }) {
  const [text, setText] = useState("");
  const [before, setBefore] = useState(/** @type {any[]} */ ([]));
  const sentence = work.item.value?.sentence;
  useEffect(() => {
    ask(work.address(`/v1/decisions?limit=50&sentence=${sentence}`))
      .then((response) => response.json())
      .then(({ decisions }) => setBefore(decisions.filter((/** @type {any} */ d) => d.kind === "comment")))
      .catch((error) => work.troubled(error));
  }, [sentence]);
  const target = work.view.value === "names" ? work.part(NamesWork).target.value : null;
  const words = target && { from: target.from, to: target.to };
  const on = words ? `“${work.item.value?.words.slice(words.from, words.to).join(" ")}”` : "the sentence";
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    save();
  };
  const save = () => {
    work.comment(text, words ?? undefined);
    work.panel.value = "";
  };
  return html`<form onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), save())}>
    <ul>${before.map(({ decision, note }) => html`<li key=${decision} dir="auto">${note}</li>`)}</ul>
    <textarea class="pick" rows="3" aria-label="Comment" value=${text} dir="auto"
      onInput=${(/** @type {any} */ event) => setText(event.target.value)}
      onKeyDown=${press}></textarea>
    <div class="row"><button class="btn main">Save <kbd>Enter</kbd></button>
      <span class="small muted">on ${on}</span></div>
  </form>`;
}
