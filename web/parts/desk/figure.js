/** A figure with its interval; a dash where there are too few data. */
import { html } from "htm/preact";

/** @typedef {{ value: number, low: number, high: number }} Interval */

/** @param {number} x @param {number} [digits] @param {number} [scale] */
export const written = (x, digits = 1, scale = 100) => (scale * x).toFixed(digits);

/** @param {Interval} interval @param {number} [digits] @param {number} [scale] */
export const range = ({ low, high }, digits = 1, scale = 100) =>
  `${written(low, digits, scale)} to ${written(high, digits, scale)}`;

/** @param {{ value: Interval | null | undefined, digits?: number, scale?: number, words?: string }} props */
export const Figure = ({ value, digits = 1, scale = 100, words = "" }) =>
  html`<p class="figure">${
    value
      ? written(value.value, digits, scale)
      : html`<span
    aria-label="not known yet">–</span>`
  }
    ${value && html` <small>${words} ${range(value, digits, scale)}</small>`}</p>`;
