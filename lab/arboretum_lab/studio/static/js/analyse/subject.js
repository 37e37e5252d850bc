// @ts-check
/** What can be analysed: games of this browser, and the record that is open in the replay. */

import { h } from "../dom.js";
import { keptText } from "../replay/kept.js";

/** @typedef {import("./types.js").Subject} Subject */
/** @typedef {import("../types.js").ViewContext} ViewContext */

/**
 * @param {ViewContext} context
 * @param {string|undefined} kind `game` or `record`
 * @param {string|undefined} id of a game
 * @returns {Promise<Subject|null>} null where the address names nothing that is there
 */
export async function findSubject(context, kind, id) {
  if (kind === "game") {
    const { games } = await context.api.get("/api/games");
    const game = games.find((/** @type {{id: string}} */ each) => each.id === id);
    if (!game) return null;
    return {
      game: game.id,
      names: game.names,
      seats: game.over ? game.names.map((/** @type {string} */ _, /** @type {number} */ seat) => seat) : game.your_seats,
      open: game.over,
      title: `${game.names.join(" against ")}, ${game.over ? "finished" : "under way"}`,
    };
  }
  const text = kind === "record" ? keptText() : null;
  if (text === null) return null;
  const record = await context.api.post("/api/records/read", { text });
  return {
    arb: record.arb,
    names: record.names,
    seats: record.names.map((/** @type {string} */ _, /** @type {number} */ seat) => seat),
    open: !record.unknown,
    title: `Record: ${record.names.join(" against ")}`,
  };
}

/**
 * The page where nothing has been chosen yet.
 *
 * @param {HTMLElement} root
 * @param {ViewContext} context
 */
export async function chooser(root, context) {
  const { games } = await context.api.get("/api/games");
  const usable = games.filter((/** @type {{your_seats: number[], over: boolean}} */ game) => game.over || game.your_seats.length);
  root.append(
    h(
      "div",
      { class: "page stack" },
      h("h1", { class: "page-title" }, "Analyse"),
      h(
        "p",
        { class: "page-lead" },
        "What the agents think, what a position is worth and why, and which of your decisions cost you points. Every number says where it comes from.",
      ),
      h(
        "section",
        { class: "panel stack" },
        h("h2", {}, "A record"),
        h(
          "div",
          { class: "row" },
          keptText() !== null && h("a", { class: "button button-primary", href: "#/analyse/record" }, "The one open in Replay"),
          h("a", { class: "button", href: "#/replay" }, "Open a record"),
        ),
      ),
      h(
        "section",
        { class: "panel stack" },
        h("h2", {}, "Your games"),
        usable.length
          ? h("ul", { class: "analysis-games" }, usable.map(gameLink))
          : h("p", { class: "muted" }, "None yet. ", h("a", { href: "#/play" }, "Play one"), ", then look at it here."),
      ),
    ),
  );
}

/** @param {{id: string, names: string[], your_seats: number[], over: boolean, turn: number}} game */
function gameLink(game) {
  const seat = game.your_seats[0] ?? 0;
  return h(
    "li",
    {},
    h("a", { href: `#/analyse/game/${game.id}/${seat}` }, game.names.join(" against ")),
    " ",
    h("span", { class: game.over ? "badge" : "badge badge-accent" }, game.over ? "finished" : `turn ${game.turn + 1}`),
  );
}
