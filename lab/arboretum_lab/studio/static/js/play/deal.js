// @ts-check
/** The part of the form for a new game that names the species in play, and cards of the deal. */

import { SPECIES } from "../cards.js";
import { fill, h } from "../dom.js";
import { cardRow } from "../parts/card_row.js";
import { anyOf } from "../parts/toggles.js";

/** @typedef {{hands: string[][], deck: string[], discards?: string[][], fill: true}} Deal what is left open is shuffled */

const LETTERS = Object.keys(SPECIES);
const USUAL = /** @type {Record<number, number>} */ ({ 2: 6, 3: 8, 4: 10 });
const RANKS = 8;
const HAND = 7;

/** Nothing chosen to begin with: the usual species, and a shuffled deal. */
export function dealChoice() {
  let players = 2;
  let starting = false;
  /** @type {Set<string>} */
  let species = new Set();
  /** @type {Record<string, string[]>} by place: `hand 0`, `pile 1`, `deck` */
  let chosen = {};

  const summary = h("span", { class: "field-note" });
  const body = h("div", { class: "stack setup-deal-body" });
  const element = h("details", { class: "setup-more" }, h("summary", {}, "Species and cards ", summary), body);

  /** @param {string} place */
  const at = (place) => chosen[place] ?? [];
  const usual = () => LETTERS.slice(0, USUAL[players]).join("");
  const letters = () => LETTERS.filter((letter) => species.has(letter)).join("");
  const free = () => {
    const used = new Set(Object.values(chosen).flat());
    return [...letters()]
      .flatMap((letter) => Array.from({ length: RANKS }, (_, rank) => `${letter}${rank + 1}`))
      .filter((card) => !used.has(card));
  };
  const inDeck = () => species.size * RANKS - players * HAND - (starting ? players - 1 : 0);

  const tell = () => {
    const count = Object.values(chosen).flat().length;
    const cards = count ? `${count} ${count === 1 ? "card" : "cards"} chosen, the others shuffled` : "all cards shuffled";
    summary.textContent = `${letters() === usual() ? "the usual" : species.size} species, ${cards}`;
  };

  /** @param {string} label @param {string} place @param {() => number} most */
  const row = (label, place, most) =>
    h(
      "div",
      { class: "field" },
      h("span", { class: "label" }, label),
      cardRow({
        title: label,
        cards: () => at(place),
        free,
        most,
        onchange: (cards) => {
          chosen[place] = cards;
          tell();
        },
      }).element,
    );

  const seats = () => Array.from({ length: players }, (_, seat) => seat);
  const show = () => {
    tell();
    fill(
      body,
      h(
        "div",
        { class: "field" },
        h("span", { class: "label" }, `Species in play, usually ${USUAL[players]}`),
        anyOf("Species in play", LETTERS.map((letter) => ({ value: letter, words: [SPECIES[letter] ?? letter] })), species, () => {
          for (const place of Object.keys(chosen)) chosen[place] = at(place).filter((card) => species.has(card[0] ?? ""));
          showRows();
          tell();
        }),
      ),
      rows,
    );
    showRows();
  };
  const rows = h("div", { class: "stack" });
  const showRows = () =>
    fill(
      rows,
      h("p", { class: "field-note" }, "Choose the cards that matter to you, or all of them. The others are shuffled."),
      h("div", { class: "setup-rows" }, seats().map((seat) => row(`Dealt to seat ${seat + 1}`, `hand ${seat}`, () => HAND))),
      starting &&
        h("div", { class: "setup-rows" }, seats().slice(1).map((seat) => row(`Begins the pile of seat ${seat + 1}`, `pile ${seat}`, () => 1))),
      row("Drawn first from the deck, in this order", "deck", inDeck),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            onclick: () => {
              chosen = {};
              species = new Set(usual());
              show();
            },
          },
          "Back to the usual",
        ),
      ),
    );

  return {
    element,
    /** @param {number} count of players: their species, and nothing chosen */
    setPlayers(count) {
      players = count;
      species = new Set(usual());
      chosen = {};
      show();
    },
    /** @param {boolean} on whether piles begin with a card */
    setStarting(on) {
      starting = on;
      for (const seat of seats()) delete chosen[`pile ${seat}`];
      showRows();
      tell();
    },
    /** @returns {{species?: string, deal?: Deal}} what the server is to be asked for */
    wanted() {
      const hands = seats().map((seat) => at(`hand ${seat}`));
      const discards = seats().map((seat) => at(`pile ${seat}`));
      const any = Object.values(chosen).some((cards) => cards.length > 0);
      return {
        ...(letters() === usual() ? {} : { species: letters() }),
        ...(any ? { deal: { hands, deck: at("deck"), ...(starting ? { discards } : {}), fill: /** @type {const} */ (true) } } : {}),
      };
    },
  };
}
