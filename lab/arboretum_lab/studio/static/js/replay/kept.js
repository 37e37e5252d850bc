// @ts-check
/** The record that this tab has open. It stays with the page: a reload goes on where one was. */

const KEY = "arboretum.replay";

/** @returns {string|null} */
export function keptText() {
  return sessionStorage.getItem(KEY);
}

/** @param {string} text of a record */
export function keepText(text) {
  sessionStorage.setItem(KEY, text);
}
