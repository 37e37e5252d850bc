// @ts-check
/** The final score explained: who has which right and why, and what each path counts. */

import { cardFigure, SPECIES } from "../cards.js";
import { h } from "../dom.js";
import { verdictOf, withNames } from "./words.js";

/** @typedef {import("../types.js").Sheet} Sheet */
/** @typedef {import("../types.js").SheetRow} SheetRow */

/**
 * @param {Sheet} sheet
 * @param {string[]} names
 * @returns {HTMLElement}
 */
export function scoreSheet(sheet, names) {
  return h(
    "section",
    { class: "sheet", "aria-label": "Score sheet" },
    h("h2", { class: "sheet-title" }, "Score sheet"),
    h("p", { class: "sheet-verdict" }, verdictOf(sheet, names)),
    h(
      "div",
      { class: "sheet-players" },
      sheet.players.map((player, seat) => playerSheet(sheet, player, seat, names)),
    ),
    h(
      "p",
      { class: "small muted" },
      "The right to score a species goes to the highest sum of it left in hand; several may tie. An 8 counts 0 " +
        "against a 1 of the same species in another hand. A path climbs from card to neighbouring card and begins and " +
        "ends with the species that it scores.",
    ),
  );
}

/**
 * @param {Sheet} sheet
 * @param {Sheet["players"][number]} player
 * @param {number} seat
 * @param {string[]} names
 */
function playerSheet(sheet, player, seat, names) {
  const name = names[seat] ?? "";
  const won = sheet.winners.includes(seat);
  const rows = Object.entries(player.species);
  const paths = rows.filter(([, row]) => row.path_points > 0);
  const others = rows.filter(([, row]) => row.path_points === 0 && row.held.length > 0);
  return h(
    "section",
    { class: won ? "sheet-player won" : "sheet-player", "aria-label": `Score of ${name}` },
    h(
      "header",
      { class: "sheet-head" },
      h("h3", {}, name),
      won && h("span", { class: "badge badge-good" }, sheet.winners.length > 1 ? "Shares the win" : "Wins"),
      h("span", { class: "sheet-score" }, sheet.scores[seat]),
    ),
    h(
      "ul",
      { class: "sheet-rows" },
      paths.length === 0 && h("li", { class: "sheet-row muted" }, "No path."),
      paths.map(([letter, row]) => rowOf(letter, row, names)),
    ),
    others.length > 0 &&
      h(
        "details",
        { class: "sheet-others" },
        h("summary", {}, `Held without a path: ${others.map(([letter]) => SPECIES[letter] ?? letter).join(", ")}`),
        h(
          "ul",
          { class: "sheet-rows" },
          others.map(([letter, row]) => rowOf(letter, row, names)),
        ),
      ),
    h("p", { class: "small muted" }, `Species planted, which break a tie: ${player.distinct_species}.`),
  );
}

/**
 * @param {string} letter
 * @param {SheetRow} row
 * @param {string[]} names
 */
function rowOf(letter, row, names) {
  const path =
    row.best_path.length > 0 &&
    h(
        "span",
        { class: row.right ? "sheet-path" : "sheet-path denied" },
        row.best_path.map((card) => h("span", { class: "sheet-card" }, cardFigure(card))),
    );
  const points = row.right ? `${row.points}` : "0";
  return h(
    "li",
    { class: row.right ? "sheet-row" : "sheet-row denied" },
    h("span", { class: "sheet-species" }, SPECIES[letter] ?? letter),
    h("span", { class: "sheet-points" }, points),
    path,
    h(
      "span",
      { class: "sheet-reason small" },
      withNames(row.explanation, names),
      !row.right && row.path_points > 0 && h("strong", {}, ` ${row.path_points} points lost.`),
    ),
  );
}
