// @ts-check
/** One player's part of the pad: name, points, hand and arboretum. */

import { cardName, SPECIES } from "../cards.js";
import { fill, h } from "../dom.js";
import { cardRow } from "../parts/card_row.js";
import { pickCard } from "../parts/picker.js";
import { usedCards } from "./board.js";
import { grid } from "./grid.js";

const HAND = 7;
const ALL = Object.keys(SPECIES).flatMap((letter) => Array.from({ length: 8 }, (_, rank) => `${letter}${rank + 1}`));

/** @typedef {{level: "wrong"|"odd"|"missing", seat: number|null, text: string, cards: string[]}} Remark */

/**
 * @param {() => import("./board.js").Pad} pad the board of now
 * @param {number} seat
 * @param {() => void} onchange
 */
export function playerPart(pad, seat, onchange) {
  const player = () => pad().board.players[seat] ?? { hand: [], arboretum: [] };
  const score = h("span", { class: "pad-score", "aria-live": "off" });
  const won = h("span", { class: "badge badge-good", hidden: true });
  const remarks = h("ul", { class: "pad-remarks" });
  const name = h("input", {
    class: "input pad-name",
    maxlength: 24,
    placeholder: `Player ${seat + 1}`,
    "aria-label": `Name of player ${seat + 1}`,
    autocomplete: "off",
  });
  name.value = pad().names[seat] ?? "";
  name.addEventListener("input", () => {
    pad().names[seat] = name.value;
    onchange();
  });

  const free = () => {
    const used = usedCards(pad().board);
    return ALL.filter((card) => !used.has(card));
  };

  const board = grid((x, y, card) => {
    const others = player().arboretum.filter((each) => each[0] !== x || each[1] !== y);
    const remove = h(
      "button",
      {
        type: "button",
        class: "button button-danger",
        onclick: () => {
          player().arboretum = others;
          onchange();
          dialog.close();
        },
      },
      card ? `Take ${cardName(card)} away` : "",
    );
    const dialog = pickCard({
      title: card ? `${cardName(card)} at ${x},${y}` : `Plant at ${x},${y}`,
      note: card ? "Choose another card in its place, or take it away." : undefined,
      cards: free,
      more: card ? [h("div", { class: "row" }, remove)] : [],
      onpick: (chosen) => {
        player().arboretum = [...others, [x, y, chosen]];
        onchange();
        return true;
      },
    });
    dialog.addEventListener("close", () => board.focus());
  }, `player ${seat + 1}`);

  const hand = cardRow({
    title: `Hand of player ${seat + 1}`,
    note: "Choose all of them, then close.",
    cards: () => player().hand.slice().sort((a, b) => ALL.indexOf(a) - ALL.indexOf(b)),
    free,
    enough: () => HAND,
    onchange: (cards) => {
      player().hand = cards;
      onchange();
    },
  });

  const element = h(
    "section",
    { class: "panel pad-player", "data-seat": seat, "aria-label": `Player ${seat + 1}` },
    h("header", { class: "pad-head" }, name, won, score),
    board.element,
    h("div", { class: "pad-hand-row" }, h("span", { class: "label" }, "In hand at the end"), hand.element),
    remarks,
  );
  return {
    element,
    showHand: hand.show,
    /**
     * @param {import("../types.js").Sheet} sheet
     * @param {string} picture
     * @param {Remark[]} own
     */
    update(sheet, picture, own) {
      score.textContent = String(sheet.scores[seat]);
      won.hidden = !sheet.winners.includes(seat) || Math.max(...sheet.scores) === 0;
      won.textContent = sheet.winners.length > 1 ? "tied" : "leads";
      board.update(picture, player().arboretum);
      fill(remarks, own.map((remark) => h("li", { class: `pad-remark pad-${remark.level}` }, remark.text)));
    },
  };
}
