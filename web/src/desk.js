/**
 * The desk of vouch serve: the page on which annotators work. It draws the head bar and the view that the hash of the
 * address names; what the views share is in work.js.
 */
import { effect } from "@preact/signals";
import { html, render } from "htm/preact";
import "../style/work.css";
import "../style/desk/desk.css";
import "../style/review.css";
import "../style/desk/names.css";
import "../style/desk/trees.css";
import "../style/tree.css";
import "../style/desk/board.css";
import "../style/desk/settle.css";
import "uplot/dist/uPlot.min.css";
import { Gate } from "../parts/desk/gate.js";
import { HeadBar } from "../parts/desk/head_bar.js";
import { Panels } from "../parts/desk/panels.js";
import { Notices } from "../parts/desk/notices.js";
import { NamesView } from "../parts/desk/names_view.js";
import { ReviewView } from "../parts/desk/review_view.js";
import { TreesView } from "../parts/desk/trees_view.js";
import { DashboardView } from "../parts/desk/dashboard_view.js";
import { SettleView } from "../parts/desk/settle_view.js";
import { keyListener } from "./desk_keys.js";
import { enter, locked, trouble, who } from "./server.js";
import { Work } from "./work.js";

/** @typedef {import("./work.js").About} About */
/** @typedef {{ hash: string, name: string, when: (about: About) => boolean, View: any }} View */

/** @type {View[]} */
const views = [
  { hash: "#names", name: "Names", when: (about) => about.task === "ner", View: NamesView },
  { hash: "#names", name: "Labels", when: (about) => !about.trees && about.task !== "ner", View: NamesView },
  { hash: "#trees", name: "Trees", when: (about) => about.trees, View: TreesView },
  { hash: "#review", name: "Review", when: () => true, View: ReviewView },
  { hash: "#settle", name: "Settle", when: () => true, View: SettleView },
  { hash: "#dashboard", name: "Dashboard", when: () => true, View: DashboardView },
];

const work = new Work();

/** The views that this desk has. */
const offered = () => views.filter(({ when }) => work.about.value && when(work.about.value));

/** Where every sentence has labels already, they are to be reviewed; else the others are to be labelled. */
function firstView() {
  const about = work.about.value;
  const review = about && about.sentences > 0 && about.labelled === about.sentences;
  return offered().find(({ hash }) => hash === "#review" && review) ?? offered()[0];
}

/** Goes to the view of the address; without one, to the first. */
function follow() {
  const view = offered().find(({ hash }) => hash === location.hash) ?? firstView();
  if (!view || work.view.peek() === view.hash.slice(1)) return;
  work.view.value = view.hash.slice(1);
  work.panel.value = "";
  document.title = `${view.name} · vouch`;
}

function Desk() {
  const view = offered().find(({ hash }) => hash === `#${work.view.value}`);
  const open = work.annotator.value && view;
  return html`<a class="skip" href="#work" onClick=${toWork}>To the work</a>
    <div class="app">
      <${HeadBar} work=${work} views=${offered()} />
      <${Notices} work=${work} trouble=${trouble.value} />
      ${open ? html`<${view.View} work=${work} />` : html`<${Gate} work=${work} locked=${locked.value} look=${look} />`}
      <${Panels} work=${work} />
      <p class="hidden" role="status" aria-live="polite">${work.said.value}</p>
    </div>`;
}

/** The link to the work moves the focus, and leaves the address alone. @param {Event} event */
function toWork(event) {
  event.preventDefault();
  /** @type {HTMLElement | null} */ (document.querySelector("#work [tabindex='0'], #work button"))?.focus();
}

/**
 * Who works here: the token's person, the address's (?annotator=ada) or the one of last time; else the gate asks. The
 * address may name a sentence, too (?sentence=17).
 */
async function look() {
  const address = new URLSearchParams(location.search);
  const name = who.value || (address.get("annotator") ?? localStorage.getItem("vouch annotator"));
  const sentence = Number(address.get("sentence"));
  if (!name) return await work.look();
  await work.begin(name);
  if (sentence > 0) await work.visit(sentence);
}

window.addEventListener("hashchange", follow);
window.addEventListener("online", () => work.outbox.pump());
document.addEventListener(
  "keydown",
  keyListener(work, () => work.view.value),
);
effect(follow);
render(html`<${Desk} />`, document.body);
enter(look);
