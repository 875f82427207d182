/** A label by typing the beginning of its name, or any part of it. */
import { html } from "htm/preact";
import { colourOf } from "../../src/labels.js";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

const most = 8;

/** Labels by what was typed: those that begin with it first. @param {readonly string[]} labels @param {string} typed */
export function matching(labels, typed) {
  const wanted = typed.trim().toLowerCase();
  const beginning = labels.filter((label) => label.toLowerCase().startsWith(wanted));
  const inside = labels.filter((label) => !beginning.includes(label) && label.toLowerCase().includes(wanted));
  return [...beginning, ...inside].slice(0, most);
}

/** @param {{ names: import("../../src/names_work.js").NamesWork }} props */
export function TypeLabel({ names }) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => input.current?.focus(), []); // what is typed next is its beginning
  const { labels } = names.kind.value;
  const found = matching(labels, typed);
  const take = (/** @type {string | undefined} */ label) => {
    if (!label) return;
    names.typing.value = false;
    names.put(label);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) setAt((at + by + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter" && !event.isComposing) take(found[at]);
    else return;
    event.preventDefault();
  };
  return html`<input class="pick typed-label" ref=${input} role="combobox" aria-label="Label" aria-expanded="true"
      aria-controls="labels-found" aria-activedescendant=${found[at] && `found-${at}`} autocomplete="off"
      spellcheck=${false}
      onKeyDown=${press}
      onInput=${(/** @type {any} */ event) => {
        setTyped(event.target.value);
        setAt(0);
      }} />
    <ul class="found" id="labels-found" role="listbox" aria-label="Labels">
      ${found.map(
        (label, i) =>
          html`<li key=${label} id=${`found-${i}`} role="option" aria-selected=${i === at}
            onPointerDown=${(/** @type {Event} */ event) => (event.preventDefault(), take(label))}
            ><span class=${`chip ${colourOf(labels, label)}`}>${label}</span></li>`,
      )}
    </ul>
    ${found.length === 0 && html`<p class="small muted" role="alert">There is no such label.</p>`}`;
}
