// @ts-check
/** The arboreta of a table; where there is room for one alone, buttons switch between them. */

import { fill, h } from "../dom.js";

/** @typedef {import("./arboretum.js").Arboretum} Arboretum */

/**
 * @returns {{switcher: HTMLElement, element: HTMLElement, set: (arboreta: Arboretum[], names: string[]) => void,
 *   bringForward: (seat: number) => void}}
 */
export function boardsPart() {
  const element = h("div", { class: "boards" });
  const switcher = h("div", { class: "segmented board-switcher", role: "group", "aria-label": "Arboretum shown" });

  /** @param {number} seat */
  function bringForward(seat) {
    for (const board of element.children) board.toggleAttribute("data-front", board.getAttribute("data-seat") === String(seat));
    for (const button of switcher.children) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-seat") === String(seat)));
    }
  }

  return {
    element,
    switcher,
    bringForward,
    set(arboreta, names) {
      fill(
        element,
        arboreta.map((each) => each.element),
      );
      element.dataset.players = String(arboreta.length);
      const seats = arboreta.map((each) => Number(each.element.dataset.seat));
      fill(
        switcher,
        seats.map((seat) => h("button", { type: "button", "data-seat": seat, onclick: () => bringForward(seat) }, names[seat])),
      );
      bringForward(seats[0] ?? 0);
    },
  };
}
