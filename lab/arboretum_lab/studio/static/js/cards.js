// @ts-check
/** Cards: their names in words, and their pictures from the server's sprite. */

import * as api from "./api.js";
import { find, s, svgFrom } from "./dom.js";

/** @type {Record<string, string>} */
export const SPECIES = {
  C: "Cassia",
  D: "Dogwood",
  J: "Jacaranda",
  V: "Olive",
  L: "Lilac",
  G: "Magnolia",
  M: "Maple",
  P: "Royal Poinciana",
  O: "Oak",
  W: "Weeping Willow",
};

/**
 * @param {string} card e.g. `M7`
 * @returns {string} e.g. `Maple 7`
 */
export function cardName(card) {
  return `${SPECIES[card[0] ?? ""] ?? card[0]} ${card.slice(1)}`;
}

/** @type {Promise<void>|null} */
let loading = null;

/** Puts the sprite into the page, once. */
export function loadSprite() {
  loading ??= (async () => {
    const sprite = svgFrom(await api.text("/api/cards.svg"));
    find("#sprite").replaceChildren(sprite);
  })().catch((problem) => {
    loading = null;
    throw problem;
  });
  return loading;
}

/**
 * The picture of a card. It says its name unless something around it does.
 *
 * @param {string} card
 * @param {{decorative?: boolean}} [options]
 * @returns {SVGElement}
 */
export function cardFigure(card, options = {}) {
  const symbol = document.getElementById(`card-${card}`);
  const viewBox = symbol?.getAttribute("viewBox") ?? "0 0 60 80";
  /** @type {Record<string, string>} */
  const naming = options.decorative
    ? { "aria-hidden": "true" }
    : { role: "img", "aria-label": cardName(card) };
  return s("svg", { class: "card-figure", viewBox, ...naming }, s("use", { href: `#card-${card}` }));
}

/** @returns {SVGElement} the back of a card */
export function cardBack() {
  const symbol = document.getElementById("card-back");
  const viewBox = symbol?.getAttribute("viewBox") ?? "0 0 60 80";
  return s("svg", { class: "card-figure", viewBox, "aria-hidden": "true" }, s("use", { href: "#card-back" }));
}
