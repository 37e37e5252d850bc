// @ts-check
/** Species by species: sums, chances of the right, paths and what may become of them. */

import { SPECIES } from "../cards.js";
import { h, s } from "../dom.js";
import { bare, percent, plain } from "./figures.js";

/** @typedef {import("./types.js").SeatRight} SeatRight */

/** @param {string} letter @returns {HTMLElement} emblem, letter and name */
export function speciesName(letter) {
  return h(
    "span",
    { class: "species-name" },
    s("svg", { class: "species-emblem", viewBox: "-24 -24 48 48", "aria-hidden": "true" }, s("rect", { class: `f-${letter}`, x: -24, y: -24, width: 48, height: 48, rx: 10 }), s("use", { href: `#emblem-${letter}` })),
    h("strong", {}, letter),
    " ",
    h("span", { class: "species-word" }, SPECIES[letter] ?? ""),
  );
}

/** @param {import("./types.js").PositionResult} found */
export function rightsPanel(found) {
  const order = found.names.map((_, number) => (found.seat + number) % found.players);
  return h(
    "section",
    { class: "panel stack" },
    h("h2", {}, "Who has the right to score"),
    h(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Rights by species" },
      h(
        "table",
        { class: "table rights" },
        h(
          "thead",
          {},
          h("tr", {}, h("th", { scope: "col", rowspan: 2 }, "Species"), order.map((seat) => h("th", { scope: "colgroup", colspan: 4, class: "rights-seat" }, found.names[seat]))),
          h(
            "tr",
            {},
            order.flatMap((seat) => [
              h("th", { scope: "col", class: "number rights-first" }, seat === found.seat ? "sum" : "known, expected"),
              h("th", { scope: "col", class: "number" }, "right"),
              h("th", { scope: "col" }, "best path"),
              h("th", { scope: "col", class: "number" }, "points"),
            ]),
          ),
        ),
        h("tbody", {}, found.rights.map((row) => h("tr", {}, h("th", { scope: "row" }, speciesName(row.species)), order.flatMap((seat) => account(row.seats[seat], seat === found.seat))))),
      ),
    ),
    h(
      "p",
      { class: "muted small" },
      "All exact, if every unseen card is as likely anywhere: sums and rights as the hands are now; points of the best path, and in brackets what one more card of the species could make of it. ",
      "A shade says how likely the right is.",
    ),
  );
}

/**
 * @param {SeatRight|undefined} row
 * @param {boolean} own
 */
function account(row, own) {
  if (!row) return [];
  const right = h("td", { class: "number right-cell" }, bare(row.right, percent));
  right.style.setProperty("--share", String(row.right.value));
  const more = row.potential > row.path_points;
  return [
    h("td", { class: "number rights-first" }, own ? bare(row.expected_sum, plain) : [String(row.known_sum), ", ", bare(row.expected_sum, plain)]),
    right,
    h("td", { class: "rights-path" }, row.path.join(" ") || "–"),
    h("td", { class: "number", title: `expected with the right: ${row.expected_points.value.toFixed(1)}` }, String(row.path_points), more && h("span", { class: "muted" }, ` (${row.potential})`)),
  ];
}
