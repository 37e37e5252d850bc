// @ts-check
/** Bars below the chart: what each swing was made of. */

import { h, s } from "../dom.js";
import { chartWidth } from "./chart.js";
import { points } from "./figures.js";
import { moveWords } from "./words.js";

const HEIGHT = 96;
const LEFT = 46;
const RIGHT = 14;
const MIDDLE = HEIGHT / 2;

/**
 * @param {import("./types.js").Swing[]} swings
 * @param {number} last decisions of the game
 * @returns {{element: HTMLElement, moveTo: (at: number) => void}}
 */
export function luckBars(swings, last) {
  const most = Math.max(1, ...swings.flatMap((swing) => [Math.abs(swing.decision.value), Math.abs(swing.luck.value)]));
  const wide = chartWidth();
  /** @param {number} at */
  const x = (at) => LEFT + ((wide - LEFT - RIGHT) * at) / Math.max(1, last);
  const width = Math.max(2, ((wide - LEFT - RIGHT) / Math.max(1, last)) * 0.44);
  const picture = s("svg", {
    class: "chart luck-bars",
    viewBox: `0 0 ${wide} ${HEIGHT}`,
    role: "img",
    "aria-label": "What each swing was made of: decisions, luck of draws, rivals. The table below has the largest in numbers.",
  });
  picture.append(s("line", { class: "chart-zero", x1: LEFT, x2: wide - RIGHT, y1: MIDDLE, y2: MIDDLE }));
  for (const swing of swings) {
    /** @type {[number, string][]} */
    const parts = [
      [swing.decision.value, "decision"],
      [swing.luck.value, swing.luck_of],
    ];
    parts.forEach(([value, kind], index) => {
      const height = (Math.abs(value) / most) * (MIDDLE - 6);
      if (height < 0.3) return;
      const top = value > 0 ? MIDDLE - height : MIDDLE;
      const bar = s("rect", { class: `luck-bar luck-${kind}`, x: x(swing.at) + index * width, y: top, width, height });
      const title = s("title");
      title.textContent = `${moveWords(swing.move)}: ${NAMES[kind]} ${points(value)}`;
      bar.append(title);
      picture.append(bar);
    });
  }
  const cursor = s("line", { class: "chart-cursor", x1: LEFT, x2: LEFT, y1: 4, y2: HEIGHT - 4 });
  picture.append(cursor);
  const element = h(
    "div",
    { class: "luck" },
    h(
      "div",
      { class: "chart-keys" },
      ["decision", "draw", "rivals"].map((kind) =>
        h("span", { class: "chart-key" }, h("span", { class: `luck-key luck-${kind}`, "aria-hidden": "true" }), NAMES[kind]),
      ),
    ),
    picture,
  );
  return {
    element,
    moveTo(at) {
      cursor.setAttribute("x1", String(x(at)));
      cursor.setAttribute("x2", String(x(at)));
    },
  };
}

const NAMES = /** @type {Record<string, string>} */ ({
  decision: "decision",
  draw: "luck of the draw",
  rivals: "rivals",
  none: "nothing learned",
});
