// @ts-check
/** Whose turn it is, what it is at, and what is to be done: in plain words. */

import { fill, h } from "../dom.js";
import { STEPS, taskOf } from "../table/words.js";

/** @typedef {import("../types.js").GameState} GameState */

const SLOW = 8_000; // ms of thought after which the page says why that may be

/** @returns {{element: HTMLElement, update: (state: GameState, mine: boolean, chosen: string|null) => void}} */
export function statusBar() {
  const who = h("strong", { class: "status-who" });
  const task = h("span", { class: "status-task" });
  let slow = 0;
  const turn = h("span", { class: "status-turn small muted" });
  const steps = h("ol", { class: "steps", "aria-label": "Parts of the turn" });
  const marks = h("span", { class: "row" });
  const element = h(
    "section",
    { class: "status", "aria-label": "State of the game" },
    h("div", { class: "status-words" }, who, task),
    h("div", { class: "status-more" }, steps, turn, marks),
  );
  return {
    element,
    update(state, mine, chosen) {
      element.toggleAttribute("data-mine", mine);
      who.textContent = state.over ? "The end" : mine ? "Your turn" : `${state.names[state.mover]}’s turn`;
      const fault = state.fault?.message;
      const shown = mine && chosen ? { ...state, phase: /** @type {const} */ ("place"), chosen } : state;
      const mover = state.names[state.mover];
      if (fault) task.textContent = `${mover} could not move: ${fault}`;
      else if (!state.over && state.awaited.includes(state.mover)) task.textContent = `${mover} has not joined yet.`;
      else task.textContent = taskOf(shown, mine);
      clearTimeout(slow);
      if (state.thinking) slow = setTimeout(() => task.append(" That takes its time; an agent’s first move after an installation can take minutes."), SLOW);
      const deck = ` · ${state.deck} ${state.deck === 1 ? "card" : "cards"} in the deck`;
      fill(turn, state.over ? `${state.turn} turns` : [`Turn ${state.turn + 1}`, h("span", { class: "status-deck" }, deck)]);
      const current = STEPS.findIndex((step) => step.phases.includes(state.phase));
      fill(
        steps,
        state.over
          ? []
          : STEPS.map((step, index) =>
              h(
                "li",
                {
                  class: index < current ? "step done" : "step",
                  "aria-current": index === current ? "step" : undefined,
                },
                step.label,
              ),
            ),
      );
      fill(
        marks,
        state.practice && h("span", { class: "badge badge-hint", title: "Anything may be taken back; it counts nowhere" }, "Practice"),
        state.takebacks > 0 &&
          h("span", { class: "badge", title: "Taken back after something hidden was seen" }, `${state.takebacks} taken back`),
      );
    },
  };
}
