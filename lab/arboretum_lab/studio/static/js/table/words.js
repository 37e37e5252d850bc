// @ts-check
/** A position in plain words. */

import { cardName } from "../cards.js";

/** @typedef {import("../types.js").TableState} TableState */

/** What a turn consists of, and in which phases each part is done. */
export const STEPS = [
  { label: "Draw", phases: ["draw_first"] },
  { label: "Draw", phases: ["draw_second"] },
  { label: "Plant", phases: ["play", "place"] },
  { label: "Discard", phases: ["discard"] },
];

/**
 * What is to be done now.
 *
 * @param {TableState} state
 * @param {boolean} mine whether the reader is to move
 * @returns {string}
 */
export function taskOf(state, mine) {
  if (state.over) return state.sheet ? verdictOf(state.sheet, state.names) : "The game is over.";
  const name = state.names[state.mover] ?? `Seat ${state.mover}`;
  const chosen = state.chosen ? cardName(state.chosen) : "the card";
  const tasks = /** @type {Record<string, [string, string]>} */ ({
    draw_first: ["Draw a first card, from the deck or the top of any pile.", "draws a first card"],
    draw_second: ["Draw a second card, from the deck or the top of any pile.", "draws a second card"],
    play: ["Choose a card from your hand to plant.", "chooses a card to plant"],
    place: [`Choose where to plant ${chosen}.`, "chooses where to plant"],
    discard: ["Discard a card onto your own pile; that ends your turn.", "discards"],
  });
  const [own, other] = tasks[state.phase] ?? ["", "moves"];
  return mine ? own : `${name} ${other}.`;
}

/**
 * Why something cannot be done now. Which moves are legal is the server's to say; this only
 * reminds of what the turn is at.
 *
 * @param {TableState} state
 * @param {boolean} mine
 * @param {"draw"|"hand"|"cell"|"rival"} tried
 * @param {string} [where] of a draw: `deck`, or a seat
 * @returns {string}
 */
export function refusalOf(state, mine, tried, where = "") {
  if (state.over) return "The game is over.";
  if (!mine) return `It is not your turn: ${taskOf(state, false)}`;
  const now = taskOf(state, true);
  const drawing = state.phase === "draw_first" || state.phase === "draw_second";
  if (drawing && tried === "draw") {
    return where === "deck" ? "The deck is empty: draw the top of a pile." : `That pile is empty. ${now}`;
  }
  if (drawing) return `A turn begins with two draws. ${now}`;
  if (tried === "draw") return `You have drawn your two cards. ${now}`;
  if (tried === "rival") return `You plant in your own arboretum. ${now}`;
  if (state.phase === "place" && tried === "hand") {
    return `${state.chosen ? cardName(state.chosen) : "A card"} is chosen already: choose its cell, or take the choice back.`;
  }
  if (state.phase === "place") return "A card is planted on an empty cell next to one of yours: on one of the marked cells.";
  return now;
}

/**
 * Seats by their names, `You and Planner`.
 *
 * @param {number[]} seats
 * @param {string[]} names
 */
export function namesOf(seats, names) {
  const found = seats.map((seat) => names[seat] ?? `Seat ${seat}`);
  return found.length < 2 ? (found[0] ?? "") : `${found.slice(0, -1).join(", ")} and ${found.at(-1)}`;
}

/**
 * How the game ended.
 *
 * @param {import("../types.js").Sheet} sheet
 * @param {string[]} names
 */
export function verdictOf(sheet, names) {
  const points = sheet.scores[sheet.winners[0] ?? 0];
  const shared = sheet.winners.length > 1;
  return `${namesOf(sheet.winners, names)} ${shared ? "share the win" : "won"} with ${points} points.`;
}

/**
 * An event of the log in words, with the owner's name for a pile.
 *
 * @param {import("../types.js").LogEvent} event
 * @param {string[]} names
 * @returns {string}
 */
export function eventWords(event, names) {
  const pile = /^p(\d)\((\w+)\)$/.exec(event.event);
  if (!pile) return event.text;
  const owner = Number(pile[1]);
  const whose = names[owner] === "You" ? "your" : owner === event.seat ? "their" : `${names[owner]}’s`;
  return `took ${pile[2]} from ${whose}${owner === event.seat ? " own" : ""} pile`;
}

/**
 * Names that tell seats apart: of three called Greedy the second becomes Greedy 2.
 *
 * @param {string[]} names
 */
export function distinct(names) {
  return names.map((name, seat) => {
    const before = names.slice(0, seat).filter((other) => other === name).length;
    return before ? `${name} ${before + 1}` : name;
  });
}

/**
 * What the server says of seats, with their names: `seat 1 holds 6` -> `Greedy holds 6`.
 *
 * @param {string} text
 * @param {string[]} names
 */
export function withNames(text, names) {
  return text
    .replace(/\bseat (\d)\b/g, (seat, number) => names[Number(number)] ?? seat)
    .replace(/\bYou (holds|moves|draws|is)\b/g, (_, verb) => `You ${verb === "is" ? "are" : verb.slice(0, -1)}`);
}
