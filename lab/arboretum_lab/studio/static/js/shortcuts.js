// @ts-check
/** Keys that work anywhere in a view, and the list of them that `?` shows. */

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";

/**
 * @typedef {object} Shortcut
 * @property {string[]} keys as `KeyboardEvent.key`; of letters, small ones
 * @property {string} does in words
 * @property {string} group
 * @property {(event: KeyboardEvent) => void} [run] none where the key is handled elsewhere
 */

/** @type {Shortcut[]} */
let current = [];

const NAMES = /** @type {Record<string, string>} */ ({
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
});

/**
 * @param {Shortcut[]} shortcuts of the view that is shown
 * @returns {() => void} removes them
 */
export function useShortcuts(shortcuts) {
  current = shortcuts;
  return () => {
    if (current === shortcuts) current = [];
  };
}

const WITHOUT_TEXT = ["checkbox", "radio", "range"];

/**
 * Whether a key is the field's own: every one where text is written or a list chosen from; a box and
 * a slider have no use for letters, only for arrows, Home, End and Space.
 *
 * @param {KeyboardEvent} event
 */
function isTyping(event) {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && WITHOUT_TEXT.includes(target.type)) return event.key.length > 1 || event.key === " ";
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

/** Starts to listen. */
export function startShortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event) || document.querySelector("dialog[open]")) return;
    if (event.key === "?") {
      event.preventDefault();
      showShortcuts();
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = current.find((shortcut) => shortcut.run && shortcut.keys.includes(key));
    if (!found) return;
    event.preventDefault();
    found.run?.(event);
  });
}

/** Shows the list. */
export function showShortcuts() {
  const general = [{ keys: ["?"], does: "This list", group: "Everywhere" }];
  /** @type {Map<string, Node[]>} */
  const groups = new Map();
  for (const { keys, does, group } of [...current, ...general]) {
    const rows = groups.get(group) ?? [];
    groups.set(group, rows);
    rows.push(h("dt", {}, keys.flatMap((key) => [h("kbd", {}, NAMES[key] ?? key), " "])), h("dd", {}, does));
  }
  openDialog(
    "Keyboard shortcuts",
    [...groups].map(([group, rows]) =>
      h("section", {}, h("h3", { class: "shortcut-group" }, group), h("dl", { class: "shortcut-list" }, rows)),
    ),
  );
}
