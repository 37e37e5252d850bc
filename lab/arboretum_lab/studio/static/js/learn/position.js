// @ts-check
/** A position as one seat sees it, with one choice to make. */

import { h } from "../dom.js";
import { arboretum } from "../table/arboretum.js";
import { hand } from "../table/hand.js";
import { piles } from "../table/piles.js";
import { capital } from "./pictures.js";

/**
 * @typedef {object} Position
 * @property {number} seat
 * @property {string[]} names
 * @property {number} deck
 * @property {string[]} hand
 * @property {string[][]} known hand cards that the seat knows, per seat
 * @property {number[]} hidden
 * @property {string[][]} piles
 * @property {string[]} boards
 */

/**
 * @param {Position} table
 * @param {"right"|"discard"|"plant"} kind
 * @param {string|null} chosen the card that is planted
 * @param {string[]} choices moves
 * @param {(move: string) => void} onchoose
 * @returns {HTMLElement}
 */
export function position(table, kind, chosen, choices, onchoose) {
  const own = hand("Your hand", (card) => {
    if (choices.includes(`x${card}`)) onchoose(`x${card}`);
  });
  own.update({
    cards: table.hand,
    legal: new Set(kind === "discard" ? table.hand : []),
    known: new Set(),
    fresh: new Set(),
    chosen,
    advised: null,
    verb: "Discard",
  });
  const pile = piles();
  pile.update({
    deck: table.deck,
    piles: table.piles,
    owners: table.names.map((name) => (name === "you" ? "Your" : `${capital(name)}’s`)),
    short: table.names.map((name) => (name === "you" ? "Yours" : capital(name))),
    legal: new Set(),
    advised: null,
    lastDiscard: null,
  });
  const order = table.names.map((_, after) => (table.seat + after) % table.names.length);
  const boards = order.map((seat) => {
    const board = arboretum(seat, {
      onplant: (action) => {
        const cell = board.element.querySelector(`g.cell[data-action="${action}"]`)?.getAttribute("data-cell");
        onchoose(`${chosen}@${cell}`);
      },
    });
    board.element.toggleAttribute("data-planting", seat === table.seat && kind === "plant");
    board.update(table.boards[seat] ?? "", {
      title: seat === table.seat ? "You" : capital(table.names[seat] ?? ""),
      badges: [],
      card: seat === table.seat ? chosen : null,
      advised: null,
      active: seat === table.seat,
    });
    return board.element;
  });
  return h(
    "div",
    { class: "learn-turn" },
    h("div", { class: "learn-arboreta", "data-players": boards.length }, boards),
    order
      .filter((seat) => seat !== table.seat && table.known[seat]?.length)
      .map((seat) => {
        const cards = table.known[seat] ?? [];
        const [from, held] = cards.length === 1 ? ["a pile", "it"] : ["piles", "them"];
        return h("p", { class: "small muted" }, `${capital(table.names[seat] ?? "")} took ${cards.join(", ")} from ${from}, and holds ${held}.`);
      }),
    h("div", { class: "learn-dock" }, pile.element, own.element),
  );
}
