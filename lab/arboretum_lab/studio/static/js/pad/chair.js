// @ts-check
/** `#/pad/chair`: a real game, noted event by event from one seat. The text stays in this browser. */

import { ApiError, saveFile } from "../api.js";
import { cardFigure, cardName } from "../cards.js";
import { confirmDialog } from "../dialog.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { complain, notify } from "../notice.js";
import { pickCard } from "../parts/picker.js";
import { tabs } from "../parts/toggles.js";
import { arboretum } from "../table/arboretum.js";
import { scoreSheet } from "../table/sheet.js";
import { keepPad } from "./board.js";
import { chairAdvice } from "./chair_advice.js";
import { chairSetup } from "./chair_setup.js";
import { PAGES } from "./pages.js";

const KEY = "arboretum.chair";

/**
 * @typedef {object} Moment what the server says of a record
 * @property {string} arb
 * @property {number} players
 * @property {number} seat
 * @property {string[]} names
 * @property {number} mover
 * @property {import("../types.js").PhaseName} phase
 * @property {number} turn
 * @property {number} deck
 * @property {boolean} over
 * @property {string[]} hand
 * @property {string[][]} known hand cards that are known, per seat
 * @property {number[]} hidden how many are not
 * @property {string[][]} piles
 * @property {[number, number, string][][]} arboreta
 * @property {string[]} log four events a turn
 * @property {string[]} boards
 * @property {string} text
 * @property {{deck: boolean, piles: {seat: number, card: string}[], cards: string[]}} choices
 * @property {string[]} notes
 * @property {import("../types.js").Sheet|null} sheet
 */

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").ViewContext} context
 */
export async function mountChair(root, context) {
  /** @param {Moment} moment */
  const keep = (moment) => localStorage.setItem(KEY, JSON.stringify({ arb: moment.arb, seat: moment.seat }));
  const again = () => {
    localStorage.removeItem(KEY);
    chairSetup(root, context, begin);
  };
  /** @param {Moment} moment */
  const begin = (moment) => {
    keep(moment);
    notes(root, context, moment, keep, again);
  };
  const kept = localStorage.getItem(KEY);
  if (!kept) {
    again();
    return;
  }
  try {
    begin(await context.api.post("/api/chair/read", JSON.parse(kept)));
  } catch (problem) {
    if (problem instanceof ApiError && problem.status === 0) throw problem;
    chairSetup(root, context, begin);
    complain(problem);
  }
}

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").ViewContext} context
 * @param {Moment} first
 * @param {(moment: Moment) => void} keep
 * @param {() => void} again
 */
function notes(root, context, first, keep, again) {
  let now = first;
  /** @type {string|null} */
  let planting = null;
  let busy = false;

  const task = h("div", { class: "chair-task panel stack", "aria-live": "polite" });
  const hand = h("div", { class: "chair-hand" });
  const log = h("ol", { class: "chair-log" });
  const end = h("div", {});
  const boards = Array.from({ length: now.players }, (_, seat) =>
    arboretum(seat, {
      onplant: (action) => {
        const cell = boards[seat]?.element.querySelector(`g.cell[data-action="${action}"]`)?.getAttribute("data-cell");
        if (!planting) notify("First choose the card that is planted.");
        else void note(`${planting}@${cell}`);
      },
    }),
  );
  const advice = chairAdvice(context, () => now);

  /** @param {string} path @param {object} more */
  const send = async (path, more) => {
    if (busy) return;
    busy = true;
    const parts = [task, ...boards.map((board) => board.element)];
    const from = document.activeElement;
    const focused = parts.some((part) => part.contains(from)) || Boolean(from?.closest("dialog"));
    // What is shown is out of date until the answer is here.
    for (const part of parts) part.inert = true;
    try {
      now = await context.api.post(`/api/chair/${path}`, { arb: now.arb, seat: now.seat, ...more });
      planting = null;
      keep(now);
      show();
      context.announce(taskWords());
    } catch (problem) {
      complain(problem);
    } finally {
      busy = false;
      for (const part of parts) part.inert = false;
      if (focused) task.querySelector("button")?.focus({ preventScroll: true });
    }
  };
  /** @param {string} event */
  const note = (event) => send("note", { event });

  /** @param {number} seat */
  const nameOf = (seat) => now.names[seat] || `Seat ${seat + 1}`;
  const mine = () => now.mover === now.seat;

  const taskWords = () => {
    if (now.over) return "The game is over.";
    const who = mine() ? "You" : nameOf(now.mover);
    const s = mine() ? "" : "s";
    if (planting) return `${who} plant${s} ${cardName(planting)}: where? Tap the cell.`;
    return (
      {
        draw_first: `${who} draw${s} a first card.`,
        draw_second: `${who} draw${s} a second card.`,
        play: `${who} plant${s}: which card?`,
        discard: `${who} discard${s}: which card?`,
      }[/** @type {string} */ (now.phase)] ?? ""
    );
  };

  /** @param {string} title @param {(card: string) => void} onpick */
  const choose = (title, onpick) =>
    pickCard({
      title,
      note: mine() ? undefined : "Cards that you know to lie elsewhere are not offered.",
      cards: () => now.choices.cards,
      onpick: (card) => {
        onpick(card);
        return true;
      },
    });

  /** The buttons that note what happens next. */
  const buttons = () => {
    const { choices, phase } = now;
    /** @param {string} words @param {() => void} run @param {Node} [figure] */
    const option = (words, run, figure) =>
      h("button", { type: "button", class: "button chair-option", onclick: run }, figure, words);
    if (phase === "draw_first" || phase === "draw_second") {
      return [
        choices.deck &&
          option("From the deck", () => (mine() ? choose("Which card did you draw?", (card) => void note(`d(${card})`)) : void note("?"))),
        ...choices.piles.map((pile) =>
          option(
            pile.seat === now.mover ? "From the own pile" : `From ${nameOf(pile.seat)}'s pile`,
            () => void note(`p${pile.seat}`),
            h("span", { class: "card-chip" }, cardFigure(pile.card)),
          ),
        ),
      ];
    }
    /** @param {(card: string) => void} onpick @param {string} title */
    const cardButtons = (onpick, title) =>
      mine()
        ? choices.cards.map((card) =>
            h(
              "button",
              { type: "button", class: planting === card ? "pad-held chosen" : "pad-held", "data-card": card, "aria-label": cardName(card), "aria-pressed": String(planting === card), onclick: () => onpick(card) },
              cardFigure(card, { decorative: true }),
            ),
          )
        : [option(planting ? "Another card" : "Choose the card", () => choose(title, onpick))];
    if (phase === "play") {
      return cardButtons((card) => {
        planting = card;
        show();
        boards[now.mover]?.focus();
      }, `${nameOf(now.mover)} plants`);
    }
    if (phase === "discard") return cardButtons((card) => void note(`x${card}`), `${nameOf(now.mover)} discards`);
    return [];
  };

  const show = () => {
    fill(task, h("p", { class: "chair-words" }, taskWords()), h("div", { class: "row" }, buttons()));
    for (const [seat, board] of boards.entries()) {
      const known = now.known[seat] ?? [];
      const pile = now.piles[seat] ?? [];
      board.element.toggleAttribute("data-planting", seat === now.mover && planting !== null);
      board.update(now.boards[seat] ?? "", {
        title: seat === now.seat ? `${nameOf(seat)} (your chair)` : nameOf(seat),
        badges: [
          ...(pile.length ? [h("span", { class: "badge" }, `pile: ${pile.at(-1)}${pile.length > 1 ? ` +${pile.length - 1}` : ""}`)] : []),
          ...(seat !== now.seat && known.length ? [h("span", { class: "badge badge-hint" }, `holds ${known.join(" ")}`)] : []),
        ],
        card: seat === now.mover ? planting : null,
        advised: null,
        active: seat === now.mover && !now.over,
      });
    }
    fill(
      hand,
      h("span", { class: "label" }, `Your hand, ${now.deck} cards in the deck`),
      h("div", { class: "pad-hand" }, now.hand.map((card) => h("span", { class: "pad-held" }, cardFigure(card)))),
    );
    fill(log, turns(now).map((line) => h("li", {}, line)));
    fill(
      end,
      now.notes.map((words) => h("p", { class: "muted small" }, words)),
      now.sheet && scoreSheet(now.sheet, now.names),
    );
    advice.update();
  };

  const toPad = () => {
    keepPad({
      board: { players: now.arboreta.map((planted, seat) => ({ hand: now.known[seat] ?? [], arboretum: planted })) },
      names: now.names,
    });
    context.go("#/pad");
  };
  const restart = async () => {
    if (await confirmDialog("A new game", "The notes of this one are forgotten unless you save them first.", "Forget them")) again();
  };
  /** @param {string} words @param {string} name @param {() => void} run */
  const tool = (words, name, run) => h("button", { type: "button", class: "button", onclick: run }, icon(name), words);

  root.replaceChildren(
    h(
      "div",
      { class: "page stack chair" },
      tabs("Score pad", PAGES, "#/pad/chair"),
      h("h1", { class: "page-title" }, "Notes from your chair"),
      task,
      h(
        "div",
        { class: "row" },
        tool("Strike out the last", "undo", () => void send("undo", {})),
        tool("Save", "download", () => saveFile("game.arb", new Blob([now.arb], { type: "text/plain" }))),
        tool("To the score pad", "sheet", toPad),
        tool("New game", "close", () => void restart()),
      ),
      h("div", { class: "chair-boards" }, boards.map((board) => board.element)),
      hand,
      advice.element,
      end,
      h("section", { class: "panel stack", "aria-labelledby": "chair-log" }, h("h2", { id: "chair-log" }, "Noted so far"), log),
    ),
  );
  show();
}

/**
 * The log, a line a turn.
 *
 * @param {Moment} now
 */
function turns(now) {
  const lines = [];
  for (let at = 0; at < now.log.length; at += 4) {
    const seat = (at / 4) % now.players;
    lines.push(`${now.names[seat] || `Seat ${seat + 1}`}: ${now.log.slice(at, at + 4).join("  ")}`);
  }
  return lines;
}
