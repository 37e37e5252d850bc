// @ts-check
/** Shows the view that the address names. */

import { announce } from "./announce.js";
import * as api from "./api.js";
import { fill, find, h } from "./dom.js";
import { clearNotices, complain } from "./notice.js";
import { VIEWS } from "./views.js";

/** @type {(() => void) | void} */
let leave;
let visit = 0;

/** @param {string} hash */
export function go(hash) {
  if (location.hash === hash) void show();
  else location.hash = hash;
}

/** Fills the navigation and follows the address from now on. */
export function startRouter() {
  const links = VIEWS.filter((view) => view.label).map((view) =>
    h("a", { href: `#/${view.id}`, "data-view": view.id }, view.label),
  );
  fill(find("#navigation"), links);
  find("[data-skip]").addEventListener("click", (event) => {
    event.preventDefault();
    find("#main").focus();
  });
  addEventListener("hashchange", () => void show());
  void show();
}

async function show() {
  const [, id, ...parts] = location.hash.split("/").map(decodeURIComponent);
  const view = VIEWS.find((entry) => entry.id === id);
  if (!view) {
    location.replace(`#/${VIEWS[0]?.id}`);
    return;
  }
  const mine = ++visit;
  leave?.();
  leave = undefined;
  clearNotices();
  document.querySelector("dialog[open]")?.remove();
  for (const link of document.querySelectorAll("[data-view]")) {
    const here = link.getAttribute("data-view") === id;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = view.label ? `${view.label} · Arboretum Lab` : "Arboretum Lab";
  const main = find("#main");
  const root = h("div", { class: `view view-${view.id}` });
  try {
    const module = await view.load();
    if (mine !== visit) return;
    fill(main, root);
    scrollTo(0, 0);
    const cleanup = await module.mount(root, { parts, go, announce, api });
    if (mine === visit) leave = cleanup;
    else cleanup?.();
  } catch (problem) {
    if (mine !== visit) return;
    fill(main, failure(problem));
    complain(problem);
  }
}

/** @param {unknown} problem */
function failure(problem) {
  const words = problem instanceof Error ? problem.message : String(problem);
  return h(
    "div",
    { class: "page stack" },
    h("h1", { class: "page-title" }, "This did not work"),
    h("p", { class: "field-error" }, words),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "button button-primary", onclick: () => void show() }, "Try again"),
      h("a", { class: "button", href: "#/play" }, "To the start"),
    ),
  );
}
