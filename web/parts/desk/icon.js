/** Small drawings, in the colour of the text. */
import { html } from "htm/preact";

const paths = /** @type {Record<string, any>} */ ({
  tick: html`<path d="m3 8.5 3.2 3.2L13 4.8" />`,
  dots: html`<path d="M3 8h.1M8 8h.1M13 8h.1" stroke-width="2.6" />`,
  cloud: html`<path d="M4.5 12.5h6.8a2.7 2.7 0 0 0 .5-5.3A4 4 0 0 0 4.3 6.5 3 3 0 0 0 4.5 12.5zm-2.5-10.5 12 12" />`,
  warning: html`<path d="M8 2 1.5 13.5h13zM8 6.5v3M8 11.6v.1" />`,
  why: html`<circle cx="8" cy="8" r="6" /><path d="M6.2 6.3a1.9 1.9 0 1 1 2.7 1.6c-.6.4-.9.7-.9 1.4M8 11.4v.1" />`,
  blind: html`<path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zm1 5.5 11-11" />`,
  theme: html`<circle cx="8" cy="8" r="5.6" />
    <path d="M8 2.4v11.2a5.6 5.6 0 0 0 0-11.2z" fill="currentColor" stroke="none" />`,
});

/** @param {{ name: string }} props */
export const Icon = ({ name }) =>
  html`<svg class="line sign" viewBox="0 0 16 16" aria-hidden="true">${paths[name]}</svg>`;
