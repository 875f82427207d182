/** The suspect on the desk: why it is there, how probable an error is, what is given and proposed, and the answers. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { readArc, writeArc } from "../src/arcs.js";
import { spellChunks, typesOf } from "../src/labels.js";
import { decidedChanges, leavesGiven } from "../src/suspects.js";
import { OneTree, TwoSentences } from "./comparison.js";
import { percent } from "./numbers.js";
import { OwnAnswer } from "./own_answer.js";

/** @typedef {import("../src/store.js").Store} Store */
/** @typedef {import("../src/suspects.js").Suspect} Suspect */
/** @typedef {{ store: Store, suspect: Suspect }} CardProps */

/** @param {{ suspect: Suspect }} props */
export const Why = ({ suspect }) =>
  html`<p class="why" aria-live="polite">
    <svg class="line" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="7.5" />
      <path d="M7.8 7.9a2.3 2.3 0 1 1 3.4 2c-.8.5-1.2.9-1.2 1.8M10 14.2v.1" />
    </svg>
    <span><b>Why this one:</b> ${suspect.why}</span>
  </p>`;

/** What is decided, in words. @param {string} decision */
const says = (decision) =>
  ({ "": "", "+": "Accepted.", "-": "Kept as given.", "-!": "Right as it is, and not asked again." })[decision] ??
  `Your answer: ${decision}.`;

/** @param {CardProps} props */
function Verdict({ store, suspect }) {
  const what = store.page.trees ? (suspect.layer === "relation" ? "relation" : "head") : "label";
  const decided = says(store.decision(suspect.row));
  const many = suspect.changes.length > 1;
  return html`<div class="chance">
    <p class="big">${percent(suspect.error)}</p>
    <p>
      chance that ${many ? `something in the given ${store.page.level} is` : `the given ${what} is`} wrong.${" "}
      ${
        decided
          ? html`<b class="decided">✓ ${decided}</b>`
          : html`<span class="muted">Suspect ${suspect.row + 1} of ${store.suspects.length}.</span>`
      }
    </p>
  </div>`;
}

/** @param {CardProps} props */
function Answers({ store, suspect }) {
  const decision = store.decision(suspect.row);
  return html`<div class="answers" role="toolbar" aria-label="Decide">
    <button class=${store.own.value ? "btn" : "btn main"} aria-keyshortcuts="a"
      aria-pressed=${decision === "+"} aria-disabled=${!suspect.differs}
      onClick=${() => store.accept()}>Accept proposed <kbd>a</kbd></button>
    <button class="btn" aria-keyshortcuts="x" aria-pressed=${decision === "-"}
      onClick=${() => store.keepGiven()}
      >Keep given <kbd>x</kbd></button>
    <button class="btn" aria-keyshortcuts="e" aria-expanded=${store.own.value !== null}
      onClick=${() => store.openOwn()}>
      Own answer <kbd>e</kbd></button>
    <button class="btn" aria-keyshortcuts="r" aria-pressed=${decision === "-!"} onClick=${() => store.keepGiven(true)}
      >Right as it is, do not ask again <kbd>r</kbd></button>
  </div>`;
}

/** What stands beside the given: an own answer, made or in the making, else what is proposed. @param {CardProps} of */
function shown({ store, suspect }) {
  const draft = store.own.value;
  const decision = store.decision(suspect.row);
  if (draft) return { own: true, changes: decidedChanges(suspect, draft.join(" ")) };
  const own = decision !== "" && decision !== "+" && !leavesGiven(decision);
  return { own, changes: decidedChanges(suspect, own ? decision : "+") };
}

/** @param {CardProps} props */
export function Card(props) {
  const { store, suspect } = props;
  const { labels, trees, relations } = store.page;
  const draft = store.own.value;
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const first = useRef(true);
  useLayoutEffect(() => {
    if (!first.current && draft === null) card.current?.focus();
    first.current = false;
  }, [suspect.row, draft === null]);
  const k = Math.max(store.word.value, 0);
  const pick = (/** @type {number} */ word) =>
    draft && (store.own.value = draft.with(k, writeArc({ ...readArc(draft[k] ?? ""), head: word + 1 }, relations)));
  const view = { suspect, ...shown(props), types: typesOf(labels), chunks: spellChunks(labels) };
  const name = `Suspect ${suspect.row + 1}: ${suspect.text}`;
  return html`<section class="card" tabindex="-1" ref=${card} aria-label=${name}>
    <h2 class="hidden">${name}</h2>
    <${Verdict} ...${props} />
    ${
      trees
        ? html`<${OneTree} ...${view} picked=${draft ? suspect.from + k : -1} pick=${draft ? pick : undefined} />`
        : html`<${TwoSentences} ...${view} />`
    }
    ${draft && html`<${OwnAnswer} key=${suspect.row} store=${store} suspect=${suspect} draft=${draft} />`}
    ${store.alert.value && html`<div class="notice bad" role="alert"><p>${store.alert.value}</p></div>`}
    <${Answers} ...${props} />
  </section>`;
}
