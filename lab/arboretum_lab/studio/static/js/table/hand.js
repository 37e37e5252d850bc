// @ts-check
/** The hand: a button a card. */

import { cardBack, cardFigure, cardName } from "../cards.js";
import { fill, h } from "../dom.js";
import { rove, setStop } from "./roving.js";

/**
 * @typedef {object} Hand
 * @property {HTMLElement} element
 * @property {(shown: HandShown) => void} update
 * @property {() => boolean} focus
 *
 * @typedef {object} HandShown
 * @property {string[]} cards
 * @property {Set<string>} legal cards that may be chosen now
 * @property {Set<string>} known cards that the others know of
 * @property {Set<string>} fresh cards that came in this turn
 * @property {string|null} chosen
 * @property {string|null} advised
 * @property {number} [hidden] cards whose faces are not shown
 * @property {string} verb what choosing does, `Plant`
 */

/**
 * @param {string} label
 * @param {(card: string) => void} [onchoose] also called for a card that may not be chosen now
 * @returns {Hand}
 */
export function hand(label, onchoose) {
  const element = h("div", { class: "hand", role: "toolbar", "aria-label": label });
  rove(element, ".hand-card");
  return {
    element,
    update(shown) {
      const kept = document.activeElement instanceof HTMLElement && element.contains(document.activeElement)
        ? document.activeElement.dataset.card
        : undefined;
      const items = shown.cards.map((card) => {
        const notes = [];
        if (card === shown.chosen) notes.push("chosen");
        if (shown.fresh.has(card)) notes.push("just drawn");
        if (shown.known.has(card)) notes.push("known to the others");
        if (card === shown.advised) notes.push("advised");
        const classes = ["hand-card"];
        if (shown.legal.has(card)) classes.push("legal");
        if (card === shown.chosen) classes.push("chosen");
        if (shown.fresh.has(card)) classes.push("fresh");
        if (card === shown.advised) classes.push("advised");
        const usable = shown.legal.has(card);
        const name = cardName(card) + (notes.length ? `, ${notes.join(", ")}` : "");
        return h(
          "button",
          {
            type: "button",
            class: classes.join(" "),
            "data-card": card,
            "aria-label": usable ? `${shown.verb} ${name}` : name,
            "aria-disabled": usable ? undefined : "true",
            title: notes.length ? `${cardName(card)}: ${notes.join(", ")}` : cardName(card),
            onclick: () => onchoose?.(card),
          },
          cardFigure(card, { decorative: true }),
          shown.known.has(card) && h("span", { class: "hand-known", "aria-hidden": "true" }),
        );
      });
      const backs = Array.from({ length: shown.hidden ?? 0 }, () =>
        h("span", { class: "hand-card hand-back" }, cardBack()),
      );
      fill(element, items, backs);
      const current = items.find((item) => item.dataset.card === kept);
      setStop(items, current ?? items.find((item) => item.classList.contains("legal")) ?? items[0]);
      if (kept) (current ?? items[0])?.focus({ preventScroll: true });
    },
    focus() {
      const stop = element.querySelector('.hand-card[tabindex="0"]');
      if (!(stop instanceof HTMLElement)) return false;
      stop.focus();
      return true;
    },
  };
}
