/** The page of `vouch review --as html`: decide about suspects, and save the table for `vouch review --apply`. */
import { signal } from "@preact/signals";
import { html, render } from "htm/preact";
import "../style/work.css";
import "../style/review.css";
import "../style/tree.css";
import { SameError } from "../parts/alike.js";
import { Card, Why } from "../parts/card.js";
import { AllKeys, AllSuspects, Dock, Head } from "../parts/frame.js";
import { Side } from "../parts/side.js";
import { keyListener } from "./keys.js";
import { download, Store } from "./store.js";

/** Hands the table to the browser as a file. @param {Store} store */
function saveTable(store) {
  download(new Blob([store.text()], { type: "text/tab-separated-values" }), store.page.name);
  store.state.value = "saved";
}

/** @param {Store} store */
function openDesk(store) {
  const keysShown = signal(false);
  return {
    store,
    keysShown,
    save: () => saveTable(store),
    help: () => (keysShown.value = !keysShown.value),
    close: () => {
      if (keysShown.value) keysShown.value = false;
      else store.own.value = null;
    },
  };
}

/** @param {{ desk: ReturnType<typeof openDesk> }} props */
function Review({ desk }) {
  const { store } = desk;
  const suspect = store.suspect.value;
  return html`<div class="app">
    <${Head} store=${store} help=${desk.help} />
    <main class=${`work ${store.page.trees ? "one" : ""}`}>
      <div class="desk">
        ${desk.keysShown.value && html`<${AllKeys} close=${desk.close} />`}
        ${
          suspect
            ? html`<${Why} suspect=${suspect} />
              <${Card} store=${store} suspect=${suspect} />
              <${SameError} store=${store} suspect=${suspect} />`
            : html`<p>Nothing is listed.</p>`
        }
        <${AllSuspects} store=${store} />
      </div>
      <${Side} store=${store} />
    </main>
    <${Dock} store=${store} save=${desk.save} />
  </div>`;
}

const desk = openDesk(new Store(JSON.parse(document.getElementById("review")?.textContent ?? "{}")));
document.body.className = "at-work";
const list = document.querySelector("main.document"); // to be read
list?.replaceWith(...list.querySelectorAll(":scope > :is(style, script)"));
const root = document.body.appendChild(document.createElement("div"));
render(html`<${Review} desk=${desk} />`, root);
document.addEventListener("keydown", keyListener(desk));
