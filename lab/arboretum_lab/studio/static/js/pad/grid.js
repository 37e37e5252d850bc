// @ts-check
/** An arboretum that is entered: the server's picture, and a button on every cell. */

import { cardName } from "../cards.js";
import { h, s, svgFrom } from "../dom.js";

// How the picture lays its cells out: arboretum_env/drawing/board.py.
const PITCH = { x: 76, y: 96 };
const CARD = { width: 60, height: 80 };

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * @param {(x: number, y: number, card: string|null) => void} onchoose a cell, and what lies there
 * @param {string} owner
 */
export function grid(onchoose, owner) {
  const element = h("div", { class: "pad-grid", role: "group", "aria-label": `Arboretum of ${owner}` });
  let current = "0,0";

  const cells = () => /** @type {SVGGElement[]} */ ([...element.querySelectorAll("[data-spot]")]);
  /** @param {string} spot */
  const find = (spot) => cells().find((cell) => cell.dataset.spot === spot);
  const setStop = () => {
    const stop = find(current) ?? cells()[0];
    for (const cell of cells()) cell.setAttribute("tabindex", cell === stop ? "0" : "-1");
  };
  /** @param {Event} event */
  const cellOf = (event) =>
    event.target instanceof Element ? /** @type {SVGGElement|null} */ (event.target.closest("[data-spot]")) : null;
  /** @param {SVGGElement} cell */
  const choose = (cell) => {
    const [x = 0, y = 0] = (cell.dataset.spot ?? "").split(",").map(Number);
    onchoose(x, y, cell.dataset.card ?? null);
  };

  element.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (cell) choose(cell);
  });
  element.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    current = cell.dataset.spot ?? current;
    setStop();
  });
  element.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(cell);
    }
    const way = DIRECTIONS[event.key];
    if (!way) return;
    event.preventDefault();
    const [x = 0, y = 0] = (cell.dataset.spot ?? "").split(",").map(Number);
    find(`${x + way[0]},${y + way[1]}`)?.focus();
  });

  return {
    element,
    /** Puts the focus where it was, once a dialog has closed. */
    focus() {
      find(current)?.focus();
    },
    /** @param {string} svg @param {[number, number, string][]} planted */
    update(svg, planted) {
      const picture = svgFrom(svg);
      picture.removeAttribute("width");
      picture.removeAttribute("height");
      const taken = new Map(planted.map(([x, y, card]) => [`${x},${y}`, card]));
      for (const card of /** @type {NodeListOf<SVGGElement>} */ (picture.querySelectorAll("g.card"))) {
        const spot = `${card.dataset.x},${card.dataset.y}`;
        card.dataset.spot = spot;
        card.setAttribute("role", "button");
        card.setAttribute("aria-label", `${cardName(card.dataset.card ?? "")} at ${spot}: change`);
      }
      const xs = planted.length ? planted.map((each) => each[0]) : [0];
      const ys = planted.length ? planted.map((each) => each[1]) : [0];
      for (let y = Math.max(...ys) + 1; y >= Math.min(...ys) - 1; y--) {
        for (let x = Math.min(...xs) - 1; x <= Math.max(...xs) + 1; x++) {
          if (!taken.has(`${x},${y}`)) picture.append(emptyCell(x, y));
        }
      }
      const hadFocus = element.contains(document.activeElement);
      element.replaceChildren(picture);
      setStop();
      if (hadFocus) find(current)?.focus();
    },
  };
}

/**
 * @param {number} x
 * @param {number} y
 */
function emptyCell(x, y) {
  const left = x * PITCH.x - CARD.width / 2;
  const top = -y * PITCH.y - CARD.height / 2;
  const spot = s("rect", { class: "pad-spot", x: left, y: top, width: CARD.width, height: CARD.height, rx: 8 });
  const plus = s("path", {
    class: "pad-plus",
    d: `M${left + 30} ${top + 30}v20M${left + 20} ${top + 40}h20`,
  });
  return s("g", { class: "pad-cell", "data-spot": `${x},${y}`, role: "button", "aria-label": `Cell ${x},${y}, empty: plant here` }, spot, plus);
}
