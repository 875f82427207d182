/** The keys of review mode, as rows of the desk's table. */
import { decisions } from "./keys.js";
import { SuspectWork } from "./suspect_work.js";

/** @typedef {import("./work.js").Work} Work */

/** Goes on: to a round that is ready, or to the next suspect. @param {Work} work @param {number} by */
function move(work, by, waiting = false) {
  const review = work.part(SuspectWork);
  if (waiting && review.next.value) review.adopt();
  else review.store.value?.move(by, waiting);
}

/** @param {Work} work */
function close(work) {
  const store = work.part(SuspectWork).store.value;
  if (work.panel.value) work.panel.value = "";
  else if (store) store.own.value = null;
}

/** @type {import("./keys.js").Row<Work>[]} */
const rows = [
  ...decisions.map(
    ([id, keys, shown, label, says, run]) =>
      /** @type {import("./keys.js").Row<Work>} */ ([
        ...[id, keys, shown, label, says],
        (/** @type {Work} */ work, /** @type {string} */ key) => {
          const store = work.part(SuspectWork).store.value;
          if (store) run(store, key);
        },
      ]),
  ),
  ["skip", [" "], "space", "Skip", "skip", (w) => move(w, 1, true)],
  ["next", ["n", "arrowright"], "n", "Next", "next suspect", (w) => move(w, 1)],
  ["previous", ["p", "arrowleft"], "p", "Previous", "previous suspect", (w) => move(w, -1)],
  ["save", ["ctrl+s"], "Ctrl s", "Save the corpus", "save the corrected corpus", (w) => w.part(SuspectWork).save()],
  ["close", ["escape"], "Esc", "Close", "close", close],
];

export const reviewKeys = { group: "Review", views: ["review"], rows };
