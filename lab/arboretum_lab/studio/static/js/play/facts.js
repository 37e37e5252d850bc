// @ts-check
/** What the table marks: cards, piles and players, as the state tells of them. */

import { cardName } from "../cards.js";
import { h } from "../dom.js";

/** @typedef {import("../types.js").GameState} GameState */

/**
 * Where a hint is to be marked.
 *
 * @param {import("../types.js").LegalAction} action
 * @returns {{kind: string, where: string}}
 */
export function adviceOn(action) {
  if (action.kind === "draw_deck") return { kind: "pile", where: "deck" };
  if (action.kind === "draw_discard") return { kind: "pile", where: String(action.seat) };
  if (action.kind === "place") return { kind: "cell", where: (action.cell ?? []).join(",") };
  return { kind: "card", where: String(action.card) };
}

/**
 * What stands beside a player's name.
 *
 * @param {GameState} state
 * @param {number} owner
 * @returns {Node[]}
 */
export function badgesOf(state, owner) {
  const badges = [];
  const sheet = state.sheet;
  if (sheet) {
    badges.push(h("span", { class: sheet.winners.includes(owner) ? "badge badge-good" : "badge" }, `${sheet.scores[owner]} points`));
  } else {
    const known = state.known[String(owner)] ?? [];
    if (owner !== state.seat) {
      const cards = `${state.hand_sizes[owner]} in hand`;
      const title = known.length ? `Everybody knows of ${known.map(cardName).join(", ")}` : "";
      badges.push(h("span", { class: "badge", title }, knownWords(cards, known)));
    }
    if (state.awaited.includes(owner)) {
      badges.push(h("span", { class: "badge badge-hint" }, "not here yet"));
    } else if (owner === state.mover && !state.over) {
      badges.push(h("span", { class: "badge badge-accent" }, state.thinking ? "thinking" : "to move"));
    }
  }
  return badges;
}

/** @param {string} cards @param {string[]} known */
function knownWords(cards, known) {
  if (known.length === 0) return cards;
  return known.length < 3 ? `${cards}, known: ${known.join(" ")}` : `${cards}, ${known.length} known`;
}

/** The seat whose pile got the last card, if that was the last event. @param {GameState} state */
export function lastDiscard(state) {
  const last = state.log.at(-1);
  return last?.event.startsWith("x") ? last.seat : null;
}

/** The cards that came into the hand in this turn. @param {GameState} state */
export function freshCards(state) {
  return state.log
    .filter((event) => event.turn === state.turn && event.seat === state.seat)
    .flatMap((event) => /^(?:d|p\d)\((\w+)\)$/.exec(event.event)?.[1] ?? []);
}
