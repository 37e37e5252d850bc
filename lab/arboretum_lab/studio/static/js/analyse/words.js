// @ts-check
/** Moves in words. */

/**
 * @param {string} move in notation
 * @returns {string} e.g. `plant M7 at 0,-1`
 */
export function moveWords(move) {
  if (move === "d") return "draw from the deck";
  if (move.startsWith("x")) return `discard ${move.slice(1)}`;
  const taken = /^p\d\((\w+)\)$/.exec(move);
  if (taken) return `take ${taken[1]}`;
  return `plant ${move.replace("@", " at ")}`;
}
