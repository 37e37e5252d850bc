// @ts-check
/** Short messages at the foot of the window. */

import { find, h } from "./dom.js";
import { icon } from "./icons.js";

const PATIENCE = { info: 6_000, hint: 12_000, problem: 15_000 };

/**
 * @param {string} text
 * @param {"info"|"hint"|"problem"} [kind]
 */
export function notify(text, kind = "info") {
  const list = find("#notices");
  const shown = text.replaceAll(" %", "\u00a0%");
  for (const old of list.querySelectorAll(".notice")) {
    if (old.querySelector(".notice-text")?.textContent === shown) old.remove();
  }
  while (list.children.length > 2) list.firstElementChild?.remove();
  const close = h(
    "button",
    { type: "button", class: "button-icon", "aria-label": "Dismiss", onclick: () => notice.remove() },
    icon("close"),
  );
  const notice = h(
    "div",
    { class: `notice notice-${kind}`, role: kind === "problem" ? "alert" : "status" },
    h("span", { class: "notice-text" }, shown),
    close,
  );
  list.append(notice);
  setTimeout(() => notice.remove(), PATIENCE[kind]);
}

/** Removes every message: what they spoke of has passed. */
export function clearNotices() {
  find("#notices").replaceChildren();
}

/** @param {unknown} problem anything that was thrown */
export function complain(problem) {
  if (problem instanceof DOMException && problem.name === "AbortError") return;
  notify(problem instanceof Error ? problem.message : String(problem), "problem");
}
