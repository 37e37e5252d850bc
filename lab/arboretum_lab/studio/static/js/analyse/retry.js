// @ts-check
/** Retry my mistakes: the position as it was, nothing of what came; the answer after a try. */

import { cardBack, cardFigure, cardName } from "../cards.js";
import { fill, h } from "../dom.js";
import { points, shown } from "./figures.js";
import { analyse, guarded } from "./job.js";
import { bareBoard } from "./picture.js";

/** @typedef {import("./types.js").Desk} Desk */
/** @typedef {import("./types.js").Seen} Seen */
/** @typedef {import("./types.js").Attempt} Attempt */

/**
 * @param {HTMLElement} place
 * @param {Desk} desk
 * @param {AbortSignal} signal
 */
export function showMistakes(place, desk, signal) {
  const { game, arb } = desk.subject;
  const question = { kind: "mistakes", game, arb, ...desk.method(), seat: desk.seat() };
  return guarded(place, signal, async () => {
    const { id, result } = await analyse(place, question, "Looking for mistakes", signal);
    if (!result.mistakes.length) {
      fill(place, h("section", { class: "panel" }, h("h2", {}, "No mistakes found"), h("p", {}, `No decision of ${result.names[result.standpoint]} lost more than its interval against the play of ${result.method.reference}. More worlds see finer.`)));
      return;
    }
    exercise(place, desk, id, result, 0, signal);
  });
}

/**
 * @param {HTMLElement} place
 * @param {Desk} desk
 * @param {string} id of the job
 * @param {import("./types.js").MistakesResult} found
 * @param {number} index
 * @param {AbortSignal} signal
 */
function exercise(place, desk, id, found, index, signal) {
  const seen = found.mistakes[index];
  if (!seen) return;
  const answer = h("div", { class: "retry-answer", "aria-live": "polite" });
  const count = found.mistakes.length;
  const title = h("h2", { tabindex: "-1" }, `${index + 1} of ${count}: turn ${seen.turn + 1}, ${TASKS[seen.phase] ?? ""}`);
  const next = h(
    "div",
    { class: "row" },
    h("button", { type: "button", class: "button", disabled: index === 0, onclick: () => exercise(place, desk, id, found, index - 1, signal) }, "Before"),
    h("button", { type: "button", class: "button", disabled: index === count - 1, onclick: () => exercise(place, desk, id, found, index + 1, signal) }, "Next"),
  );
  /** @param {string} move */
  const attempt = (move) =>
    guarded(answer, signal, async () => {
      fill(answer, h("p", { role: "status" }, h("span", { class: "busy", "aria-hidden": "true" }), ` Playing ${move} out …`));
      verdict(answer, await desk.context.api.post(`/api/analysis/${id}/try`, { index, move }), found.method.reference);
    });
  fill(
    place,
    h(
      "section",
      { class: "panel stack retry" },
      h("div", { class: "row row-spread" }, title, next),
      h("p", { class: "muted" }, "The move of the game lost points here. What would you play now? What was played, and what came, is hidden until you have tried."),
      choices(seen, (move) => void attempt(move)),
      answer,
      tableOf(seen, (move) => void attempt(move)),
    ),
  );
  title.focus({ preventScroll: true });
}

const TASKS = /** @type {Record<string, string>} */ ({
  draw_first: "first draw",
  draw_second: "second draw",
  play: "plant a card",
  place: "plant the card",
  discard: "discard",
});

/**
 * Every choice as a button or in a list: complete by keyboard, whatever the picture offers.
 *
 * @param {Seen} seen
 * @param {(move: string) => void} ontry
 */
function choices(seen, ontry) {
  if (seen.phase !== "play" && seen.phase !== "place") {
    return h("div", { class: "row retry-moves" }, seen.moves.map((move) => h("button", { type: "button", class: "button", onclick: () => ontry(move) }, words(move, seen))));
  }
  const cards = [...new Set(seen.moves.map((move) => move.split("@")[0] ?? ""))];
  const card = h("select", { id: "retry-card" }, cards.map((each) => h("option", { value: each }, cardName(each))));
  const cell = h("select", { id: "retry-cell" });
  const fillCells = () =>
    fill(cell, seen.moves.filter((move) => move.startsWith(`${card.value}@`)).map((move) => h("option", { value: move }, move.split("@")[1])));
  card.addEventListener("change", fillCells);
  fillCells();
  return h(
    "form",
    { class: "row retry-form", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); ontry(cell.value); } },
    h("div", { class: "field" }, h("label", { for: "retry-card" }, "Card"), card),
    h("div", { class: "field" }, h("label", { for: "retry-cell" }, "Cell, or choose it in the picture"), cell),
    h("button", { type: "submit", class: "button button-primary" }, "Plant"),
  );
}

/** @param {string} move @param {Seen} seen */
function words(move, seen) {
  if (move === "d") return "Draw from the deck";
  if (move.startsWith("x")) return `Discard ${cardName(move.slice(1))}`;
  const owner = Number(move[1]);
  const whose = owner === seen.seat ? "your" : `${seen.names[owner]}’s`;
  return `Take ${cardName(move.slice(3, 5))} from ${whose} pile`;
}

/**
 * @param {Seen} seen
 * @param {(move: string) => void} ontry
 */
function tableOf(seen, ontry) {
  const order = seen.names.map((_, number) => (seen.seat + number) % seen.players);
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "analysis-boards", "data-players": seen.players },
      order.map((seat) => {
        const picture = bareBoard(seen.boards[seat] ?? "");
        if (seat === seen.seat) wireCells(picture, ontry);
        return h("section", { class: "analysis-board", "data-own": seat === seen.seat }, h("h3", {}, seen.names[seat] ?? ""), picture);
      }),
    ),
    h(
      "div",
      { class: "analysis-cards" },
      h("div", {}, h("h3", {}, "Your hand"), h("div", { class: "chance-hand" }, seen.hand.map((card) => h("figure", { class: "chance-card" }, cardFigure(card))))),
      h(
        "div",
        {},
        h("h3", {}, "Deck and piles"),
        h(
          "div",
          { class: "chance-hand" },
          h("figure", { class: "chance-card chance-place" }, cardBack(), h("figcaption", { class: "small muted" }, `Deck, ${seen.deck}`)),
          seen.piles.map((pile, seat) => {
            const top = pile.at(-1);
            return h("figure", { class: "chance-card chance-place" }, top ? cardFigure(top) : h("span", { class: "pile-empty" }), h("figcaption", { class: "small muted" }, `${seen.names[seat]}`));
          }),
        ),
      ),
    ),
  );
}

/**
 * Cells of the picture plant the card that is chosen in the form.
 *
 * @param {SVGSVGElement} picture
 * @param {(move: string) => void} ontry
 */
function wireCells(picture, ontry) {
  /** @param {Event} event */
  const plant = (event) => {
    const cell = event.target instanceof Element ? event.target.closest("g.cell") : null;
    const card = /** @type {HTMLSelectElement|null} */ (document.querySelector("#retry-card"))?.value;
    if (!cell || !card) return;
    event.preventDefault();
    ontry(`${card}@${cell.getAttribute("data-cell")}`);
  };
  picture.addEventListener("click", plant);
  picture.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") plant(event);
  });
}

/**
 * @param {HTMLElement} place
 * @param {Attempt} found
 * @param {string} reference
 */
function verdict(place, found, reference) {
  const better = found.better.interval ? found.better.interval[0] > 0 : found.better.value > 0;
  const worse = found.better.interval ? found.better.interval[1] < 0 : found.better.value < 0;
  const same = found.tried === found.played;
  const head = same
    ? "That is what was played."
    : better
      ? "Better than what was played."
      : worse
        ? "Worse than what was played."
        : "About as good as what was played.";
  /** @param {string} name @param {string} move @param {import("./types.js").Figure} gap */
  const row = (name, move, gap) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, move), h("td", {}, shown(gap, points)));
  fill(
    place,
    h(
      "div",
      { class: "panel stack verdict", "data-kind": better ? "good" : same || worse ? "bad" : "even" },
      h("h3", {}, head),
      h(
        "table",
        { class: "table" },
        h("thead", {}, h("tr", {}, ["", "move", `margin against the play of ${reference}`].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, row("You now", found.tried, found.gap), row("In the game", found.played, found.played_gap)),
      ),
      h("p", {}, h("strong", {}, `${reference} plays ${found.reference}. `), found.explanation),
    ),
  );
}
