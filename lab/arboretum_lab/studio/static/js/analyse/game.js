// @ts-check
/** A whole game: its value over time, what it was made of, and the largest swings. */

import { fill, h } from "../dom.js";
import { lineChart } from "./chart.js";
import { percent, points, shown } from "./figures.js";
import { analyse, guarded } from "./job.js";
import { luckBars } from "./luck.js";
import { moveWords } from "./words.js";

/** @typedef {import("./types.js").Desk} Desk */
/** @typedef {import("./types.js").GameResult} GameResult */
/** @typedef {import("./types.js").OpenResult} OpenResult */
/** @typedef {import("./types.js").Swing} Swing */

const SWINGS = 10;

/**
 * @param {HTMLElement} place
 * @param {Desk} desk
 * @param {boolean} open with open cards, instead of a seat's standpoint
 * @param {AbortSignal} signal
 */
export function showGame(place, desk, open, signal) {
  const { game, arb } = desk.subject;
  const question = { kind: open ? "open" : "game", game, arb, ...desk.method(), ...(open ? {} : { seat: desk.seat() }) };
  return guarded(place, signal, async () => {
    const { result } = await analyse(place, question, "Playing the game on from every position", signal);
    if (open) openCards(place, desk, result);
    else seatGame(place, desk, result);
    desk.context.announce("The analysis of the game is done.");
  });
}

/**
 * @param {HTMLElement} place
 * @param {Desk} desk
 * @param {GameResult} found
 */
function seatGame(place, desk, found) {
  const { swings, last, last_win_chance: lastChance } = found.split;
  const name = found.names[found.split.seat] ?? "";
  const marks = swings.filter((swing) => swing.mistake).map((swing) => swing.at);
  const common = { last: found.last_at, marks, onpick: desk.lookAt };
  const bars = luckBars(swings, found.last_at);
  /** @param {string} metric */
  const chartOf = (metric) => {
    /** @type {(swing: Swing, index: number) => import("./types.js").Figure} */
    const pick = (swing, index) =>
      metric === "win" ? swing.win_chance : metric === "network" ? (found.network_values?.[index] ?? swing.margin) : swing.margin;
    const line = swings.map((swing, index) => ({ at: swing.at, figure: pick(swing, index) }));
    if (metric !== "network") line.push({ at: found.last_at, figure: metric === "win" ? lastChance : last });
    return lineChart({
      ...common,
      label: `${METRICS[metric]} of ${name} over the game, from ${name}’s own view; ${marks.length} mistakes marked`,
      series: [{ name, points: line }],
      format: metric === "win" ? percent : points,
      range: metric === "win" ? [0, 1] : metric === "network" ? [-0.5, 0.5] : [-5, 5],
      onmove: bars.moveTo,
    });
  };
  const chart = h("div", {});
  let current = chartOf("margin");
  fill(chart, current.element);
  const choices = ["margin", "win", ...(found.network_values ? ["network"] : [])];
  const metric = segmented("What the chart shows", choices, METRICS, (choice) => {
    current = chartOf(choice);
    fill(chart, current.element);
  });
  fill(
    place,
    h(
      "section",
      { class: "panel stack" },
      h("div", { class: "row row-spread" }, h("h2", {}, `How ${name} stood`), metric),
      chart,
      bars.element,
    ),
    ledger(found),
    h(
      "section",
      { class: "panel stack" },
      h("h2", {}, "Largest swings"),
      swingTable(swings, (swing) => {
        current.moveTo(swing.at);
        chart.scrollIntoView({ block: "center" });
      }, desk),
    ),
  );
}

const METRICS = /** @type {Record<string, string>} */ ({
  margin: "Expected margin",
  win: "Chance to win",
  network: "Network’s value",
});

/**
 * Where the points came from: the parts sum to the end.
 *
 * @param {GameResult} found
 */
function ledger(found) {
  const { start, last, decisions, draws, rivals } = found.split;
  /** @param {string} name @param {Node|string} value @param {string} words @param {string} sign */
  const entry = (name, value, words, sign) =>
    h(
      "div",
      { class: "ledger-entry" },
      h("span", { class: "ledger-sign", "aria-hidden": "true" }, sign),
      h("dt", {}, name, h("span", { class: "ledger-words muted small" }, words)),
      h("dd", {}, value),
    );
  return h(
    "section",
    { class: "panel stack" },
    h("h2", {}, "Luck and decisions"),
    h(
      "dl",
      { class: "ledger" },
      entry("At the start", shown(start, points), "expected margin at the first decision", ""),
      entry("Decisions", shown(decisions, points), `against the play of ${found.method.reference}`, "+"),
      entry("Luck of draws", shown(draws, points), "cards that came from the deck", "+"),
      entry("Rivals", shown(rivals, points), "what they did, and the cards they drew", "+"),
      entry("Now", shown(last, points), "the parts sum to this, to the last bit", "="),
    ),
    h(
      "p",
      { class: "muted small" },
      `Points of margin: own points less the mean of the others’. ${found.method.reference} plays on in every seat of ` +
        `${found.method.worlds} worlds that this seat could not tell apart at the time, all alike likely; before and after a move they are the same worlds.`,
    ),
  );
}

/**
 * @param {Swing[]} swings
 * @param {(swing: Swing) => void} onshow
 * @param {Desk} desk
 */
function swingTable(swings, onshow, desk) {
  const largest = [...swings].sort((a, b) => Math.abs(b.swing.value) - Math.abs(a.swing.value)).slice(0, SWINGS);
  const luckOf = { draw: "the card drawn", rivals: "the rivals’ turns", none: "" };
  return h(
    "div",
    { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Largest swings" },
    h(
      "table",
      { class: "table swings" },
      h("thead", {}, h("tr", {}, ["Move", "Swing", "Decision", "Luck", "Position"].map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        {},
        largest.map((swing) =>
          h(
            "tr",
            {},
            h(
              "th",
              { scope: "row" },
              h("button", { type: "button", class: "link-button", onclick: () => onshow(swing), title: "Show it in the chart" }, moveWords(swing.move)),
              h("span", { class: "muted small" }, ` turn ${swing.turn + 1}`),
              swing.mistake && [" ", h("span", { class: "badge badge-danger" }, "mistake")],
            ),
            h("td", {}, shown(swing.swing, points)),
            h("td", {}, shown(swing.decision, points)),
            h("td", {}, swing.luck_of === "none" ? h("span", { class: "muted" }, "nothing new was seen") : [shown(swing.luck, points), h("span", { class: "muted small swing-luck" }, luckOf[swing.luck_of])]),
            h("td", {}, h("button", { type: "button", class: "button button-quiet", onclick: () => desk.lookAt(swing.at), "aria-label": `Look at the position before: ${moveWords(swing.move)}` }, "Look")),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {HTMLElement} place
 * @param {Desk} desk
 * @param {OpenResult} found
 */
function openCards(place, desk, found) {
  const chart = h("div", {});
  /** @param {string} metric */
  const draw = (metric) =>
    fill(
      chart,
      lineChart({
        label: `${METRICS[metric]} of every seat over the game, with open cards`,
        series: found.names.map((name, seat) => ({
          name: `${name} (seat ${seat + 1})`,
          points: found.points.map((point) => ({
            at: point.at,
            figure: /** @type {import("./types.js").Figure} */ ((metric === "win" ? point.win_chances : point.margins)[seat]),
          })),
        })),
        format: metric === "win" ? percent : points,
        range: metric === "win" ? [0, 1] : [-5, 5],
        last: found.last_at,
        marks: [],
        onpick: desk.lookAt,
        onmove: () => {},
      }).element,
    );
  draw("margin");
  fill(
    place,
    h(
      "section",
      { class: "panel stack" },
      h("div", { class: "row row-spread" }, h("h2", {}, "With open cards"), segmented("What the chart shows", ["margin", "win"], METRICS, draw)),
      h("p", { class: "muted small" }, `Every hand is known, the deck’s order is not: ${found.method.reference} plays on in ${found.method.worlds} orders of it.`),
      chart,
    ),
  );
}

/**
 * @param {string} label
 * @param {string[]} choices
 * @param {Record<string, string>} names
 * @param {(choice: string) => void} onchoose
 */
export function segmented(label, choices, names, onchoose) {
  const buttons = choices.map((choice, index) =>
    h("button", { type: "button", "aria-pressed": index === 0 ? "true" : "false", onclick: () => choose(choice) }, names[choice] ?? choice),
  );
  /** @param {string} choice */
  const choose = (choice) => {
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(choices[index] === choice)));
    onchoose(choice);
  };
  return h("div", { class: "segmented", role: "group", "aria-label": label }, buttons);
}
