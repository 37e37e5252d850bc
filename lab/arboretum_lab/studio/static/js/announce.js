// @ts-check
/** Says things to screen readers. */

import { find } from "./dom.js";

/** @param {string} text */
export function announce(text) {
  const region = find("#announcer");
  // The same words twice would not be said again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
