// @ts-check
/** Starts the page. */

import { find } from "./dom.js";
import { icon } from "./icons.js";
import { startRouter } from "./router.js";
import { showShortcuts, startShortcuts } from "./shortcuts.js";
import { startTheme } from "./theme.js";

startTheme();
startShortcuts();

const help = find(".help-button");
help.append(icon("help"));
help.title = "Keyboard shortcuts";
help.addEventListener("click", showShortcuts);

const menu = find(".menu-button");
const navigation = find("#navigation");
menu.append(icon("menu"));
/** @param {boolean} open */
const setMenu = (open) => {
  navigation.classList.toggle("open", open);
  menu.setAttribute("aria-expanded", String(open));
};
menu.addEventListener("click", () => setMenu(!navigation.classList.contains("open")));
navigation.addEventListener("click", () => setMenu(false));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && navigation.classList.contains("open")) {
    setMenu(false);
    menu.focus();
  }
});

startRouter();
