/** What the model says of the chosen words, what the same words are called nearby, and what can be done to them. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { colourOf } from "../../src/labels.js";
import { alternatives } from "../../src/marks.js";
import { chance } from "../numbers.js";
import { KeyButton } from "./key_button.js";
import { TypeLabel } from "./type_label.js";

/** @typedef {import("../../src/names_work.js").NamesWork} NamesWork */
/** @typedef {import("../../src/names_work.js").Target} Target */

const most = 5; // alternatives that are listed

/** The key that gives a label. @param {number} number */
export const labelKey = (number) => {
  const digit = String((number + 1) % 10);
  return number < 10 ? digit : number < 20 ? `⇧${digit}` : number < 30 ? `⇧⌥${digit}` : "t";
};

/** @param {{ names: NamesWork, target: Target, type: string | null, probability: number }} props */
function Alternative({ names, target, type, probability }) {
  const { labels } = names.kind.value;
  const checked = target.type === type && !target.selected;
  const colour = colourOf(labels, type);
  return html`<li class=${colour} role="none">
    <button type="button" role="radio" aria-checked=${checked} tabindex=${checked ? 0 : -1}
      onClick=${() => names.put(type)}>
      <kbd>${type === null ? "d" : labelKey(labels.indexOf(type))}</kbd>
      <span class=${`chip ${colour}`}>${type ?? "no name"}</span>
      <svg class="meter" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="rail" width="100" height="10" rx="2" />
        <rect class="val" width=${Math.max(1, 100 * probability)} height="10" rx="2" />
      </svg>
      <span class="num">${chance(probability)}</span>
    </button>
  </li>`;
}

/** The arrows move between alternatives, as between radio buttons. @param {KeyboardEvent} event */
function moveInList(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const buttons = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button")];
  const at = buttons.indexOf(/** @type {any} */ (event.target));
  if (!by || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  buttons[(at + by + buttons.length) % buttons.length]?.focus();
}

/** @param {{ names: NamesWork, target: Target, text: string }} props */
function Alternatives({ names, target, text }) {
  const item = names.work.item.value;
  const all = item?.answer ? alternatives(item, target.from, target.to, names.kind.value) : [];
  const isTaken = (/** @type {string | null} */ type) => type === target.type && !target.selected;
  // The number of what is taken is that of the sentence: the others are told word by word, without what is around them.
  const list = all
    .map(({ type, probability }) => ({ type, probability: (isTaken(type) && target.mark?.probability) || probability }))
    .filter(({ type }, i) => i < most || isTaken(type));
  if (list.length === 0)
    return html`<p class="muted small">${
      item?.blind ? "A blind sentence: nothing is suggested. " : "Nothing is known of these words yet. "
    }A digit labels ${target.to - target.from === 1 ? "the word" : "them"}; <kbd>t</kbd> takes a label by name.</p>`;
  return html`<ul class="alts" role="radiogroup" aria-label=${`Label of ${text}`} onKeyDown=${moveInList}>
    ${list.map((one) => html`<${Alternative} key=${one.type} names=${names} target=${target} ...${one} />`)}
  </ul>`;
}

const sources = /** @type {Record<string, string>} */ ({
  yours: "decided by you",
  corpus: "in the corpus",
  model: "by the model",
});

/** @param {{ names: NamesWork, target: Target }} props */
function Nearby({ names, target }) {
  const { labels } = names.kind.value;
  const list = (names.work.item.value?.nearby ?? []).filter(
    (/** @type {any} */ { word }) => target.from <= word && word < target.to,
  );
  if (list.length === 0) return null;
  return html`<div class="facts">
    <h3>Same word nearby</h3>
    <ul>
      ${list.slice(0, 3).map(
        (/** @type {any} */ { sentence, before, text, after, type, source }) =>
          html`<li key=${sentence} dir="auto">… ${before} <b>${text}</b> ${after} …<br />
            <span class=${`chip ${colourOf(labels, type)}`}>${type ?? "no name"}</span> ${sources[source]}</li>`,
      )}
    </ul>
  </div>`;
}

const edits = ["start", "end", "split", "merge", "delete"];

/**
 * Puts the caret of the popover under a word; without one where other lines are between them, at whose words it would
 * point.
 * @param {HTMLElement} pop @param {number} word
 */
function placeCaret(pop, word) {
  const above = document.querySelector(`.sentence [data-word="${word}"]`)?.getBoundingClientRect();
  const here = pop.getBoundingClientRect();
  if (!above) return;
  const at = Math.max(12, Math.min(here.width - 32, (above.left + above.right) / 2 - here.left - 7));
  pop.style.setProperty("--at", `${at}px`);
  pop.classList.toggle("far", here.top - above.bottom > 2.5 * above.height);
}

/** The caret is under the target, when the sentence has been drawn anew. @param {Target} target @param {any} draft */
function usePlace({ from, to }, draft) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => box.current && placeCaret(box.current, from));
    return () => cancelAnimationFrame(frame);
  }, [from, to, draft]);
  return box;
}

/** @param {{ names: NamesWork, target: Target }} props */
function Open({ names, target }) {
  const { work } = names;
  const box = usePlace(target, work.draft.value);
  const text = names.textOf(target.from, target.to);
  const chosen = typeof target.mark?.type === "string" && names.spelled.value;
  const said = target.selected ? "selected, no label yet" : work.item.value?.answer ? "how probable each is" : "";
  return html`<div class="pop" role="group" aria-label=${`${text}: alternatives`} ref=${box}>
    <div>
      <h3><span dir="auto">“${text}”</span> <small>${said}</small></h3>
      ${
        names.typing.value
          ? html`<${TypeLabel} names=${names} />`
          : html`<${Alternatives} names=${names} target=${target} text=${text} />`
      }
    </div>
    <${Nearby} names=${names} target=${target} />
    <div class="edits" role="toolbar" aria-label="Change the span">
      ${chosen && edits.map((id) => html`<${KeyButton} key=${id} work=${work} id=${id} style="quiet" />`)}
      <${KeyButton} work=${work} id="type" style="quiet" />
      <${KeyButton} work=${work} id="next" style="quiet" />
      <${KeyButton} work=${work} id="close" style="quiet" />
    </div>
  </div>`;
}

/** Room for the popover, which is there without one, so that nothing jumps. @param {{ names: NamesWork }} props */
export function Slot({ names }) {
  const target = names.target.value;
  const shown = target && (names.open.value || names.typing.value);
  return html`<div class="slot">
    ${
      shown
        ? html`<${Open} names=${names} target=${target} />`
        : html`<p class="muted small hint">Choose words by arrows, or draw over them; a digit labels them.${" "}
            <kbd>Enter</kbd> shows what the model thinks of them.</p>`
    }
  </div>`;
}
