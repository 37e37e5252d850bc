// @ts-check
/** The list of moves: a row a turn, a button a move. */

import { fill, h } from "../dom.js";

/**
 * @typedef {object} Move
 * @property {number} at the position after it
 * @property {number} turn
 * @property {number} seat
 * @property {string} token as in the record
 * @property {boolean} hidden whether only its own seat saw the card
 * @property {boolean} chosen a card chosen and not yet placed
 */

/**
 * @param {{moves: Move[], names: string[], comments: Record<string, string>}} record
 * @param {(at: number) => void} onjump
 */
export function moveList(record, onjump) {
  const list = h("ol", { class: "moves", "aria-label": "Moves" });
  const element = h("section", { class: "log", "aria-labelledby": "moves-title" }, h("h2", { id: "moves-title" }, "Moves"), list);
  /** @type {Move[][]} */
  const turns = [];
  for (const move of record.moves) (turns[move.turn] ??= []).push(move);
  let drawnFor = "";

  /** @param {number|null} seat */
  function draw(seat) {
    fill(
      list,
      turns.map((moves, turn) => {
        const mover = moves[0]?.seat ?? 0;
        const end = moves.at(-1)?.at ?? 0;
        // A card only chosen is shown by where it went, unless the record stops there.
        const shown = moves.filter((move) => !move.chosen || move.at === end);
        return h(
          "li",
          { class: "moves-turn" },
          h(
            "button",
            { type: "button", class: "moves-end", "data-at": end, onclick: () => onjump(end) },
            h("span", { class: "visually-hidden" }, "To the end of turn "),
            h("span", { class: "log-number" }, turn + 1),
            h("span", { class: "moves-who" }, record.names[mover]),
          ),
          h(
            "span",
            { class: "moves-tokens" },
            shown.map((move) =>
              h(
                "button",
                { type: "button", class: "moves-token", "data-at": move.at, onclick: () => onjump(move.at) },
                move.hidden && seat !== null && seat !== move.seat ? "d" : move.token,
              ),
            ),
          ),
          record.comments[String(turn)] && h("span", { class: "moves-comment small muted" }, record.comments[String(turn)]),
        );
      }),
    );
  }

  return {
    element,
    /** Marks the move that led to a position. @param {number} at @param {number|null} seat */
    point(at, seat) {
      if (drawnFor !== String(seat)) {
        drawnFor = String(seat);
        draw(seat);
      }
      let current = null;
      for (const button of list.querySelectorAll(".moves-token")) {
        const here = Number(button.getAttribute("data-at"));
        if (here <= at) current = button;
        button.removeAttribute("aria-current");
      }
      current?.setAttribute("aria-current", "step");
      if (current instanceof HTMLElement) {
        const row = current.closest("li") ?? current;
        const above = row.offsetTop - list.offsetTop - list.scrollTop;
        if (above < 0 || above > list.clientHeight - 60) list.scrollTop += above - list.clientHeight / 3;
      }
    },
  };
}
