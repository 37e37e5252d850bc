// @ts-check
/** Light, dark, or as the system says. */

import { find } from "./dom.js";
import { icon } from "./icons.js";

const KEY = "arboretum.theme";
const ORDER = /** @type {const} */ (["auto", "light", "dark"]);

/** @typedef {typeof ORDER[number]} Theme */

/** @returns {Theme} what the reader chose */
function chosen() {
  const kept = localStorage.getItem(KEY);
  return ORDER.find((theme) => theme === kept) ?? "auto";
}

/** @returns {"light"|"dark"} what is shown */
export function shownTheme() {
  const theme = chosen();
  if (theme !== "auto") return theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/**
 * Calls back whenever what is shown changes.
 *
 * @param {() => void} listener
 * @returns {() => void} stops it
 */
export function onTheme(listener) {
  const query = matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", listener);
  document.addEventListener("themechange", listener);
  return () => {
    query.removeEventListener("change", listener);
    document.removeEventListener("themechange", listener);
  };
}

/** Applies the reader's choice and wires the button that changes it. */
export function startTheme() {
  const button = find(".theme-button");
  const apply = () => {
    const theme = chosen();
    document.documentElement.dataset.theme = theme;
    button.replaceChildren(icon(theme));
    const name = theme === "auto" ? "as the system" : theme;
    button.setAttribute("aria-label", `Theme: ${name}. Change`);
    button.title = `Theme: ${name}`;
    document.dispatchEvent(new CustomEvent("themechange"));
  };
  button.addEventListener("click", () => {
    localStorage.setItem(KEY, ORDER[(ORDER.indexOf(chosen()) + 1) % ORDER.length] ?? "auto");
    apply();
  });
  apply();
}
