/** The keys of the view of names. */
import { NamesWork } from "./names_work.js";

/** @typedef {import("./work.js").Work} Work */
/** @typedef {import("./desk_keys.js").Key} Key */

const digits = [..."1234567890"];
const numberOf = (/** @type {string} */ name) => digits.indexOf(name.at(-1) ?? "");
const on =
  (/** @type {(names: NamesWork, name: string) => void} */ act) =>
  (/** @type {Work} */ work, /** @type {string} */ name) =>
    act(work.part(NamesWork), name);

/** @param {string} id @param {string[]} keys @param {string} shown @param {[string, string]} words @param {any} run */
const span = (id, keys, shown, [label, says], run) => ({ id, keys, shown, label, says, group: "Spans", run });

/** @type {Omit<Key, "views">[]} */
const rows = [
  {
    id: "reject",
    keys: ["x"],
    shown: "x",
    label: "Reject",
    says: "reject: the span, or all",
    group: "Everywhere",
    run: on((n) => n.reject()),
  },
  {
    id: "close",
    keys: ["escape"],
    shown: "Esc",
    label: "Close",
    says: "close, choose nothing",
    group: "Move",
    run: close,
  },
  {
    id: "left",
    keys: ["arrowleft"],
    shown: "←",
    label: "Left",
    says: "word to the left",
    group: "Move",
    run: on((n) => n.move(-1)),
  },
  {
    id: "right",
    keys: ["arrowright"],
    shown: "→",
    label: "Right",
    says: "word to the right",
    group: "Move",
    run: on((n) => n.move(1)),
  },
  {
    id: "up",
    keys: ["arrowup"],
    shown: "↑",
    label: "Up",
    says: "line above",
    group: "Move",
    run: on((n) => n.line(-1)),
  },
  {
    id: "down",
    keys: ["arrowdown"],
    shown: "↓",
    label: "Down",
    says: "line below",
    group: "Move",
    run: on((n) => n.line(1)),
  },
  {
    id: "next",
    keys: ["n"],
    shown: "n",
    label: "Next doubtful",
    says: "next doubtful",
    group: "Move",
    run: on((n) => n.doubt(1)),
  },
  {
    id: "previous",
    keys: ["p"],
    shown: "p",
    label: "Previous doubtful",
    says: "previous doubtful",
    group: "Move",
    run: on((n) => n.doubt(-1)),
  },
  span(
    "open",
    ["enter"],
    "Enter",
    ["Open", "open the span: alternatives"],
    on((n) => (n.open.value = true)),
  ),
  span(
    "label",
    digits,
    "1 … 0",
    ["Label", "label 1 to 10"],
    on((n, name) => n.label(numberOf(name))),
  ),
  span(
    "label-2",
    digits.map((d) => `shift+${d}`),
    "Shift 1",
    ["Label", "label 11 to 20"],
    on((n, name) => n.label(10 + numberOf(name))),
  ),
  span(
    "label-3",
    digits.map((d) => `shift+alt+${d}`),
    "Shift Alt 1",
    ["Label", "label 21 to 30"],
    on((n, name) => n.label(20 + numberOf(name))),
  ),
  span(
    "type",
    ["t"],
    "t",
    ["Type", "label by typing"],
    on((n) => type(n)),
  ),
  span(
    "extend",
    ["shift+arrowright", "shift+arrowleft"],
    "Shift →",
    ["Extend", "extend the selection"],
    on((n, name) => n.extend(name.endsWith("right") ? 1 : -1)),
  ),
  span(
    "start",
    ["[", "ctrl+shift+arrowleft"],
    "[",
    ["Start", "start one word out"],
    on((n) => n.edge("from", 1)),
  ),
  span(
    "end",
    ["]", "ctrl+arrowright"],
    "]",
    ["End", "end one word out"],
    on((n) => n.edge("to", 1)),
  ),
  span(
    "start-in",
    ["shift+[", "{", "ctrl+shift+arrowright"],
    "Shift [",
    ["Start in", "start one word in"],
    on((n) => n.edge("from", -1)),
  ),
  span(
    "end-in",
    ["shift+]", "}", "ctrl+arrowleft"],
    "Shift ]",
    ["End in", "end one word in"],
    on((n) => n.edge("to", -1)),
  ),
  span(
    "split",
    ["s"],
    "s",
    ["Split", "split"],
    on((n) => n.split()),
  ),
  span(
    "merge",
    ["m"],
    "m",
    ["Merge", "merge with the next"],
    on((n) => n.merge()),
  ),
  span(
    "delete",
    ["d"],
    "d",
    ["Delete", "delete: no name"],
    on((n) => n.remove()),
  ),
  span(
    "accept-sure",
    ["shift+a"],
    "Shift a",
    ["Accept the sure ones", "accept sure ones in sight"],
    on((n) => n.acceptSure()),
  ),
];

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

/** @type {Key[]} */
export const namesKeys = rows.map((row) => ({ ...row, views: ["names"] }));
