// @ts-check
/** Hands and arboreta that are only looked at, or whose cards are tapped in order. */

import { cardFigure, cardName } from "../cards.js";
import { h, svgFrom } from "../dom.js";

/**
 * @param {string[]} pictures SVG, one a player
 * @param {string[]} names
 * @param {number[]} [seats] those to show
 * @returns {HTMLElement}
 */
export function boardPictures(pictures, names, seats = pictures.map((_, seat) => seat)) {
  return h(
    "div",
    { class: "learn-boards" },
    seats.map((seat) =>
      h("figure", { class: "learn-board" }, h("figcaption", {}, capital(names[seat] ?? "")), picture(pictures[seat] ?? "")),
    ),
  );
}

/** @param {string} svg */
export function picture(svg) {
  const found = svgFrom(svg);
  found.removeAttribute("width");
  found.removeAttribute("height");
  return found;
}

/**
 * @param {{hand: string[]}[]} players
 * @param {string[]} names
 * @returns {HTMLElement}
 */
export function openHands(players, names) {
  return h(
    "div",
    { class: "learn-hands" },
    players.map((player, seat) =>
      h(
        "div",
        { class: "learn-hand" },
        h("span", { class: "label" }, `${capital(names[seat] ?? "")}: in hand`),
        h("div", { class: "learn-cards" }, player.hand.map((card) => h("span", { class: "learn-card" }, cardFigure(card)))),
      ),
    ),
  );
}

/**
 * An arboretum whose cards are tapped in the order of a path.
 *
 * @param {string} svg
 * @param {(cards: string[]) => void} onchange
 */
export function pathPicture(svg, onchange) {
  /** @type {string[]} */
  let path = [];
  const element = picture(svg);
  const cards = /** @type {SVGGElement[]} */ ([...element.querySelectorAll("g.card")]);
  const show = () => {
    for (const card of cards) {
      const place = path.indexOf(card.dataset.card ?? "");
      card.classList.toggle("tapped", place >= 0);
      card.setAttribute("aria-pressed", String(place >= 0));
      card.setAttribute(
        "aria-label",
        `${cardName(card.dataset.card ?? "")} at ${card.dataset.x},${card.dataset.y}${place >= 0 ? `, number ${place + 1} of the path` : ""}`,
      );
    }
    onchange(path);
  };
  /** @param {SVGGElement} card */
  const tap = (card) => {
    const text = card.dataset.card ?? "";
    // Tapping one again takes it back, and what came after it.
    path = path.includes(text) ? path.slice(0, path.indexOf(text)) : [...path, text];
    show();
  };
  for (const card of cards) {
    card.setAttribute("role", "button");
    card.setAttribute("tabindex", "0");
    card.addEventListener("click", () => tap(card));
    card.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      tap(card);
    });
  }
  show();
  return {
    element,
    path: () => path,
    clear() {
      path = [];
      show();
    },
  };
}

/** @param {string} words */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
