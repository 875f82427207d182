/** The relation of the chosen word: the likeliest first, found by typing. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { chance } from "../numbers.js";

/** @typedef {import("./trees_view.js").TreeProps} TreeProps */
/** @typedef {import("../../src/tree_edit.js").Found} Found */

/** What was typed is marked. @param {{ found: Found }} props */
const Marked = ({ found: { name, marks } }) =>
  html`<span dir="ltr"
    >${Array.from(name, (sign, i) => (marks.includes(i) ? html`<mark>${sign}</mark>` : sign))}</span
  >`;

/** Keys in the field, which has them for itself. @param {TreeProps} props */
const keysOf =
  ({ trees }) =>
  (/** @type {KeyboardEvent} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const does = /** @type {Record<string, () => void>} */ ({
      ArrowDown: () => trees.moveInRelations(1),
      ArrowUp: () => trees.moveInRelations(-1),
      Enter: () => {
        if (!trees.proposal.value) trees.giveRelation(trees.relations.value[trees.active.value]?.name);
        input.blur();
        if (trees.proposal.value) trees.take();
        else trees.type("");
      },
      Escape: () => {
        input.blur();
        trees.drop();
      },
    })[event.key];
    if (!does || event.isComposing) return;
    event.preventDefault();
    does();
  };

/** The chosen relation comes into sight in its list; the page stays where it is. @param {HTMLElement | null} list */
function bringIntoList(list) {
  const option = /** @type {HTMLElement | null | undefined} */ (list?.querySelector("[aria-selected=true]"));
  if (!list || !option) return;
  const top = option.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + option.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top + option.offsetHeight - list.clientHeight;
}

/** @param {TreeProps & { found: Found, index: number, now: boolean }} props */
const Option = ({ trees, found, index, now }) =>
  html`<li role="option" id=${`relation-${index}`} aria-selected=${now}
    onPointerDown=${(/** @type {Event} */ event) => event.preventDefault()}
    onClick=${() => trees.takeRelation(found.name)}>
    <span>${index < 9 && !trees.filter.value ? html`<kbd>${index + 1}</kbd>` : html`<span class="no-key"></span>`}
      <${Marked} found=${found} /></span>
    <span class="num muted">${found.probability === null ? "" : chance(found.probability)}</span>
  </li>`;

/** @param {TreeProps} props */
export function RelationPanel({ work, trees }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const wants = trees.wants.value;
  const has = trees.chosen.value >= 0;
  const found = trees.relations.value;
  const filtered = trees.filter.value.trim() !== "";
  const { word, head } = trees.arc();
  const now = trees.proposal.value?.after.relations[word] ?? (head >= -1 ? trees.tree.value.relations[word] : null);
  useLayoutEffect(() => {
    if (wants > 0 && has) input.current?.focus();
  }, [wants]);
  useLayoutEffect(() => bringIntoList(list.current), [now]);
  if (!trees.hasRelations()) return null;
  return html`<section class="card" aria-label="Relation">
    <h2><label for="relation">Relation</label> <kbd>t</kbd></h2>
    <input class="typing" id="relation" ref=${input} value=${trees.filter.value} disabled=${!has} role="combobox"
      aria-expanded="true" aria-controls="relations" aria-autocomplete="list" autocomplete="off" spellcheck="false"
      aria-activedescendant=${filtered && found.length > 0 ? `relation-${trees.active.value}` : undefined}
      placeholder=${now ?? "type to find"} onKeyDown=${keysOf({ work, trees })}
      onInput=${(/** @type {any} */ event) => trees.type(event.target.value)} />
    <ul class="list" id="relations" ref=${list} role="listbox" aria-label="Relations">
      ${
        has &&
        found.map(
          (one, i) => html`<${Option} key=${one.name} work=${work} trees=${trees} found=${one} index=${i}
          now=${filtered ? i === trees.active.value : one.name === now} />`,
        )
      }
    </ul>
    ${filtered && found.length === 0 && html`<p class="muted small">No relation has these letters.</p>`}
  </section>`;
}
