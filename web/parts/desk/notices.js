/** What everybody must see: not saved, offline, somebody else was faster, nothing left. */
import { html } from "htm/preact";
import { Icon } from "./icon.js";

/** @typedef {import("../../src/work.js").Work} Work */

/** @param {{ kind: string, sign: string, role?: string, children?: any }} props */
export const Notice = ({ kind, sign, role = "status", children }) =>
  html`<div class=${`notice ${kind}`} role=${role}><${Icon} name=${sign} /><p>${children}</p></div>`;

/** A decision that the server refused: it can be looked at again. @param {{ work: Work, letter: any }} props */
function Refused({ work, letter }) {
  const again = () => {
    work.outbox.forget(letter.key);
    if (letter.body.answer) work.kept.set(letter.body.sentence, { draft: letter.body.answer, edits: [] });
    work.visit(letter.body.sentence);
  };
  return html`<${Notice} kind="bad" sign="warning" role="alert"><b>Not saved:</b> ${letter.message}.${" "}
    ${
      letter.body.sentence && html`<button type="button" class="as-link" onClick=${again}>Look at it again</button> or `
    }
    <button type="button" class="as-link" onClick=${() => work.outbox.forget(letter.key)}>drop it</button>.<//>`;
}

/** @param {{ work: Work, trouble: string }} props */
export function Notices({ work, trouble }) {
  const { outbox, others, alert } = work;
  const kept = outbox.waiting.value.length;
  return html`<div class="notices">
    ${trouble && html`<${Notice} kind="bad" sign="warning" role="alert">${trouble}<//>`}
    ${
      outbox.offline.value &&
      html`<${Notice} kind="off" sign="cloud"><b>Offline.</b> ${
        kept === 1 ? "1 decision is" : `${kept} decisions are`
      } kept here and sent when the server answers. Go on working.<//>`
    }
    ${
      outbox.lost.value &&
      html`<${Notice} kind="bad" sign="warning" role="alert">This browser keeps nothing: do not close the page
        before all is saved.<//>`
    }
    ${outbox.refused.value.map((letter) => html`<${Refused} key=${letter.key} work=${work} letter=${letter} />`)}
    ${
      others.value &&
      html`<${Notice} kind="off" sign="warning" role="alert"><b>Decided twice:</b>${" "}
        ${others.value.names.join(", ")} decided this sentence, too. <a href="#settle">Look at both</a> or${" "}
        <button type="button" class="as-link" onClick=${() => work.undo()}>undo yours</button>.<//>`
    }
    ${alert.value && html`<${Notice} kind="bad" sign="warning" role="alert">${alert.value}<//>`}
  </div>`;
}
