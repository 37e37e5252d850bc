// @ts-check
/** Begins a record that is noted from one chair, or opens one. */

import { ApiError } from "../api.js";
import { SPECIES } from "../cards.js";
import { fill, h } from "../dom.js";
import { cardRow } from "../parts/card_row.js";
import { anyOf, oneOf, tabs } from "../parts/toggles.js";
import { openText } from "./files.js";
import { PAGES } from "./pages.js";

const LETTERS = Object.keys(SPECIES);
const IN_PLAY = /** @type {Record<number, number>} */ ({ 2: 6, 3: 8, 4: 10 });
const HAND = 7;

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").ViewContext} context
 * @param {(moment: import("./chair.js").Moment) => void} onstart
 */
export function chairSetup(root, context, onstart) {
  let players = 2;
  let seat = 0;
  let starting = false;
  /** @type {Set<string>} */
  const species = new Set(LETTERS.slice(0, 6));
  /** @type {string[]} */
  let hand = [];
  /** @type {string[]} */
  let piles = [];
  /** @type {string[]} */
  const names = [];

  const form = h("div", { class: "panel stack" });
  const problem = h("p", { class: "field-error", role: "alert", hidden: true });

  const cards = () => {
    const used = new Set([...hand, ...piles]);
    return LETTERS.filter((letter) => species.has(letter))
      .flatMap((letter) => Array.from({ length: 8 }, (_, rank) => `${letter}${rank + 1}`))
      .filter((card) => !used.has(card));
  };

  const show = () =>
    fill(
      form,
      field("Players", oneOf("Players", [[2, "2"], [3, "3"], [4, "4"]], players, setPlayers)),
      field(
        "Who begins is seat 1; you sit in",
        oneOf("Your seat", Array.from({ length: players }, (_, k) => /** @type {[number, string]} */ ([k, `Seat ${k + 1}`])), seat, (value) => {
          seat = value;
          show();
        }),
      ),
      h(
        "div",
        { class: "chair-names" },
        Array.from({ length: players }, (_, k) => {
          const input = h("input", {
            class: "input",
            maxlength: 24,
            autocomplete: "off",
            "aria-label": `Name of seat ${k + 1}`,
            placeholder: k === seat ? "You" : `Seat ${k + 1}`,
          });
          input.value = names[k] ?? "";
          input.addEventListener("input", () => (names[k] = input.value));
          return input;
        }),
      ),
      field(
        `Species in play: ${species.size} of ${IN_PLAY[players]}`,
        anyOf(
          "Species in play",
          LETTERS.map((letter) => ({ value: letter, words: [SPECIES[letter] ?? letter] })),
          species,
          () => {
            hand = hand.filter((card) => species.has(card[0] ?? ""));
            show();
          },
        ),
      ),
      h(
        "label",
        { class: "check" },
        check(starting, (on) => {
          starting = on;
          show();
        }),
        h("span", {}, "Starting discards: every pile but seat 1's begins with a card"),
      ),
      field(
        "Your seven cards",
        cardRow({ title: "Your cards", note: `Choose ${HAND}.`, cards: () => hand, free: cards, most: () => HAND, onchange: (list) => (hand = list) }).element,
      ),
      starting &&
        field(
          "On the piles of seats 2 and on, in order",
          cardRow({
            title: "Starting discards",
            note: `Choose ${players - 1}.`,
            cards: () => piles,
            free: cards,
            most: () => players - 1,
            onchange: (list) => (piles = list),
          }).element,
        ),
      problem,
      h("button", { type: "button", class: "button button-primary", onclick: () => void start() }, "Begin to note"),
    );

  /** @param {number} count */
  const setPlayers = (count) => {
    players = count;
    seat = Math.min(seat, count - 1);
    // As many as the rules have, if they are still those that were proposed.
    species.clear();
    for (const letter of LETTERS.slice(0, IN_PLAY[count])) species.add(letter);
    show();
  };

  const start = async () => {
    problem.hidden = true;
    try {
      onstart(
        await context.api.post("/api/chair/new", {
          players,
          seat,
          species: LETTERS.filter((letter) => species.has(letter)).join(""),
          hand,
          starting_discards: starting,
          discards: starting ? [[], ...Array.from({ length: players - 1 }, (_, k) => piles.slice(k, k + 1))] : [],
          names: Array.from({ length: players }, (_, k) => names[k]?.trim() || (k === seat ? "You" : `Seat ${k + 1}`)),
        }),
      );
    } catch (error) {
      problem.textContent = error instanceof ApiError ? error.message : String(error);
      problem.hidden = false;
    }
  };

  show();
  root.replaceChildren(
    h(
      "div",
      { class: "page stack chair-setup" },
      tabs("Score pad", PAGES, "#/pad/chair"),
      h("h1", { class: "page-title" }, "Note a game from your chair"),
      h(
        "p",
        { class: "page-lead" },
        "Enter what you see: your own cards, and of the others what they take from piles, plant and discard. " +
          "Every event is checked, and you can ask what an agent would do.",
      ),
      form,
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            onclick: () =>
              openText({
                title: "Open a record",
                note: "An .arb record that was noted from one chair.",
                accept: ".arb,.txt",
                open: async (text) => onstart(await context.api.post("/api/chair/read", { arb: text })),
              }),
          },
          "Open a record",
        ),
      ),
    ),
  );
}

/**
 * @param {string} label
 * @param {HTMLElement} content
 */
function field(label, content) {
  return h("div", { class: "field" }, h("span", { class: "label" }, label), content);
}

/**
 * @param {boolean} on
 * @param {(on: boolean) => void} onchange
 */
function check(on, onchange) {
  const box = h("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => onchange(box.checked));
  return box;
}
