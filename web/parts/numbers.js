/** Numbers as they are written: nothing is 0 or 1. */

/** @param {number} p */
export const percent = (p) => (p < 0.01 ? "below 1 %" : p > 0.99 ? "above 99 %" : `${Math.round(100 * p)} %`);

/** @param {number} n */
export const whole = (n) => Math.round(n).toLocaleString("en");

/** A probability. @param {number | undefined} p */
export const chance = (p) => (p === undefined ? "" : p < 0.01 ? "below 0.01" : p > 0.99 ? "above 0.99" : p.toFixed(2));
