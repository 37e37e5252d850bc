// @ts-check
/** Rows of small choices. */

import { h } from "../dom.js";

/**
 * One of a few.
 *
 * @template T
 * @param {string} label
 * @param {[T, string][]} choices value and words
 * @param {T} chosen
 * @param {(value: T) => void} onchoose
 * @returns {HTMLElement}
 */
export function oneOf(label, choices, chosen, onchoose) {
  const buttons = choices.map(([value, words]) =>
    h("button", { type: "button", "aria-pressed": String(value === chosen), onclick: () => choose(value) }, words),
  );
  /** @param {T} value */
  const choose = (value) => {
    choices.forEach(([each], index) => buttons[index]?.setAttribute("aria-pressed", String(each === value)));
    onchoose(value);
  };
  return h("div", { class: "segmented", role: "group", "aria-label": label }, buttons);
}

/**
 * Any number of some.
 *
 * @param {string} label
 * @param {{value: string, words: (Node|string)[], name?: string}[]} choices
 * @param {Set<string>} chosen changed by the buttons
 * @param {() => void} [onchange]
 * @returns {HTMLElement}
 */
export function anyOf(label, choices, chosen, onchange) {
  return h(
    "div",
    { class: "toggles", role: "group", "aria-label": label },
    choices.map(({ value, words, name }) => {
      const button = h(
        "button",
        {
          type: "button",
          class: "toggle",
          "data-value": value,
          "aria-label": name,
          "aria-pressed": String(chosen.has(value)),
          onclick: () => {
            if (!chosen.delete(value)) chosen.add(value);
            button.setAttribute("aria-pressed", String(chosen.has(value)));
            onchange?.();
          },
        },
        words,
      );
      return button;
    }),
  );
}

/**
 * Links between the pages of a view.
 *
 * @param {string} label
 * @param {[string, string][]} pages address and words
 * @param {string} here
 * @returns {HTMLElement}
 */
export function tabs(label, pages, here) {
  return h(
    "nav",
    { class: "subnav", "aria-label": label },
    pages.map(([address, words]) => h("a", { href: address, "aria-current": address === here ? "page" : undefined }, words)),
  );
}
