// @ts-check
/** Puzzles from recorded games. The answer is asked for only once one has been tried. */

import { h, fill } from "../dom.js";
import { complain } from "../notice.js";
import { anyOf, oneOf, tabs } from "../parts/toggles.js";
import { answerPanel } from "./answer.js";
import { done, markDone, PAGES } from "./pages.js";
import { boardPictures, capital, openHands } from "./pictures.js";
import { position } from "./position.js";

/** @typedef {{id: string, kind: "right"|"discard"|"plant", players: number, title: string}} PuzzleLine */
/**
 * @typedef {object} PuzzleFields
 * @property {string} question
 * @property {string[]} choices
 * @property {import("./position.js").Position} [table]
 * @property {string|null} [chosen] the card that is planted
 * @property {{players: {hand: string[]}[]}} [board]
 * @property {string[]} [names]
 * @property {string[]} [pictures]
 */
/** @typedef {PuzzleLine & PuzzleFields} Puzzle */

const KINDS = /** @type {[string, string][]} */ ([
  ["", "All"],
  ["right", "Rights"],
  ["discard", "Discards"],
  ["plant", "Plants"],
]);

/** @param {HTMLElement} root @param {import("../types.js").ViewContext} context */
export async function mountPuzzles(root, context) {
  /** @type {{puzzles: PuzzleLine[]}} */
  const { puzzles } = await context.api.get("/api/puzzles");
  const list = h("div", { class: "puzzle-list" });
  /** @param {string} kind */
  const show = (kind) => {
    const tried = done();
    fill(
      list,
      puzzles
        .map((puzzle, at) => ({ ...puzzle, number: at + 1 }))
        .filter((puzzle) => !kind || puzzle.kind === kind)
        .map((puzzle) => {
          const right = tried[puzzle.id];
          return h(
            "a",
            { class: "puzzle-row", href: `#/learn/puzzles/${encodeURIComponent(puzzle.id)}` },
            h("span", { class: "puzzle-number" }, puzzle.number),
            h("strong", {}, puzzle.title),
            h("span", { class: "muted small" }, `${puzzle.players} players`),
            right !== undefined && h("span", { class: right ? "badge badge-good" : "badge badge-hint" }, right ? "Solved" : "Tried"),
          );
        }),
    );
  };
  root.append(
    h(
      "div",
      { class: "page stack learn" },
      tabs("Learn", PAGES, "#/learn/puzzles"),
      h("h1", { class: "page-title" }, "Puzzles"),
      h(
        "p",
        { class: "page-lead" },
        "From games of the shipped networks against themselves. Rights are exact; in the others the best choice is better than any other " +
          "beyond the 95 % interval, and was checked again with ten times as many sampled games.",
      ),
      oneOf("Kind", KINDS, "", show),
      list,
    ),
  );
  show("");
}

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").ViewContext} context
 * @param {string} id
 */
export async function mountPuzzle(root, context, id) {
  const address = `/api/puzzles/${encodeURIComponent(id)}`;
  const [puzzle, { puzzles }] = await Promise.all([
    /** @type {Promise<Puzzle>} */ (context.api.get(address)),
    /** @type {Promise<{puzzles: PuzzleLine[]}>} */ (context.api.get("/api/puzzles")),
  ]);
  const at = puzzles.findIndex((each) => each.id === id);
  const next = puzzles[(at + 1) % puzzles.length];
  const verdict = h("div", { class: "stack", role: "status" });
  const body = h("div", { class: "stack" });
  let tried = false;

  /** @param {string[]} answer */
  const attempt = async (answer) => {
    try {
      const judged = await context.api.post(address, { answer });
      if (!tried) markDone(id, judged.right);
      tried = true;
      fill(verdict, answerPanel(judged, answer, puzzle));
      if (judged.pictures) fill(pictures, boardPictures(judged.pictures, names.map(capital)));
      verdict.scrollIntoView({ block: "nearest" });
    } catch (problem) {
      complain(problem);
    }
  };

  const names = puzzle.names ?? [];
  const pictures = h("div", {});
  if (puzzle.table) {
    fill(body, position(puzzle.table, puzzle.kind, puzzle.chosen ?? null, puzzle.choices, (move) => void attempt([move])));
  } else {
    /** @type {Set<string>} */
    const seats = new Set();
    const button = h("button", { type: "button", class: "button button-primary", disabled: true, onclick: () => void attempt([...seats].sort()) }, "Check");
    fill(pictures, boardPictures(puzzle.pictures ?? [], names.map(capital)));
    fill(
      body,
      openHands(puzzle.board?.players ?? [], names),
      anyOf("Seats with the right", puzzle.choices.map((seat) => ({ value: seat, words: [capital(names[Number(seat)] ?? seat)] })), seats, () => {
        button.disabled = seats.size === 0;
      }),
      h("div", { class: "row" }, button),
    );
  }
  root.append(
    h(
      "div",
      { class: "page stack learn" },
      tabs("Learn", PAGES, "#/learn/puzzles"),
      h(
        "header",
        { class: "row row-spread" },
        h("h1", { class: "page-title" }, puzzle.title),
        h("span", { class: "badge" }, `${puzzle.players} players`),
      ),
      h("p", { class: "page-lead" }, puzzle.question),
      h("section", { class: "panel stack", "aria-label": "Your answer" }, body, verdict),
      pictures,
      h(
        "div",
        { class: "row row-spread" },
        h("a", { class: "button", href: "#/learn/puzzles" }, "All puzzles"),
        next && h("a", { class: "button", href: `#/learn/puzzles/${encodeURIComponent(next.id)}` }, "Next puzzle"),
      ),
    ),
  );
}
