/** Which view is in sight: the hash of the address. The table of views is in desk.js. */
import { signal } from "@preact/signals";

/** The hash of the view in sight, without its sign. */
export const viewName = signal("");
