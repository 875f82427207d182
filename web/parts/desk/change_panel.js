/** What would change if the proposal were taken: every arc before and after, and the rules. */
import { html } from "htm/preact";
import { followed, nameOfSide } from "../../src/tree_drawn.js";
import { chance } from "../numbers.js";
import { Icon } from "./icon.js";
import { KeyButton } from "./key_button.js";
import { Notice } from "./notices.js";

/** @typedef {import("./trees_view.js").TreeProps} TreeProps */
/** @typedef {import("../../src/tree_edit.js").Change} Change */

const counted = (/** @type {number} */ n) => (n === 1 ? "One arc changes" : `${n} arcs change`);

/** @param {TreeProps & { change: Change }} props */
function Row({ trees, work, change }) {
  const { word, before, after, own } = change;
  const p = work.item.value?.answer?.confidence?.[word];
  const isModels = before.head !== null && before.head === trees.shown.value?.heads[word];
  return html`<tr>
    <td><bdi>${trees.words.value[word]}</bdi></td>
    <td><s><bdi>${nameOfSide(trees, before)}</bdi></s> ${isModels && p !== undefined && chance(p)}</td>
    <td><b><bdi>${nameOfSide(trees, after)}</bdi></b> ${followed(trees, change)}</td>
    <td>${own ? "yours" : "best tree with yours"}</td>
  </tr>`;
}

/** @param {{ trees: import("../../src/tree_work.js").TreeWork }} props */
function RootMoves({ trees }) {
  const moved = trees.changes.value.find(({ before, own }) => before.head === 0 && !own);
  if (!moved) return null;
  const { words } = trees;
  const to = moved.after.head ? `“${words.value[moved.after.head - 1]}”` : "another word";
  return html`<${Notice} kind="off" sign="why"><b>The root moves.</b> A tree has one root: “${words.value[moved.word]}”
    would depend on ${to}.<//>`;
}

/** @param {TreeProps} props */
function Open({ work, trees }) {
  const made = trees.proposal.value;
  const changes = trees.changes.value;
  return html`<h2>${counted(changes.length)} <span class="small muted">nothing is taken yet</span></h2>
    <div class="wide">
      <table class="change">
        <thead><tr><th>Word</th><th>Before</th><th>After</th><th>Why</th></tr></thead>
        <tbody>
          ${changes.map((change) => html`<${Row} key=${change.word} work=${work} trees=${trees} change=${change} />`)}
        </tbody>
      </table>
    </div>
    <${RootMoves} trees=${trees} />
    ${
      made?.alone
        ? html`<p class="small muted">The server is away: only this arc changes.</p>`
        : html`<ul class="rules">
            <li><${Icon} name="tick" /> ${trees.shown.value ? "one root" : "no second root"}</li>
            <li><${Icon} name="tick" /> no cycle</li>
          </ul>`
    }
    <p class="row">
      <${KeyButton} work=${work} id="take" style="main" /> <${KeyButton} work=${work} id="close" label="Drop it" />
    </p>`;
}

/** @param {TreeProps} props */
export function ChangePanel({ work, trees }) {
  const broken = trees.broken.value;
  const made = trees.proposal.value;
  return html`<section class="card changes" aria-label="What changes" aria-live="polite">
    ${
      broken
        ? html`<h2>Not possible</h2>
            <${Notice} kind="bad" sign="warning" role="alert"><b>${broken.name}</b> ${broken.text}<//>`
        : made
          ? html`<${Open} work=${work} trees=${trees} />`
          : html`<h2>Nothing changes</h2>
              <p class="muted">Give a word another head or relation: what else changes with it is shown here first.</p>`
    }
  </section>`;
}
