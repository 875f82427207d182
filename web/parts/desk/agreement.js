/** How far annotators agree, in one figure with its interval; or why there is none yet. */
import { html } from "htm/preact";
import { Figure } from "./figure.js";

/** @param {{ found: any }} props */
export function Agreement({ found }) {
  const all = found?.all;
  if (!all) return html`<${Figure} value=${null} /><p class="note">No sentence was answered by two people yet.</p>`;
  return html`<${Figure} value=${all.f1} digits=${2} scale=${1} />
    <p class="note">${
      all.f1
        ? `F1 of one annotator against the other, of ${all.sentences} answered by both, same words and label.`
        : `${all.sentences} answered by both; about ${all.missing} more until there is a figure.`
    }</p>`;
}
