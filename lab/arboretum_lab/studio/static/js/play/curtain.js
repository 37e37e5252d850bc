// @ts-check
/** The curtain between two people who share a screen. */

import { fill, h } from "../dom.js";

/**
 * @param {HTMLElement} veil
 * @param {string[]} names
 * @param {number[]} seats of the people at this screen
 * @param {number} next who is to look
 * @param {(seat: number) => void} onlift
 */
export function curtain(veil, names, seats, next, onlift) {
  const lift = h(
    "button",
    { type: "button", class: "button button-primary button-large", onclick: () => onlift(next) },
    `I am ${names[next]}: show my hand`,
  );
  const others = seats.filter((seat) => seat !== next);
  fill(
    veil,
    h(
      "section",
      { class: "curtain", "aria-labelledby": "curtain-title" },
      h("h1", { class: "curtain-title", id: "curtain-title" }, `Over to ${names[next]}`),
      h("p", { class: "page-lead" }, "Pass the device. The others look away; no hand is shown until you say so."),
      lift,
      others.length > 0 &&
        h(
          "div",
          { class: "row curtain-others" },
          h("span", { class: "small muted" }, "Somebody else wants to look?"),
          others.map((seat) => h("button", { type: "button", class: "button", onclick: () => onlift(seat) }, names[seat])),
        ),
    ),
  );
  lift.focus();
}
