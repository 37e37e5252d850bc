// @ts-check
/** From what a person pointed at to the actions that the server offered. */

/**
 * The actions that plant: a cell alone, or the chosen card and its cell.
 *
 * @param {import("../types.js").TableState} state
 * @param {string|null} picked a card chosen on the page
 * @param {number} cell action of a cell
 * @returns {number[]|null} null where no card is chosen
 */
export function pickOf(state, picked, cell) {
  if (state.phase === "place") return [cell];
  const card = state.legal.find((each) => each.kind === "play" && each.card === picked);
  return card ? [card.action, cell] : null;
}
