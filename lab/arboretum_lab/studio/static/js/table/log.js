// @ts-check
/** The log: a row a turn. */

import { fill, h } from "../dom.js";
import { eventWords } from "./words.js";

/**
 * @returns {{element: HTMLElement, update: (events: import("../types.js").LogEvent[], names: string[]) => void}}
 */
export function gameLog() {
  const list = h("ol", { class: "log-list", tabindex: "0", "aria-label": "Log" });
  const element = h("section", { class: "log", "aria-label": "Log of the game" }, h("h2", {}, "Log"), list);
  let written = "";
  return {
    element,
    update(events, names) {
      const key = JSON.stringify([events, names]);
      if (key === written) return;
      written = key;
      /** @type {import("../types.js").LogEvent[][]} */
      const turns = [];
      for (const event of events) (turns[event.turn] ??= []).push(event);
      const rows = turns.map((turn, number) => {
        const seat = turn[0]?.seat ?? 0;
        return h(
          "li",
          { class: "log-turn" },
          h("span", { class: "log-number" }, number + 1),
          h("span", {}, h("strong", {}, names[seat]), " ", turn.map((event) => eventWords(event, names)).join(", ")),
        );
      });
      fill(list, rows.length ? rows.reverse() : h("li", { class: "muted" }, "Nothing has happened yet."));
    },
  };
}
