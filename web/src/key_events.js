/**
 * Keys as the browser tells of them. A key is named by what it types, so that every layout has its own; digits, and
 * keys whose letter is of another script, are named by their place. So `[` and `]` are typed where a layout has them,
 * and are the two keys to the right of `p` where it does not.
 */

/** The ten digits in the order of their keys. */
export const digits = [..."1234567890"];

const places = /** @type {Record<string, string>} */ ({ BracketLeft: "[", BracketRight: "]" });

/** What is typed or, if that is no Latin letter, what its place is called. @param {KeyboardEvent} event */
function baseOf(event) {
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1];
  const place = /^Key([A-Z])$/.exec(event.code)?.[1] ?? places[event.code];
  const isLatin = /^[\x20-\x7e]$|^[A-Z][A-Za-z0-9]+$/.test(event.key) && !/^[{}+*]$/.test(event.key);
  return digit ?? (isLatin || !place ? event.key : place);
}

/** The name of a key, with what is held: "ctrl+shift+z". @param {KeyboardEvent} event */
export function nameOf(event) {
  if (event.getModifierState("AltGraph")) return event.key.toLowerCase();
  const ctrl = event.ctrlKey || event.metaKey ? "ctrl+" : "";
  return `${ctrl}${event.shiftKey ? "shift+" : ""}${event.altKey ? "alt+" : ""}${baseOf(event).toLowerCase()}`;
}

/** Whether the element that has the focus needs the key itself. @param {KeyboardEvent} event @param {string} name */
export function isTaken(event, name) {
  const at = event.target instanceof Element ? event.target : document.body;
  if (event.isComposing || event.defaultPrevented) return true;
  if (at.closest("input:not([type=checkbox], [type=radio]), select, textarea"))
    return name !== "escape" && name !== "ctrl+s";
  return (name === " " || name === "enter") && at.closest("button, a, input, summary") !== null;
}
