// @ts-check
/** The board that is being entered: kept by this browser, and nowhere else. */

const KEY = "arboretum.pad";
const MOST_NAME = 24;

/** @typedef {{hand: string[], arboretum: [number, number, string][]}} PadPlayer */
/**
 * @typedef {object} PadBoard as `arboretum score` takes it
 * @property {number} [ranks]
 * @property {boolean} [cancel_eights]
 * @property {string} [rights]
 * @property {PadPlayer[]} players
 */
/** @typedef {{board: PadBoard, names: string[]}} Pad */

/** @param {number} players @returns {Pad} */
export function emptyPad(players) {
  return { board: { players: Array.from({ length: players }, emptyPlayer) }, names: [] };
}

/** @returns {PadPlayer} */
export function emptyPlayer() {
  return { hand: [], arboretum: [] };
}

/** @returns {Pad} what was kept, or an empty board for two */
export function keptPad() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "");
    if (Array.isArray(kept.board.players) && kept.board.players.length >= 2) return kept;
  } catch {
    // Nothing kept, or by another version: begin anew.
  }
  return emptyPad(2);
}

/** @param {Pad} pad */
export function keepPad(pad) {
  localStorage.setItem(KEY, JSON.stringify(pad));
}

/** @param {Pad} pad @param {number} seat */
export function nameOf(pad, seat) {
  return (pad.names[seat] ?? "").trim().slice(0, MOST_NAME) || `Player ${seat + 1}`;
}

/** @param {PadBoard} board @returns {Set<string>} the cards that are entered */
export function usedCards(board) {
  return new Set(board.players.flatMap((player) => [...player.hand, ...player.arboretum.map((planted) => planted[2])]));
}

/** @param {PadBoard} board */
export function isEmpty(board) {
  return usedCards(board).size === 0;
}
