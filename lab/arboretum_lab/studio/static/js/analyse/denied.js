// @ts-check
/** What every held card denies the rivals, and is worth to its holder. */

import { cardFigure } from "../cards.js";
import { h } from "../dom.js";
import { points, shown } from "./figures.js";

/** @param {import("./types.js").PositionResult} found */
export function deniedPanel(found) {
  return h(
    "section",
    { class: "panel stack" },
    h("h2", {}, "What held cards deny"),
    found.denied.length
      ? h(
          "table",
          { class: "table denied" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Without"), h("th", { scope: "col" }, "rivals’ points"), h("th", { scope: "col" }, "own points"))),
          h(
            "tbody",
            {},
            found.denied.map((denied) =>
              h("tr", {}, h("th", { scope: "row" }, h("span", { class: "card-chip" }, cardFigure(denied.card))), h("td", {}, shown(denied.rivals, points)), h("td", {}, shown(denied.own, points))),
            ),
          ),
        )
      : h("p", { class: "muted" }, "Nothing is hidden any more: no card can be exchanged."),
    h(
      "p",
      { class: "muted small" },
      `Had the card been one of the unseen cards instead, and ${found.method.reference} played on: how many points the rivals together, and the holder, would get more. The same worlds with and without.`,
    ),
  );
}
