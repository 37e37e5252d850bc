// @ts-check
/** A turn of a lesson's little game: its moves are the server's, this page only collects them. */

import { cardName } from "../cards.js";
import { h } from "../dom.js";
import { arboretum } from "../table/arboretum.js";
import { hand } from "../table/hand.js";
import { piles } from "../table/piles.js";

/**
 * @typedef {object} Table
 * @property {string[]} names
 * @property {string} phase
 * @property {number} deck
 * @property {string[]} hand
 * @property {string[][]} piles
 * @property {string[]} boards
 * @property {boolean} over
 * @property {string[]} moves that are legal now
 */

/**
 * @param {Table} first
 * @param {(moves: string[]) => Promise<Table|null>} onmove all moves so far; null leaves them out
 * @param {(words: string) => void} onrefuse
 */
export function turn(first, onmove, onrefuse) {
  let table = first;
  /** @type {string[]} */
  let moves = [];
  /** @type {string|null} */
  let picked = null;

  let busy = false;

  /** @param {string} move */
  const play = async (move) => {
    if (busy) return; // what is shown is out of date until the answer is here
    busy = true;
    const next = await onmove([...moves, move]).finally(() => (busy = false));
    if (!next) return;
    moves = [...moves, move];
    table = next;
    picked = null;
    show();
  };

  const pile = piles((where) => {
    const move = table.moves.find((each) => (where === "deck" ? each === "d" : each.startsWith(`p${where}(`)));
    if (move) void play(move);
    else onrefuse(table.phase.startsWith("draw") ? "There is nothing to draw there." : "You have drawn your two cards.");
  });
  const own = hand("Your hand", (card) => {
    if (table.moves.includes(`x${card}`)) void play(`x${card}`);
    else if (table.moves.some((move) => move.startsWith(`${card}@`))) {
      picked = picked === card ? null : card;
      show();
      board.focus();
    } else onrefuse("First draw two cards.");
  });
  const board = arboretum(0, {
    onplant: (action) => {
      const cell = board.element.querySelector(`g.cell[data-action="${action}"]`)?.getAttribute("data-cell");
      if (picked) void play(`${picked}@${cell}`);
      else onrefuse("First choose the card in your hand.");
    },
    onother: () => {
      if (picked) onrefuse("A card is planted next to one of yours, never diagonally: on a marked cell.");
    },
  });
  const rival = arboretum(1);

  const show = () => {
    const drawing = table.phase.startsWith("draw");
    pile.update({
      deck: table.deck,
      piles: table.piles,
      owners: ["Your", "Your rival’s"],
      short: ["Yours", "Rival’s"],
      legal: new Set(table.moves.filter((move) => drawing).map((move) => (move === "d" ? "deck" : (move[1] ?? "")))),
      advised: null,
      lastDiscard: null,
    });
    own.update({
      cards: table.hand,
      legal: new Set(drawing ? [] : table.moves.map((move) => (move.startsWith("x") ? move.slice(1) : (move.split("@")[0] ?? "")))),
      known: new Set(),
      fresh: new Set(),
      chosen: picked,
      advised: null,
      verb: table.phase === "discard" ? "Discard" : "Plant",
    });
    for (const [seat, each] of [board, rival].entries()) {
      each.element.toggleAttribute("data-planting", seat === 0 && picked !== null);
      each.update(table.boards[seat] ?? "", {
        title: seat ? "Your rival" : "You",
        badges: [],
        card: seat ? null : picked,
        advised: null,
        active: seat === 0 && !table.over,
      });
    }
    hint.textContent = picked ? `${cardName(picked)}: choose its cell.` : "";
  };
  const hint = h("p", { class: "small muted", "aria-live": "polite" });
  const element = h(
    "div",
    { class: "learn-turn" },
    h("div", { class: "learn-arboreta" }, board.element, rival.element),
    h("div", { class: "learn-dock" }, pile.element, own.element),
    hint,
  );
  show();
  return {
    element,
    restart() {
      moves = [];
      table = first;
      picked = null;
      show();
    },
  };
}
