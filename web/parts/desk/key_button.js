/** A button for a row of the table of keys: its name, its key, what it does. */
import { html } from "htm/preact";
import { keyOf } from "../../src/desk_keys.js";

/**
 * @param {{ work: import("../../src/work.js").Work, id: string, style?: string, label?: string, off?: boolean,
 *   pressed?: boolean }} props
 */
export function KeyButton({ work, id, style = "", label, off, pressed }) {
  const key = keyOf(id, work.view.value);
  if (!key) return null;
  return html`<button type="button" class=${`btn ${style}`} aria-keyshortcuts=${shortcut(key.keys[0] ?? "")}
    aria-disabled=${off ? "true" : undefined} aria-pressed=${pressed}
    onClick=${() => !off && key.run(work, key.keys[0] ?? "")}>${label ?? key.label} <kbd>${key.shown}</kbd></button>`;
}

const names = /** @type {Record<string, string>} */ ({ " ": "Space", ctrl: "Control" });

/** The name of a key as assistive technology expects it. @param {string} key */
const shortcut = (key) =>
  key === " "
    ? "Space"
    : key
        .split("+")
        .map((part) => names[part] ?? part.charAt(0).toUpperCase() + part.slice(1))
        .join("+");
