/** What opens over the work: all keys, guidelines, a comment, who works here. The focus goes in, and back. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { AllKeys } from "./all_keys.js";
import { Comment } from "./comment.js";
import { WhoWorks } from "./gate.js";
import { Guidelines } from "./guidelines.js";

/** @typedef {import("../../src/work.js").Work} Work */

/** What can be open: its title and its component. @type {Record<string, [string, any]>} */
export const panels = {
  keys: ["All keys", AllKeys],
  guidelines: ["Guidelines", Guidelines],
  comment: ["Comment", Comment],
  who: ["Who works here", WhoWorks],
};

/** @param {{ work: Work, title: string, Panel: any }} props */
function Open({ work, title, Panel }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const first = box.current?.querySelector("textarea, input, [autofocus]") ?? box.current;
    /** @type {HTMLElement | null | undefined} */ (first)?.focus();
    return () => before?.isConnected && before.focus();
  }, []);
  return html`<section class="panel card pad" role="dialog" aria-label=${title} tabindex="-1" ref=${box}>
    <div class="line-up">
      <h2>${title}</h2>
      <button type="button" class="btn quiet" onClick=${() => (work.panel.value = "")}>Close <kbd>Esc</kbd></button>
    </div>
    <${Panel} work=${work} />
  </section>`;
}

/** @param {{ work: Work }} props */
export function Panels({ work }) {
  const open = panels[work.panel.value];
  return open && html`<${Open} key=${work.panel.value} work=${work} title=${open[0]} Panel=${open[1]} />`;
}
