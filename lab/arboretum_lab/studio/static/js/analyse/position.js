// @ts-check
/** One position: chances on cards and cells, rights, beliefs, and what held cards deny. */

import { cardBack, cardFigure, cardName } from "../cards.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { beliefPanel } from "./beliefs.js";
import { deniedPanel } from "./denied.js";
import { percent, points, shown } from "./figures.js";
import { segmented } from "./game.js";
import { analyse, guarded } from "./job.js";
import { board, chanceCard, chancePlace } from "./picture.js";
import { rightsPanel } from "./rights.js";

/** @typedef {import("./types.js").Desk} Desk */
/** @typedef {import("./types.js").Figure} Figure */
/** @typedef {import("./types.js").PositionResult} PositionResult */

const LISTED = 8;
const VERBS = /** @type {Record<string, string>} */ ({
  draw_first: "a first draw",
  draw_second: "a second draw",
  play: "a card to plant",
  place: "a cell to plant on",
  discard: "a discard",
});

/**
 * @param {Desk} desk
 * @param {number|null} first the position that is shown first; null: the last one
 */
export function positionPart(desk, first) {
  let at = first;
  /** @type {HTMLElement|null} */
  let place = null;
  /** @type {AbortSignal|null} */
  let signal = null;
  let inner = new AbortController();
  let last = Infinity;

  const again = () => {
    if (place && signal) void show(place, signal);
  };
  /** @param {HTMLElement} where @param {AbortSignal} until */
  const show = (where, until) => {
    [place, signal] = [where, until];
    inner.abort();
    inner = new AbortController();
    const mine = inner.signal;
    until.addEventListener("abort", () => inner.abort(), { once: true });
    const { game, arb } = desk.subject;
    const question = { kind: "position", game, arb, ...desk.method(), seat: desk.seat(), ...(at === null ? {} : { at }) };
    const result = h("div", { class: "stack" });
    const bar = h("div", {}, navigation());
    fill(where, bar, result);
    return guarded(result, mine, async () => {
      const { result: found } = await analyse(result, question, "Looking at the position", mine);
      [at, last] = [found.at, found.last_at];
      fill(bar, navigation());
      showFound(result, found);
      desk.context.announce(`Position ${at} of ${last} is analysed.`);
    });
  };
  /** @param {number} by */
  const step = (by) => {
    at = Math.min(last, Math.max(0, (at ?? 0) + by));
    again();
  };
  const navigation = () => {
    const number = h("input", { type: "number", id: "analysis-at", min: "0", step: "1", class: "input position-number", placeholder: "now" });
    if (at !== null) number.value = String(at);
    number.addEventListener("change", () => {
      at = number.value === "" ? null : Math.max(0, Math.round(Number(number.value)));
      again();
    });
    const back = h("button", { type: "button", class: "button-icon", "aria-label": "The position before", disabled: at === null || at === 0, onclick: () => step(-1) }, icon("back"));
    const on = h("button", { type: "button", class: "button-icon", "aria-label": "The next position", disabled: at === null || at >= last, onclick: () => step(1) }, icon("forward"));
    const now = h("button", { type: "button", class: "button button-quiet", onclick: () => { at = null; again(); } }, "Latest");
    return h("div", { class: "row position-navigation" }, back, h("label", { for: "analysis-at" }, "After decisions"), number, h("span", { class: "muted" }, last < Infinity && `of ${last}`), on, now);
  };
  return {
    show,
    step,
    /** @param {number} to */
    setAt: (to) => {
      at = to;
    },
  };
}

/**
 * @param {HTMLElement} place
 * @param {PositionResult} found
 */
function showFound(place, found) {
  const name = found.names[found.seat] ?? "";
  const mover = found.names[found.mover] ?? "";
  const task = VERBS[found.phase];
  fill(
    place,
    h(
      "section",
      { class: "panel stack" },
      h(
        "div",
        { class: "row row-spread" },
        h("h2", {}, task ? `Turn ${found.turn + 1}: ${mover} chooses ${task}` : "The game is over"),
        h("dl", { class: "headline" }, h("dt", {}, `Margin of ${name}`), h("dd", {}, shown(found.margin, points)), h("dt", {}, "Chance to win"), h("dd", {}, shown(found.win_chance, percent))),
      ),
      found.chances ? chancesOf(found, found.chances) : h("p", { class: "muted" }, task ? `${name} is not to move: there is nothing to choose.` : "Nothing is left to choose."),
      table(found),
    ),
    rightsPanel(found),
    h("div", { class: "analysis-pair" }, beliefPanel(found), deniedPanel(found)),
    h("details", { class: "panel" }, h("summary", {}, "The position in words"), h("pre", { class: "position-text" }, found.text)),
  );
}

/**
 * What the agent would do, in words and as a list.
 *
 * @param {PositionResult} found
 * @param {import("./types.js").Chances} chances
 */
function chancesOf(found, chances) {
  const listed = chances.moves.slice(0, LISTED);
  const rest = chances.moves.length - listed.length;
  return h(
    "div",
    { class: "stack chances-words" },
    h("p", {}, h("strong", {}, `${found.method.agent} plays ${chances.best}. `), chances.explanation),
    h(
      "ol",
      { class: "chance-list" },
      listed.map(({ move, chance }) => h("li", {}, h("span", { class: "chance-move" }, move), shown(chance, percent))),
    ),
    rest > 0 && h("p", { class: "muted small" }, `and ${rest} more`),
    chances.value && h("p", { class: "small muted" }, `It expects a return of `, shown(chances.value, (value) => value.toFixed(2).replace(/^-0\.00$/, "0.00").replace("-", "−")), ", on the scale that it learned or searches by."),
  );
}

/**
 * The table with the chances on it.
 *
 * @param {PositionResult} found
 */
function table(found) {
  const chances = found.chances;
  const planting = found.phase === "play" || found.phase === "place";
  const drawing = found.phase.startsWith("draw");
  const boards = h("div", { class: "analysis-boards", "data-players": found.players });
  const order = found.names.map((_, number) => (found.seat + number) % found.players);
  /** @param {string} card `` for all cards together */
  const draw = (card) => {
    const cells = !chances || !planting ? {} : card ? cellsOf(chances, card) : chances.cells;
    fill(
      boards,
      order.map((seat) =>
        h(
          "section",
          { class: "analysis-board", "data-own": seat === found.seat },
          h("h3", {}, found.names[seat] ?? ""),
          board(found.boards[seat] ?? "", seat === found.seat ? cells : {}, card ? `of planting ${cardName(card)} here` : "of planting here"),
        ),
      ),
    );
  };
  draw("");
  const planted = chances && found.phase === "play" ? Object.keys(chances.cards).sort() : [];
  const names = Object.fromEntries([["", "All cards"], ...planted.map((card) => [card, card])]);
  const own = h(
    "div",
    { class: "chance-hand", role: "group", "aria-label": `Hand of ${found.names[found.seat] ?? ""}` },
    found.hand.map((card) => chanceCard(card, drawing ? undefined : chances?.cards[card], planting ? "to be planted" : "to be discarded")),
  );
  const deckChance = chances?.moves.find((each) => each.move === "d")?.chance;
  const piles = h(
    "div",
    { class: "chance-hand", role: "group", "aria-label": "Deck and discard piles" },
    chancePlace(cardBack(), `Deck, ${found.deck}`, drawing ? deckChance : undefined),
    found.piles.map((pile, seat) => {
      const top = pile.at(-1);
      const face = top ? cardFigure(top) : h("span", { class: "pile-empty" });
      return chancePlace(face, `${found.names[seat]}’s pile`, drawing && top ? chances?.cards[top] : undefined);
    }),
  );
  return h(
    "div",
    { class: "stack" },
    planted.length > 1 && h("div", { class: "row" }, h("span", { class: "label" }, "Cells for"), segmented("Cells for which card", ["", ...planted], names, draw)),
    boards,
    h("div", { class: "analysis-cards" }, h("div", {}, h("h3", {}, "Hand"), own), h("div", {}, h("h3", {}, "Draws"), piles)),
  );
}

/**
 * @param {import("./types.js").Chances} chances
 * @param {string} card
 * @returns {Record<string, Figure>}
 */
function cellsOf(chances, card) {
  const found = chances.moves.filter(({ move }) => move.startsWith(`${card}@`));
  return Object.fromEntries(found.map(({ move, chance }) => [move.split("@")[1] ?? "", chance]));
}
