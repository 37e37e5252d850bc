// @ts-check
/** Cards that were chosen, each a button that takes it away, and a button that adds more. */

import { cardFigure, cardName } from "../cards.js";
import { fill, h } from "../dom.js";
import { pickCard } from "./picker.js";

/**
 * @typedef {object} CardRowOptions
 * @property {string} title of the sheet of cards, and what the row is called
 * @property {string} [note] above the cards
 * @property {() => string[]} cards those chosen, as they are shown
 * @property {() => string[]} free those that may be added
 * @property {() => number} [most] how many it takes; by default any number
 * @property {() => number} [enough] with how many the sheet closes; by default `most`
 * @property {(cards: string[]) => void} onchange
 */

/**
 * @param {CardRowOptions} options
 * @returns {{element: HTMLElement, show: () => void}} `show` after the cards were changed elsewhere
 */
export function cardRow({ title, note, cards, free, most = () => Infinity, enough = most, onchange }) {
  const element = h("div", { class: "pad-hand", role: "group", "aria-label": title });

  /** @param {string[]} next @param {number} [focus] which button has it then */
  const set = (next, focus) => {
    onchange(next);
    show();
    const buttons = element.querySelectorAll("button");
    if (focus !== undefined) buttons[Math.min(focus, buttons.length - 1)]?.focus();
  };

  const add = () => {
    const dialog = pickCard({
      title,
      note,
      cards: free,
      onpick: (card) => {
        set([...cards(), card]);
        return cards().length === enough();
      },
    });
    dialog.addEventListener("close", () => [...element.querySelectorAll("button")].at(-1)?.focus());
  };

  const show = () =>
    fill(
      element,
      cards().map((card, index) =>
        h(
          "button",
          {
            type: "button",
            class: "pad-held",
            "data-card": card,
            "aria-label": `${cardName(card)}: take away`,
            title: `Take ${cardName(card)} away`,
            onclick: () => set(cards().filter((each) => each !== card), index),
          },
          cardFigure(card, { decorative: true }),
        ),
      ),
      cards().length < most() && h("button", { type: "button", class: "pad-add", "aria-label": `Add: ${title}`, onclick: add }, "Add"),
    );

  show();
  return { element, show };
}
