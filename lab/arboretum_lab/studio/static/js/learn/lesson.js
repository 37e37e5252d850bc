// @ts-check
/** The lesson: a step at a time, each with something to do; the server judges. */

import { ApiError } from "../api.js";
import { cardFigure, cardName, SPECIES } from "../cards.js";
import { fill, h } from "../dom.js";
import { anyOf, tabs } from "../parts/toggles.js";
import { done, markDone, PAGES } from "./pages.js";
import { boardPictures, capital, openHands, pathPicture } from "./pictures.js";
import { turn } from "./turn.js";

/**
 * @typedef {object} Step
 * @property {string} id
 * @property {string} title
 * @property {string[]} text
 * @property {string} task
 * @property {"play"|"path"|"species"|"number"|"seats"|"discard"} kind
 * @property {number[]} numbers
 * @property {import("./turn.js").Table} [table]
 * @property {{players: {hand: string[]}[]}} [board]
 * @property {string} [letters]
 * @property {string[]} [pictures]
 * @property {string[]} [names]
 */
/** @typedef {{right: boolean, feedback: string, table?: import("./turn.js").Table, pictures?: string[]}} Verdict */

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").ViewContext} context
 * @param {string} [id] of a step
 */
export async function mountLesson(root, context, id) {
  /** @type {{steps: Step[]}} */
  const { steps } = await context.api.get("/api/lesson");
  const known = done();
  const open = steps.findIndex((step) => (id ? step.id === id : !(`lesson/${step.id}` in known)));
  const at = Math.max(0, open);
  const step = steps[at];
  if (!step) return;
  const next = steps[at + 1];

  const feedback = h("div", { class: "learn-feedback", role: "status" });
  const work = h("div", { class: "stack" });
  const onward = h(
    "a",
    { class: "button", href: next ? `#/learn/${next.id}` : "#/learn/puzzles" },
    next ? "Next step" : "On to the puzzles",
  );

  /** @param {string} words @param {"right"|"wrong"|"note"} kind */
  const say = (words, kind) => {
    feedback.className = `learn-feedback learn-${kind}`;
    feedback.textContent = words;
  };
  /**
   * @param {string[]} answer
   * @returns {Promise<Verdict|null>}
   */
  const check = async (answer) => {
    try {
      /** @type {Verdict} */
      const verdict = await context.api.post(`/api/lesson/${step.id}`, { answer });
      // A turn that goes on is not wrong yet.
      const goesOn = verdict.table !== undefined && verdict.table.moves.length > 0;
      say(verdict.feedback, verdict.right ? "right" : goesOn ? "note" : "wrong");
      if (verdict.right) {
        markDone(`lesson/${step.id}`, true);
        onward.classList.add("button-primary");
        dots.querySelector('[aria-current="step"]')?.classList.add("done");
        if (step.kind !== "play") onward.focus({ preventScroll: true });
      }
      return verdict;
    } catch (problem) {
      say(problem instanceof ApiError ? problem.message : String(problem), "wrong");
      return null;
    }
  };

  const dots = h(
    "ol",
    { class: "learn-steps", "aria-label": "Steps" },
    steps.map((each, index) =>
      h(
        "li",
        {},
        h(
          "a",
          {
            href: `#/learn/${each.id}`,
            class: `lesson/${each.id}` in known ? "learn-step done" : "learn-step",
            "aria-current": index === at ? "step" : undefined,
            "aria-label": `Step ${index + 1}: ${each.title}${`lesson/${each.id}` in known ? ", done" : ""}`,
            title: each.title,
          },
          String(index + 1),
        ),
      ),
    ),
  );
  fill(work, exercise(step, check, say, context));
  root.append(
    h(
      "div",
      { class: "page stack learn" },
      tabs("Learn", PAGES, "#/learn"),
      dots,
      h(
        "div",
        { class: "learn-columns" },
        h(
          "div",
          { class: "learn-words stack" },
          h("h1", { class: "page-title" }, step.title),
          step.text.map((words) => h("p", {}, words)),
        ),
        h(
          "section",
          { class: "panel stack learn-work", "aria-labelledby": "learn-task" },
          h("h2", { id: "learn-task", class: "learn-task" }, step.task),
          work,
          feedback,
          h(
            "div",
            { class: "row row-spread" },
            steps[at - 1] ? h("a", { class: "button", href: `#/learn/${steps[at - 1]?.id}` }, "Back") : h("span", {}),
            onward,
          ),
        ),
      ),
    ),
  );
}

/**
 * What there is to do in a step.
 *
 * @param {Step} step
 * @param {(answer: string[]) => Promise<Verdict|null>} check
 * @param {(words: string, kind: "right"|"wrong"|"note") => void} say
 * @param {import("../types.js").ViewContext} context
 * @returns {(Node|string|false)[]}
 */
function exercise(step, check, say, context) {
  const names = step.names ?? [];
  const pictures = step.pictures ?? [];
  const players = step.board?.players ?? [];
  const shown = h("div", {});
  const draw = (/** @type {string[]} */ svgs) => {
    const seats = step.kind === "discard" ? [0, 1] : [0];
    fill(shown, svgs.length > 0 && boardPictures(svgs, step.kind === "discard" ? ["You", "Your rival"] : [""], seats));
  };
  /** @param {string[]} answer */
  const judge = async (answer) => {
    const verdict = await check(answer);
    if (verdict?.pictures?.length && step.kind !== "seats") draw(verdict.pictures);
    return verdict;
  };
  /** @param {() => string[]} answer */
  const checkButton = (answer) =>
    h("button", { type: "button", class: "button button-primary", onclick: () => void judge(answer()) }, "Check");

  if (step.kind === "play" && step.table) {
    const game = turn(
      step.table,
      async (moves) => (await check(moves))?.table ?? null,
      (words) => {
        say(words, "note");
        context.announce(words);
      },
    );
    const restart = () => {
      game.restart();
      say("", "note");
    };
    return [game.element, h("div", { class: "row" }, h("button", { type: "button", class: "button", onclick: restart }, "Begin again"))];
  }
  if (step.kind === "path") {
    const order = h("p", { class: "learn-order", "aria-live": "polite" });
    const path = pathPicture(pictures[0] ?? "", (cards) => {
      order.textContent = cards.length ? cards.join(" → ") : "No card yet.";
    });
    fill(shown, h("figure", { class: "learn-board" }, path.element));
    return [
      shown,
      order,
      h(
        "div",
        { class: "row" },
        checkButton(path.path),
        h("button", { type: "button", class: "button", onclick: () => path.clear() }, "Clear"),
      ),
    ];
  }
  draw(pictures);
  if (step.kind === "species" || step.kind === "seats") {
    /** @type {Set<string>} */
    const chosen = new Set();
    const choices =
      step.kind === "species"
        ? [...(step.letters ?? "")].map((letter) => ({ value: letter, words: [SPECIES[letter] ?? letter] }))
        : names.map((name, seat) => ({ value: String(seat), words: [capital(name)] }));
    return [
      shown,
      step.kind === "seats" && openHands(players, names),
      anyOf("Your answer", choices, chosen),
      h("div", { class: "row" }, checkButton(() => [...chosen])),
    ];
  }
  if (step.kind === "number") {
    return [
      shown,
      h(
        "div",
        { class: "row" },
        step.numbers.map((number) =>
          h("button", { type: "button", class: "button learn-number", onclick: () => void judge([String(number)]) }, String(number)),
        ),
      ),
    ];
  }
  const [own, ...rivals] = players;
  return [
    shown,
    openHands(rivals, ["your rival"]),
    h("span", { class: "label" }, "Your hand: tap the card that you discard"),
    h(
      "div",
      { class: "learn-cards" },
      (own?.hand ?? []).map((card) =>
        h(
          "button",
          { type: "button", class: "learn-card", "data-card": card, "aria-label": `Discard ${cardName(card)}`, onclick: () => void judge([card]) },
          cardFigure(card, { decorative: true }),
        ),
      ),
    ),
  ];
}
