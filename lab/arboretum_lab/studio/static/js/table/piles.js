// @ts-check
/** The deck and the discard piles: a button each, and the whole pile on demand. */

import { cardBack, cardFigure, cardName } from "../cards.js";
import { openDialog } from "../dialog.js";
import { fill, h } from "../dom.js";
import { rove, setStop } from "./roving.js";

/**
 * @typedef {object} Piles
 * @property {HTMLElement} element
 * @property {(shown: PilesShown) => void} update
 * @property {() => boolean} focus
 *
 * @typedef {object} PilesShown
 * @property {number} deck
 * @property {string[][]} piles bottom to top
 * @property {string[]} owners whose they are, in words
 * @property {string[]} short the same, shorter
 * @property {Set<string>} legal `deck`, and seats
 * @property {string|null} advised
 * @property {number|null} lastDiscard the seat whose pile got the last card
 */

/**
 * @param {(where: string) => void} [ondraw] `deck` or a seat; also called when not allowed now
 * @returns {Piles}
 */
export function piles(ondraw) {
  const element = h("div", { class: "piles", role: "toolbar", "aria-label": "Deck and discard piles" });
  rove(element, ".pile-button");
  let written = "";
  return {
    element,
    update(shown) {
      const key = JSON.stringify([shown, [...shown.legal]]);
      if (key === written) return;
      written = key;
      const kept = document.activeElement instanceof HTMLElement && element.contains(document.activeElement)
        ? document.activeElement.dataset.where
        : undefined;
      fill(
        element,
        place("deck", "Deck", shown, deckFace(shown.deck), `Deck, ${plural(shown.deck)} left`, String(shown.deck)),
        shown.piles.map((pile, seat) => {
          const top = pile.at(-1);
          const owner = shown.owners[seat] ?? "";
          const name = top
            ? `${owner} pile: ${cardName(top)} on top, ${plural(pile.length)}`
            : `${owner} pile: empty, 0 cards`;
          const face = top ? cardFigure(top, { decorative: true }) : h("span", { class: "pile-empty" });
          const box = place(String(seat), shown.short[seat] ?? "", shown, face, name, String(pile.length));
          if (seat === shown.lastDiscard) box.classList.add("last-discard");
          if (pile.length > 1) {
            box.append(
              h(
                "button",
                {
                  type: "button",
                  class: "pile-whole",
                  "aria-label": `${owner} pile: show all ${pile.length}`,
                  onclick: () => showPile(owner, pile),
                },
                `all ${pile.length}`,
              ),
            );
          }
          return box;
        }),
      );
      const buttons = /** @type {HTMLElement[]} */ ([...element.querySelectorAll(".pile-button")]);
      const current = buttons.find((button) => button.dataset.where === kept);
      setStop(buttons, current);
      current?.focus({ preventScroll: true });
    },
    focus() {
      // Where one can draw: an empty deck is not worth a stop.
      const wanted = ['.legal > [tabindex="0"]', ".legal > .pile-button", '.pile-button[tabindex="0"]'];
      const stop = wanted.map((each) => element.querySelector(each)).find((each) => each !== null);
      if (!(stop instanceof HTMLElement)) return false;
      stop.focus();
      return true;
    },
  };

  /**
   * @param {string} where
   * @param {string} label
   * @param {PilesShown} shown
   * @param {Element} face
   * @param {string} name
   * @param {string} count
   */
  function place(where, label, shown, face, name, count) {
    const usable = shown.legal.has(where);
    const classes = ["pile"];
    if (usable) classes.push("legal");
    if (shown.advised === where) classes.push("advised");
    return h(
      "div",
      { class: classes.join(" ") },
      h(
        "button",
        {
          type: "button",
          class: "pile-button",
          "data-where": where,
          "aria-label": usable ? `Draw. ${name}` : name,
          "aria-disabled": usable ? undefined : "true",
          title: name,
          onclick: () => ondraw?.(where),
        },
        face,
        h("span", { class: "pile-count", "aria-hidden": "true" }, count),
      ),
      h("span", { class: "pile-label", "aria-hidden": "true" }, label),
    );
  }
}

/** @param {number} cards */
function plural(cards) {
  return `${cards} ${cards === 1 ? "card" : "cards"}`;
}

/** @param {number} cards */
function deckFace(cards) {
  if (cards === 0) return h("span", { class: "pile-empty" });
  const layers = Math.min(3, Math.ceil(cards / 12));
  return h("span", { class: `deck-face deck-${layers}` }, cardBack());
}

/**
 * @param {string} owner
 * @param {string[]} pile bottom to top
 */
export function showPile(owner, pile) {
  openDialog(`${owner} pile`, [
    h("p", { class: "muted" }, `${plural(pile.length)}, the top one first. Only the top can be drawn.`),
    h(
      "ol",
      { class: "pile-cards", reversed: true },
      pile
        .slice()
        .reverse()
        .map((card) => h("li", {}, cardFigure(card))),
    ),
  ]);
}
