// @ts-check
/** Every hand of a position: faces where they are shown, backs for the rest. */

import { cardBack, cardFigure } from "../cards.js";
import { fill, h } from "../dom.js";

/**
 * @param {string[]} names
 */
export function allHands(names) {
  const element = h("div", { class: "replay-hands", "data-players": names.length });
  return {
    element,
    /** @param {import("../types.js").TableState} position */
    update(position) {
      fill(
        element,
        names.map((name, seat) => {
          const shown =
            position.hands?.[seat] ?? (position.seat === seat ? position.hand : (position.known[String(seat)] ?? []));
          const hidden = (position.hand_sizes[seat] ?? 0) - shown.length;
          return h(
            "section",
            { class: "replay-hand", "aria-label": `Hand of ${name}` },
            h("h2", { class: "replay-hand-name" }, name),
            h(
              "span",
              { class: "replay-hand-cards" },
              shown.map((card) =>
                h("span", { class: card === position.chosen ? "mini-card chosen" : "mini-card" }, cardFigure(card)),
              ),
              Array.from({ length: hidden }, () => h("span", { class: "mini-card" }, cardBack())),
              hidden > 0 && h("span", { class: "visually-hidden" }, `and ${hidden} not shown`),
            ),
          );
        }),
      );
    },
  };
}
