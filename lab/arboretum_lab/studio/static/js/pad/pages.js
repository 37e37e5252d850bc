// @ts-check
/** The two pages of the view. */

/** @type {[string, string][]} */
export const PAGES = [
  ["#/pad", "Score a game"],
  ["#/pad/chair", "Note a game"],
];
