/** The keys of the view of names. */
import { digits } from "./key_events.js";
import { NamesWork } from "./names_work.js";

/** @typedef {import("./work.js").Work} Work */

const numberOf = (/** @type {string} */ name) => digits.indexOf(name.at(-1) ?? "");
const on =
  (/** @type {(names: NamesWork, name: string) => void} */ act) =>
  (/** @type {Work} */ work, /** @type {string} */ name) =>
    act(work.part(NamesWork), name);

/** @param {NamesWork} names */
function type(names) {
  if (names.cursor.value < 0) names.go(0, true);
  names.typing.value = true;
}

/** @param {Work} work */
function close(work) {
  if (work.panel.value) work.panel.value = "";
  else if (!work.part(NamesWork).close()) work.leave();
}

const shifted = digits.map((digit) => `shift+${digit}`);
const shiftedAlt = digits.map((digit) => `shift+alt+${digit}`);
const extend = ["shift+arrowright", "shift+arrowleft"];
const startIn = ["shift+[", "{", "ctrl+shift+arrowright"];
const endIn = ["shift+]", "}", "ctrl+arrowleft"];
const views = ["names"];

/** @type {import("./desk_keys.js").KeyGroup[]} */
export const namesKeys = [
  {
    group: "Everywhere",
    views,
    rows: [["reject", ["x"], "x", "Reject", "reject: the span, or all", on((n) => n.reject())]],
  },
  {
    group: "Move",
    views,
    rows: [
      ["close", ["escape"], "Esc", "Close", "close, choose nothing", close],
      ["left", ["arrowleft"], "←", "Left", "word to the left", on((n) => n.move(-1))],
      ["right", ["arrowright"], "→", "Right", "word to the right", on((n) => n.move(1))],
      ["up", ["arrowup"], "↑", "Up", "line above", on((n) => n.line(-1))],
      ["down", ["arrowdown"], "↓", "Down", "line below", on((n) => n.line(1))],
      ["next", ["n"], "n", "Next doubtful", "next doubtful", on((n) => n.doubt(1))],
      ["previous", ["p"], "p", "Previous doubtful", "previous doubtful", on((n) => n.doubt(-1))],
    ],
  },
  {
    group: "Spans",
    views,
    rows: [
      ["open", ["enter"], "Enter", "Open", "open the span: alternatives", on((n) => (n.open.value = true))],
      ["label", digits, "1 … 0", "Label", "label 1 to 10", on((n, name) => n.label(numberOf(name)))],
      ["label-2", shifted, "Shift 1", "Label", "label 11 to 20", on((n, name) => n.label(10 + numberOf(name)))],
      ["label-3", shiftedAlt, "Shift Alt 1", "Label", "label 21 to 30", on((n, name) => n.label(20 + numberOf(name)))],
      ["type", ["t"], "t", "Type", "label by typing", on(type)],
      [
        "extend",
        extend,
        "Shift →",
        "Extend",
        "extend the selection",
        on((n, name) => n.extend(name === extend[0] ? 1 : -1)),
      ],
      ["start", ["[", "ctrl+shift+arrowleft"], "[", "Start", "start one word out", on((n) => n.edge("from", 1))],
      ["end", ["]", "ctrl+arrowright"], "]", "End", "end one word out", on((n) => n.edge("to", 1))],
      ["start-in", startIn, "Shift [", "Start in", "start one word in", on((n) => n.edge("from", -1))],
      ["end-in", endIn, "Shift ]", "End in", "end one word in", on((n) => n.edge("to", -1))],
      ["split", ["s"], "s", "Split", "split", on((n) => n.split())],
      ["merge", ["m"], "m", "Merge", "merge with the next", on((n) => n.merge())],
      ["delete", ["d"], "d", "Delete", "delete: no name", on((n) => n.remove())],
      [
        "accept-sure",
        ["shift+a"],
        "Shift a",
        "Accept the sure ones",
        "accept sure ones in sight",
        on((n) => n.acceptSure()),
      ],
    ],
  },
];
