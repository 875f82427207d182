/** What the chosen word may depend on: the likeliest heads with their probability, and choosing any other. */
import { html } from "htm/preact";
import { chance } from "../numbers.js";
import { KeyButton } from "./key_button.js";

/** @typedef {import("./trees_view.js").TreeProps} TreeProps */

/** A bar as long as a probability. @param {{ p: number }} props */
const Meter = ({ p }) =>
  html`<svg class="meter" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="rail" width="100" height="10" rx="2" /><rect class="val" width=${100 * p} height="10" rx="2" />
  </svg>`;

/** @param {TreeProps & { head: number, p: number | null, now: boolean }} props */
function OneHead({ trees, head, p, now }) {
  const word = trees.chosen.value;
  const name = head < 0 ? "root" : trees.words.value[head];
  const relation = head < 0 ? "" : trees.relationWith({ word, head, relation: null });
  return html`<li role="none">
    <button type="button" role="radio" aria-checked=${now} onClick=${() => trees.giveHead(head)}>
      <kbd>${head + 1}</kbd>
      <span class="txt"><b dir="auto">${name}</b> <span class="muted">${relation}</span></span>
      ${p === null ? html`<span></span>` : html`<${Meter} p=${p} />`}
      <span class="num">${p === null ? "yours" : chance(p)}</span>
    </button>
  </li>`;
}

const nothing = "Choose a word: click it, or press n for the next doubtful one.";

/** @param {TreeProps} props */
export function HeadPanel({ work, trees }) {
  const word = trees.chosen.value;
  const name = trees.words.value[word];
  if (name === undefined)
    return html`<section class="card" aria-label="Head"><h2>Head</h2><p class="muted">${nothing}</p></section>`;
  const now = trees.arc().head;
  const has = trees.tree.value.heads[word] !== null || trees.proposal.value !== null;
  const heads = trees.heads(word);
  return html`<section class="card" aria-label=${`Head of ${name}`}>
    <h2>
      <span>Head of “<bdi>${name}</bdi>”</span>
      <${KeyButton} work=${work} id="head" style="small-btn" label="Choose" pressed=${trees.choosing.value} />
    </h2>
    <p class="hint small" role="status">
      ${trees.choosing.value && html`Type its number (0 is the root), or press it. <b>${trees.typed.value}</b>`}
    </p>
    <ul class="alts" role="radiogroup" aria-label=${`Head of ${name}`}>
      ${heads.map(
        ({ head, probability }) => html`<${OneHead} key=${head} work=${work} trees=${trees} head=${head}
        p=${probability} now=${has && head === now} />`,
      )}
    </ul>
  </section>`;
}
