/** The head bar: views, whether all is saved, keys, light and dark, who works here. */
import { html } from "htm/preact";
import { turn } from "../../src/desk_keys.js";
import { turnTheme } from "../frame.js";
import { Icon } from "./icon.js";

/** @typedef {import("../../src/work.js").Work} Work */

/** What is told of saving: style, sign, words. @param {Work} work @returns {[string, string, string]} */
function saving(work) {
  const { waiting, state } = work.outbox;
  if (state.value === "bad") return ["bad", "warning", "Not saved"];
  if (state.value === "offline") return ["off", "cloud", `Offline, ${waiting.value.length} kept`];
  return state.value === "saving" ? ["", "dots", "Saving"] : ["", "tick", "Saved"];
}

/** @param {{ work: Work, views: { hash: string, name: string }[] }} props */
export function HeadBar({ work, views }) {
  const [style, sign, words] = saving(work);
  const document = work.about.value?.documents[0]?.name ?? "";
  const more = (work.about.value?.documents.length ?? 1) - 1;
  return html`<header class="head">
    <a class="brand" href="/">
      <svg viewBox="0 0 24 24" fill="none" stroke-width="2.2" stroke-linecap="round" aria-hidden="true">
        <circle class="ring" cx="12" cy="12" r="9.5" stroke-dasharray="1 4.2" />
        <path class="part" d="M12 2.5A9.5 9.5 0 1 1 2.7 14" />
        <path class="tick" d="m8 12.3 2.9 2.9 5.3-6" /></svg
      >vouch</a>
    <span class="project">${document}${more > 0 ? ` and ${more} more` : ""}</span>
    <nav class="views" aria-label="Views">
      ${views.map(
        ({ hash, name }) =>
          html`<a key=${hash} href=${hash} aria-current=${hash === `#${work.view.value}` ? "page" : undefined}
            >${name}</a>`,
      )}
    </nav>
    <div class="head-end">
      ${
        work.annotator.value &&
        html`<span class=${`save ${style}`} role="status"><${Icon} name=${sign} /><span>${words}</span></span>`
      }
      <button type="button" class="btn quiet" aria-keyshortcuts="H"
        onClick=${() => turn(work, "keys")}
        ><span class="word">Keys</span> <kbd>h</kbd></button>
      <button type="button" class="btn quiet icon" aria-label="Switch between light and dark" onClick=${turnTheme}>
        <${Icon} name="theme" />
      </button>
      ${
        work.annotator.value &&
        html`<button type="button" class="btn quiet who" aria-label=${`You are ${work.annotator.value}; who works here`}
          onClick=${() => turn(work, "who")}>${work.annotator.value}</button>`
      }
    </div>
  </header>`;
}
