/** The own answer: labels by button, digit or typing; arcs by clicking or typing the head. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { readArc, writeArc } from "../src/arcs.js";
import { colourOf, spellChunks, typeOf, typesOf } from "../src/labels.js";

/** @typedef {import("../src/store.js").Store} Store */
/** @typedef {import("../src/suspects.js").Suspect} Suspect */
/** @typedef {{ store: Store, suspect: Suspect, draft: string[] }} OwnProps */

/** The names that the digits stand for: for all words together types of chunks, else labels. @param {Store} store */
export function ownNames(store) {
  const { labels } = store.page;
  return spellChunks(labels) && store.word.value < 0 ? [...typesOf(labels), "O"] : labels;
}

/** Puts a name: for all words it is the answer, for one word a part of it. @param {Store} store @param {string} name */
export function putName(store, name) {
  const { own, word } = store;
  if (word.value < 0) store.decide([store.current.value], name);
  else own.value = (own.value ?? []).with(word.value, name);
}

/** The words of a suspect, to choose one of them, or all. @param {OwnProps} props */
function WhichWord({ store, suspect, draft }) {
  if (draft.length < 2) return null;
  const choices = [...(store.page.trees ? [] : [-1]), ...draft.keys()];
  return html`<div class="row" role="group" aria-label="Which word">
    ${choices.map(
      (k) =>
        html`<button type="button" class="btn" aria-pressed=${k === store.word.value}
          onClick=${() => (store.word.value = k)}>
          ${k < 0 ? "All words" : suspect.sentence.words[suspect.from + k]}
          ${k >= 0 && html` <small class="muted">${draft[k]}</small>`}
        </button>`,
    )}
  </div>`;
}

/** @param {OwnProps} props */
function LabelButtons({ store }) {
  const types = typesOf(store.page.labels);
  const first = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => first.current?.focus(), []);
  return html`<div class="row" role="group" aria-label="Labels">
    ${ownNames(store).map(
      (name, i) =>
        html`<button type="button" ref=${i === 0 ? first : undefined}
          class=${`lab ${name === "O" ? "none" : colourOf(types, typeOf(name))}`} onClick=${() => putName(store, name)}>
          ${i < 10 && html`<kbd>${(i + 1) % 10}</kbd>`} ${name === "O" ? "O, no name" : name}
        </button>`,
    )}
  </div>`;
}

/** @param {OwnProps} props */
function TypedLabels({ store, draft }) {
  const put = (/** @type {any} */ event) => (store.own.value = event.target.value.split(/\s+/));
  return html`<label class="typed">
    Or type ${spellChunks(store.page.labels) ? "a type, O, or a label for each word" : "a label for each word"}
    <input class="typing" list="names" value=${draft.join(" ")} onInput=${put} autocomplete="off" spellcheck="false" />
  </label>`;
}

/** @param {OwnProps} props */
function TypedArc({ store, suspect, draft }) {
  const k = Math.max(store.word.value, 0);
  const arc = readArc(draft[k] ?? "0");
  const head = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => head.current?.select(), [k]);
  const put = (/** @type {Partial<import("../src/arcs.js").Arc>} */ part) =>
    (store.own.value = draft.with(k, writeArc({ ...arc, ...part }, store.page.relations)));
  return html`<label class="typed">
      Head of “${suspect.sentence.words[suspect.from + k]}”: click a word above, or type its number, 0 for the root
      <input ref=${head} class="typing" inputmode="numeric" value=${arc.head} autocomplete="off"
        onInput=${(/** @type {any} */ event) => put({ head: Number(event.target.value) })} />
    </label>
    ${
      store.page.relations &&
      html`<label class="typed">
      Relation
      <input class="typing" list="names" value=${arc.relation} autocomplete="off" spellcheck="false"
        onInput=${(/** @type {any} */ event) => put({ relation: event.target.value.trim() })} />
    </label>`
    }`;
}

/** @param {OwnProps} props */
export function OwnAnswer(props) {
  const { store } = props;
  const take = (/** @type {Event} */ event) => {
    event.preventDefault();
    store.takeOwn();
  };
  return html`<form class="own" aria-label="Own answer" onSubmit=${take}>
    <${WhichWord} ...${props} />
    ${
      store.page.trees
        ? html`<${TypedArc} ...${props} />`
        : html`<${LabelButtons} ...${props} /><${TypedLabels} ...${props} />`
    }
    <datalist id="names">${store.page.labels.map((label) => html`<option value=${label} />`)}</datalist>
    <p class="row">
      <button class="btn main" type="submit">Take it <kbd>Enter</kbd></button>
      <button class="btn" type="button" onClick=${() => (store.own.value = null)}>Drop it <kbd>Esc</kbd></button>
    </p>
  </form>`;
}
