// @ts-check
/** Cards and boards with chances drawn on them. */

import { cardFigure, cardName } from "../cards.js";
import { h, s, svgFrom } from "../dom.js";
import { percent, sourceWords } from "./figures.js";

/** @typedef {import("./types.js").Figure} Figure */
/** @typedef {import("./types.js").Seen} Seen */

const PITCH_X = 76;
const PITCH_Y = 96;
const SMALLEST = 21;
const LARGEST = 27;

/**
 * An arboretum whose lit cells show a chance each.
 *
 * @param {string} svg
 * @param {Record<string, Figure>} chances by cell, `x,y`
 * @param {string} what the chance is of, in words
 */
export function board(svg, chances, what) {
  const picture = bareBoard(svg);
  for (const cell of picture.querySelectorAll("g.cell")) {
    cell.removeAttribute("role");
    cell.removeAttribute("tabindex");
    cell.setAttribute("aria-hidden", "true");
    cell.removeAttribute("aria-label");
  }
  const spots = s("g", { class: "chances" });
  for (const [cell, chance] of Object.entries(chances)) {
    const [x = 0, y = 0] = cell.split(",").map(Number);
    const at = `translate(${x * PITCH_X} ${-y * PITCH_Y})`;
    const text = s("text", { class: "chance-text", "text-anchor": "middle", y: 6 });
    text.textContent = percent(chance.value);
    const title = s("title");
    title.textContent = `${cell}: ${percent(chance.value)} ${what} (${sourceWords(chance, percent)})`;
    const size = SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(Math.min(1, chance.value));
    spots.append(s("g", { class: "chance-spot", transform: at }, title, s("circle", { r: size }), text));
  }
  picture.append(spots);
  return picture;
}

/** @param {string} svg @returns {SVGSVGElement} as large as its place */
export function bareBoard(svg) {
  const picture = svgFrom(svg);
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  return picture;
}

/**
 * A card with its chance below as a bar and in numbers.
 *
 * @param {string} card
 * @param {Figure|undefined} chance none where the card is no choice
 * @param {string} what the chance is of, in words
 */
export function chanceCard(card, chance, what) {
  const value = chance?.value ?? 0;
  const bar = h("span", { class: "chance-bar", "aria-hidden": "true" }, h("span", { class: "chance-fill" }));
  const fillPart = /** @type {HTMLElement} */ (bar.firstElementChild);
  fillPart.style.width = `${100 * Math.min(1, value)}%`;
  return h(
    "figure",
    { class: "chance-card", title: chance ? `${cardName(card)}: ${percent(value)} ${what} (${sourceWords(chance, percent)})` : cardName(card) },
    cardFigure(card),
    chance && [bar, h("figcaption", {}, percent(value))],
  );
}

/**
 * Where a card comes from, with the chance that it is drawn there.
 *
 * @param {Node} face
 * @param {string} name
 * @param {Figure|undefined} chance
 */
export function chancePlace(face, name, chance) {
  return h(
    "figure",
    { class: "chance-card chance-place", title: chance ? `${name}: ${sourceWords(chance, percent)}` : name },
    face,
    h("figcaption", {}, h("span", { class: "small muted" }, name), chance && h("strong", {}, percent(chance.value))),
  );
}
