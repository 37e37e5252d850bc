// @ts-check
/** The answer of a puzzle, and what speaks for it. */

import { h } from "../dom.js";
import { capital } from "./pictures.js";

/**
 * @typedef {object} Judged
 * @property {boolean} right
 * @property {string[]} answer
 * @property {string} feedback
 * @property {string} source
 * @property {{seat?: number, move?: string, text: string}[]} account
 * @property {{move: string, worth: number, worth_half: number, wins: number, wins_half: number}[]} [options]
 * @property {string} [measure]
 * @property {Record<string, string>} [others]
 * @property {string[]} [pictures]
 */

/**
 * @param {Judged} judged
 * @param {string[]} tried
 * @param {import("./puzzles.js").Puzzle} puzzle
 * @returns {Node[]}
 */
export function answerPanel(judged, tried, puzzle) {
  const names = puzzle.names ?? [];
  return [
    h("p", { class: judged.right ? "learn-feedback learn-right" : "learn-feedback learn-wrong" }, judged.feedback),
    h(
      "ul",
      { class: "learn-account" },
      judged.account.map((line) =>
        h("li", {}, h("strong", {}, line.move ?? capital(names[line.seat ?? 0] ?? "")), ": ", line.text),
      ),
    ),
    ...(judged.options ? [optionTable(judged, tried)] : []),
    ...(judged.others ? [h("p", { class: "small" }, "Others chose: ", Object.entries(judged.others).map(([name, move]) => `${name} ${move}`).join(", "), ".")] : []),
    h("p", { class: "small muted" }, `${judged.measure ?? "Exact: all hands are open."} ${judged.source}.`),
  ];
}

/**
 * @param {Judged} judged
 * @param {string[]} tried
 */
function optionTable(judged, tried) {
  return h(
    "div",
    { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "All choices" },
    h(
      "table",
      { class: "table learn-options" },
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col" }, "Choice"), h("th", { scope: "col" }, "Wins"), h("th", { scope: "col", class: "number" }, "95 %")),
      ),
      h(
        "tbody",
        {},
        (judged.options ?? []).map((option) => {
          const mine = tried.includes(option.move);
          const best = judged.answer.includes(option.move);
          return h(
            "tr",
            { class: best ? "best" : mine ? "mine" : undefined },
            h("th", { scope: "row" }, option.move, best && h("span", { class: "badge badge-good" }, "best"), mine && h("span", { class: "badge" }, "yours")),
            h("td", {}, h("meter", { min: 0, max: 1, value: option.wins, "aria-hidden": "true" })),
            h("td", { class: "number" }, `${(100 * option.wins).toFixed(0)} ± ${(100 * option.wins_half).toFixed(0)} %`),
          );
        }),
      ),
    ),
  );
}
