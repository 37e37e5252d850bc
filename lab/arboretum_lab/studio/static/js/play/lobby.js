// @ts-check
/** The form for a new game, and the games that wait to go on. */

import { cardFigure } from "../cards.js";
import { confirmDialog } from "../dialog.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { complain } from "../notice.js";
import { keepInvitations } from "./invitations.js";
import { setup } from "./setup.js";

/** @typedef {import("../types.js").ViewContext} ViewContext */

/**
 * @typedef {object} GameEntry
 * @property {string} id
 * @property {string[]} names
 * @property {string[]} kinds
 * @property {number[]} your_seats
 * @property {number} mover
 * @property {number} turn
 * @property {boolean} over
 * @property {boolean} practice
 */

const FAN = ["C8", "D3", "J5", "V1", "L7", "G2", "M6", "P4", "O8", "W1"];
const SHOWN = 8;

/**
 * @param {HTMLElement} root
 * @param {ViewContext} context
 */
export async function lobby(root, context) {
  const [offer, { games }] = await Promise.all([context.api.get("/api/agents"), context.api.get("/api/games")]);
  const list = h("div", { class: "games" });
  showGames(list, games, context, SHOWN);
  root.append(
    h(
      "div",
      { class: "page lobby" },
      h(
        "header",
        { class: "hero" },
        h(
          "div",
          { class: "hero-words" },
          h("h1", { class: "hero-title" }, "Plant the finest path. Keep the right to it."),
          h(
            "p",
            { class: "page-lead" },
            "What you plant makes your paths; what you keep in hand decides whether they count.",
          ),
        ),
        h(
          "div",
          { class: "fan", "aria-hidden": "true" },
          FAN.map((card) => h("span", { class: "fan-card" }, cardFigure(card, { decorative: true }))),
        ),
      ),
      h(
        "div",
        { class: "lobby-columns" },
        setup(offer, async (options) => {
          const game = await context.api.post("/api/games", options);
          keepInvitations(game.id, game.invitations);
          context.go(`#/play/${game.id}`);
        }),
        h(
          "section",
          { class: "lobby-side stack", "aria-labelledby": "games-title" },
          h("h2", { id: "games-title" }, "Your games"),
          list,
        ),
      ),
    ),
  );
}

/**
 * @param {HTMLElement} list
 * @param {GameEntry[]} games
 * @param {ViewContext} context
 * @param {number} most
 */
function showGames(list, games, context, most) {
  if (games.length === 0) {
    fill(
      list,
      h("p", { class: "muted" }, "None yet. A game is kept after every move: close the page whenever you like."),
    );
    return;
  }
  /** @param {GameEntry} game */
  const drop = async (game) => {
    const yes = await confirmDialog("Delete this game?", `${game.names.join(" · ")}, turn ${game.turn + 1}. It cannot be brought back.`, "Delete it");
    if (!yes) return;
    try {
      await context.api.remove(`/api/games/${game.id}`);
      showGames(list, games.filter((each) => each !== game), context, most);
    } catch (problem) {
      complain(problem);
    }
  };
  const hidden = games.length - most;
  fill(
    list,
    games.slice(0, most).map((game) =>
      h(
        "div",
        { class: "game-row" },
        h(
          "a",
          { class: "game-link", href: `#/play/${game.id}` },
          h("strong", {}, game.names.join(" · ")),
          h("span", { class: "small muted" }, standing(game)),
        ),
        h(
          "button",
          { type: "button", class: "button-icon button-quiet", "aria-label": `Delete the game ${game.names.join(", ")}`, onclick: () => void drop(game) },
          icon("close"),
        ),
      ),
    ),
    hidden > 0 &&
      h(
        "button",
        { type: "button", class: "button", onclick: () => showGames(list, games, context, games.length) },
        `Show ${hidden} more`,
      ),
  );
}

/** @param {GameEntry} game */
function standing(game) {
  if (game.over) return `Over after ${game.turn} turns`;
  const who = game.your_seats.includes(game.mover) ? "your turn" : `${game.names[game.mover]} is to move`;
  return `Turn ${game.turn + 1}, ${who}${game.practice ? ", practice" : ""}`;
}
