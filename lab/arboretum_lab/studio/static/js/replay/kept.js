// @ts-check
/** The record that this tab has open; a reload goes on with it, and the analysis looks for it here. */

const KEY = "arboretum.replay";

/** @returns {string|null} */
export function keptText() {
  return sessionStorage.getItem(KEY);
}

/** @param {string} text of a record */
export function keepText(text) {
  sessionStorage.setItem(KEY, text);
}
