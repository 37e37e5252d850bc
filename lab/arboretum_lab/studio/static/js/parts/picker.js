// @ts-check
/** A sheet of cards to choose from: one row a species. */

import { cardFigure, cardName, SPECIES } from "../cards.js";
import { openDialog } from "../dialog.js";
import { fill, h } from "../dom.js";

/**
 * @typedef {object} PickOptions
 * @property {string} title
 * @property {string} [note]
 * @property {() => string[]} cards that may be chosen, asked again after every choice
 * @property {(card: string) => boolean | Promise<boolean>} onpick true closes the sheet
 * @property {(Node|string)[]} [more] above the cards
 */

/**
 * @param {PickOptions} options
 * @returns {HTMLDialogElement}
 */
export function pickCard(options) {
  const rows = h("div", { class: "picker" });
  const show = () => {
    const cards = options.cards();
    const letters = Object.keys(SPECIES).filter((letter) => cards.some((card) => card[0] === letter));
    fill(
      rows,
      letters.map((letter) =>
        h(
          "div",
          { class: "picker-row", role: "group", "aria-label": SPECIES[letter] },
          Array.from({ length: 8 }, (_, index) => {
            const card = `${letter}${index + 1}`;
            if (!cards.includes(card)) return h("span", { class: "picker-gap", "aria-hidden": "true" });
            return h(
              "button",
              { type: "button", class: "picker-card", "data-card": card, "aria-label": cardName(card), onclick: () => void pick(card) },
              cardFigure(card, { decorative: true }),
            );
          }),
        ),
      ),
      letters.length === 0 && h("p", { class: "muted" }, "No card is left to choose."),
    );
  };
  /** @param {string} card */
  const pick = async (card) => {
    const next = rows.querySelector(`[data-card="${card}"]`)?.nextElementSibling;
    if (await options.onpick(card)) {
      dialog.close();
      return;
    }
    const wanted = next instanceof HTMLElement ? next.dataset.card : undefined;
    show();
    const focus = rows.querySelector(wanted ? `[data-card="${wanted}"]` : ".picker-card");
    if (focus instanceof HTMLElement) focus.focus();
  };
  rows.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    move(rows, event.key);
  });
  show();
  const dialog = openDialog(options.title, [
    ...(options.note ? [h("p", { class: "muted" }, options.note)] : []),
    ...(options.more ?? []),
    rows,
  ]);
  dialog.classList.add("picker-dialog");
  const first = rows.querySelector(".picker-card");
  if (first instanceof HTMLElement) first.focus();
  return dialog;
}

/**
 * Arrow keys: along a row, and to the same column of the next row that has a card there.
 *
 * @param {HTMLElement} rows
 * @param {string} key
 */
function move(rows, key) {
  const all = /** @type {HTMLElement[]} */ ([...rows.querySelectorAll(".picker-card")]);
  const at = all.findIndex((card) => card === document.activeElement);
  const here = all[at];
  if (!here) return;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    all[(at + (key === "ArrowRight" ? 1 : all.length - 1)) % all.length]?.focus();
    return;
  }
  const rank = here.dataset.card?.slice(1);
  const column = all.filter((card) => card.dataset.card?.slice(1) === rank);
  const line = column.indexOf(here);
  column[(line + (key === "ArrowDown" ? 1 : column.length - 1)) % column.length]?.focus();
}
