/** Trees: the sentence as a tree, what else the chosen word could depend on, and what would change. */
import { html } from "htm/preact";
import { useLayoutEffect } from "preact/hooks";
import { drawnArcs, nameOfWord } from "../../src/tree_drawn.js";
import { TreeWork } from "../../src/tree_work.js";
import { Tree } from "../tree.js";
import { ChangePanel } from "./change_panel.js";
import { HeadPanel } from "./head_panel.js";
import { PastRow } from "./past_row.js";
import { RelationPanel } from "./relation_panel.js";
import { Dock, Why } from "./queue_frame.js";

/** @typedef {import("../../src/work.js").Work} Work */
/** @typedef {{ work: Work, trees: TreeWork }} TreeProps */

/** The focus goes with the chosen word, unless something is being typed or another button has it. */
function followFocus() {
  const at = document.activeElement;
  if (at && at !== document.body && !at.closest(".tree")) return;
  const word = document.querySelector(".tree [tabindex='0']");
  /** @type {SVGElement | null} */ (word)?.focus({ preventScroll: true });
}

const strokes = /** @type {[string, string][]} */ ([
  ["", "sure"],
  ["doubt", "doubtful, with its probability"],
  ["unsure", "relation doubtful"],
  ["yours", "decided by you"],
  ["new", "after your change"],
  ["old", "before it"],
]);

/** The kinds of arcs that are drawn. @param {{ kinds: Set<string> }} props */
const Legend = ({ kinds }) =>
  html`<ul class="legend">
    ${strokes
      .filter(([kind]) => kinds.has(kind))
      .map(([kind, name]) => html`<li key=${kind}><span class=${`stroke ${kind}`}></span>${name}</li>`)}
  </ul>`;

/** How many words have a head, where all are the annotator's own. @param {TreeProps} props */
function Missing({ work, trees }) {
  if (trees.shown.value || !work.item.value) return null;
  const all = trees.words.value.length;
  const done = all - trees.open.value.length;
  return html`<p class="missing small" role="status">
    ${work.item.value.blind && html`<span class="blind-mark">blind: no suggestion</span> `}
    ${
      done === all
        ? `All ${all} words have a head.`
        : html`<b>${done} of ${all}</b> words done; next without: ${trees.open.value
            .slice(0, 5)
            .map((word) => `${word + 1} ${trees.words.value[word]}`)
            .join(", ")}${trees.open.value.length > 5 && " …"}`
    }
  </p>`;
}

/** @param {TreeProps} props */
function Drawing({ work, trees }) {
  const item = work.item.value;
  const chosen = trees.chosen.value;
  const above = drawnArcs(trees);
  useLayoutEffect(followFocus, [chosen, item?.sentence]);
  if (!item) return html`<section class="card pad"><p>There is nothing left in this order.</p></section>`;
  const head = trees.proposal.value?.arc.head;
  const label = `Tree of ${item.words.length} words; arrow keys go from word to word`;
  return html`<section class=${`card ${item.blind ? "blind" : ""}`} aria-label="Tree">
    <${Tree} words=${item.words} tags=${item.tags ?? undefined} above=${above} focus=${chosen} picked=${chosen}
      target=${head} pick=${(/** @type {number} */ word) => trees.press(word)} steady
      drag=${(/** @type {number} */ word, /** @type {number} */ to) => {
        trees.choose(word);
        trees.giveHead(to);
      }}
      nameOf=${(/** @type {number} */ word) => nameOfWord(trees, word)}
      dir=${trees.mirrored.value ? "rtl" : "ltr"} label=${label} />
    <div class="line-up under">
      <${Legend} kinds=${new Set(above.map(({ kind }) => kind))} />
      <${Missing} work=${work} trees=${trees} />
    </div>
  </section>`;
}

/** @param {{ work: Work }} props */
export function TreesView({ work }) {
  const trees = work.part(TreeWork);
  return html`<main class="work one" id="work">
      <div class="desk">
        <h1 class="hidden">Trees</h1>
        <${Why} work=${work} />
        <${Drawing} work=${work} trees=${trees} />
        <div class="three">
          <${HeadPanel} work=${work} trees=${trees} />
          <${RelationPanel} work=${work} trees=${trees} />
          <${ChangePanel} work=${work} trees=${trees} />
        </div>
        <${PastRow} work=${work} />
      </div>
    </main>
    <${Dock} work=${work} />`;
}
