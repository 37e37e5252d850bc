// @ts-check
/** The two pages of the view, and what has been done there. */

/** @type {[string, string][]} */
export const PAGES = [
  ["#/learn", "Lesson"],
  ["#/learn/puzzles", "Puzzles"],
];

const KEY = "arboretum.learn";

/** @returns {Record<string, boolean>} by id: whether it was right at the first try */
export function done() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

/**
 * @param {string} id
 * @param {boolean} right
 */
export function markDone(id, right) {
  const all = done();
  if (!(id in all)) localStorage.setItem(KEY, JSON.stringify({ ...all, [id]: right }));
}
