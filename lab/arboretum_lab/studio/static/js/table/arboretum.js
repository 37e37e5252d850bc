// @ts-check
/** One arboretum: its picture, its legal cells, a ghost of the card over them, pan and zoom. */

import { cardName } from "../cards.js";
import { fill, h, svgFrom } from "../dom.js";
import { icon } from "../icons.js";
import { panZoom } from "./panzoom.js";

/**
 * @typedef {object} Arboretum
 * @property {HTMLElement} element
 * @property {(svg: string, what: Shown) => void} update
 * @property {() => boolean} focus the first legal cell, if there is one
 *
 * @typedef {object} Shown
 * @property {string} title
 * @property {(Node|string)[]} badges
 * @property {string|null} card about to be planted here
 * @property {string|null} advised a cell, `x,y`
 * @property {boolean} active whether its seat is to move
 */

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {number} seat
 * @param {{onplant?: (action: number) => void, onother?: () => void}} [handlers] of a legal cell,
 *   and of any other place
 * @returns {Arboretum}
 */
export function arboretum(seat, handlers = {}) {
  const title = h("h2", { class: "arboretum-title", id: `arboretum-${seat}` });
  const badges = h("span", { class: "arboretum-badges" });
  const stage = h("div", { class: "arboretum-stage" });
  const view = panZoom(stage);
  /** @param {string} name @param {string} label @param {() => void} run */
  const tool = (name, label, run) =>
    h(
      "button",
      { type: "button", class: "button-icon", "aria-label": label, title: label, onclick: run },
      icon(name),
    );
  const tools = h(
    "div",
    { class: "arboretum-tools" },
    tool("minus", "Zoom out", () => view.zoom(1 / 1.3)),
    tool("plus", "Zoom in", () => view.zoom(1.3)),
    tool("fit", "Show all", () => view.fit()),
  );
  const element = h(
    "section",
    { class: "arboretum", "data-seat": seat, "aria-labelledby": `arboretum-${seat}` },
    h("header", { class: "arboretum-head" }, title, badges, tools),
    stage,
  );
  let text = "";

  const cells = () => /** @type {SVGGElement[]} */ ([...stage.querySelectorAll("g.cell[data-action]")]);

  /** @param {SVGGElement} cell */
  const makeCurrent = (cell) => {
    for (const other of cells()) other.setAttribute("tabindex", other === cell ? "0" : "-1");
  };

  /** @param {Event} event */
  const cellOf = (event) =>
    event.target instanceof Element
      ? /** @type {SVGGElement|null} */ (event.target.closest("g.cell[data-action]"))
      : null;

  stage.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    makeCurrent(cell);
    view.reveal(cell);
  });
  stage.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (cell) handlers.onplant?.(Number(cell.dataset.action));
    else handlers.onother?.();
  });
  stage.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    const direction = DIRECTIONS[event.key];
    if (cell && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      handlers.onplant?.(Number(cell.dataset.action));
    } else if (direction && event.shiftKey) {
      event.preventDefault();
      view.pan(direction[0] * 0.2, direction[1] * 0.2);
    } else if (direction && cell) {
      event.preventDefault();
      nearest(cell, cells(), direction)?.focus();
    } else if ((event.key === "Home" || event.key === "End") && cell) {
      event.preventDefault();
      cells().at(event.key === "Home" ? 0 : -1)?.focus();
    }
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") view.zoom(1.3);
    else if (event.key === "-") view.zoom(1 / 1.3);
    else if (event.key === "0") view.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element,
    update(svg, shown) {
      title.textContent = shown.title;
      fill(badges, shown.badges);
      element.toggleAttribute("data-active", shown.active);
      if (svg !== text) {
        text = svg;
        const picture = svgFrom(svg);
        picture.removeAttribute("width");
        picture.removeAttribute("height");
        const hadFocus = stage.contains(document.activeElement);
        stage.replaceChildren(picture);
        view.attach(picture);
        cells().forEach((cell, index) => cell.setAttribute("tabindex", index ? "-1" : "0"));
        if (hadFocus) cells()[0]?.focus();
      }
      for (const cell of cells()) {
        dress(cell, shown.card);
        cell.classList.toggle("advised", cell.dataset.cell === shown.advised);
      }
    },
    focus() {
      const cell = cells().find((each) => each.getAttribute("tabindex") === "0");
      cell?.focus();
      return cell !== undefined;
    },
  };
}

/**
 * Gives a cell the ghost and the name of the card that would stand there.
 *
 * @param {SVGGElement} cell
 * @param {string|null} card
 */
function dress(cell, card) {
  const ghost = cell.querySelector(".ghost");
  if (card) ghost?.setAttribute("href", `#card-${card}`);
  else ghost?.removeAttribute("href");
  const where = (cell.getAttribute("aria-label") ?? "").replace(/^Plant.*? at /, "");
  cell.setAttribute("aria-label", `${card ? `Plant ${cardName(card)}` : "Plant"} at ${where}`);
}

/**
 * The nearest other cell in a direction.
 *
 * @param {SVGGElement} from
 * @param {SVGGElement[]} cells
 * @param {[number, number]} direction of the screen: y grows downwards
 * @returns {SVGGElement|null}
 */
function nearest(from, cells, [dx, dy]) {
  /** @param {SVGGElement} cell */
  const at = (cell) => (cell.dataset.cell ?? "0,0").split(",").map(Number);
  const [x = 0, y = 0] = at(from);
  let best = null;
  let least = Infinity;
  for (const cell of cells) {
    const [cx = 0, cy = 0] = at(cell);
    const ahead = (cx - x) * dx - (cy - y) * dy; // in true coordinates y grows upwards
    const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    if (ahead <= 0) continue;
    const far = ahead + 2 * aside;
    if (far < least) [best, least] = [cell, far];
  }
  return best;
}
