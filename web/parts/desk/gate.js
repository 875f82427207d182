/** Before the work begins: who works here and, where tokens are needed, a token. */
import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { unlock } from "../../src/server.js";

/** @typedef {import("../../src/work.js").Work} Work */

const typed = signal("");
const type = (/** @type {any} */ event) => (typed.value = event.target.value);

/** @param {{ work: Work, name: string }} props */
function startAs({ work, name }) {
  localStorage.setItem("vouch annotator", name);
  typed.value = "";
  work.panel.value = "";
  work.begin(name);
}

/** A field that one can type in at once. @param {Record<string, unknown>} props */
function First(props) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => field.current?.focus(), []);
  return html`<input class="pick" autocomplete="off" ref=${field} onInput=${type} ...${props} />`;
}

/** The names that are known, and room for another one. @param {{ work: Work }} props */
export function WhoWorks({ work }) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (typed.value.trim()) startAs({ work, name: typed.value.trim() });
  };
  return html`<form class="card pad gate" onSubmit=${submit}>
    <h2>Who works here?</h2>
    <p class="muted">Decisions are kept under a name, so that several people can work on the same texts.</p>
    <div class="row">
      <${First} aria-label="Your name" placeholder="Your name" maxlength="60" />
      <button class="btn main">Begin</button>
    </div>
    <div class="row">
      ${(work.about.value?.annotators ?? []).map(
        ({ id, name }) =>
          html`<button key=${id} type="button" class="btn" onClick=${() => startAs({ work, name })}>${name}</button>`,
      )}
    </div>
  </form>`;
}

/** @param {{ look: () => Promise<void> }} props */
function Token({ look }) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    unlock(typed.value, look);
  };
  return html`<form class="card pad gate" onSubmit=${submit}>
    <h2>A token is needed</h2>
    <p class="muted">Whoever started the server has given one to each person.</p>
    <div class="row">
      <${First} type="password" aria-label="Token" />
      <button class="btn main">Open</button>
    </div>
  </form>`;
}

/** @param {{ work: Work, locked: boolean, look: () => Promise<void> }} props */
export const Gate = ({ work, locked, look }) =>
  html`<main class="work one" id="work">
    <h1 class="hidden">The desk</h1>
    ${locked ? html`<${Token} look=${look} />` : work.about.value && html`<${WhoWorks} work=${work} />`}
  </main>`;
