// @ts-check
/** A line chart of figures over a game: bands for intervals, a cursor, and no library. */

import { h, s } from "../dom.js";

/** @typedef {import("./types.js").Figure} Figure */

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {{at: number, figure: Figure}[]} points
 *
 * @typedef {object} Chart
 * @property {string} label what is drawn, in words
 * @property {Series[]} series
 * @property {(value: number) => string} format
 * @property {[number, number]} range that is shown at least
 * @property {number} last decisions of the game
 * @property {number[]} marks decisions to be marked
 * @property {(at: number) => void} onpick
 * @property {(at: number) => void} onmove the cursor has moved
 */

const HEIGHT = 260;
const LEFT = 46;
const RIGHT = 14;
const TOP = 14;
const FOOT = 30;

/** @returns {number} units across: fewer on a small screen, so that its text can be read */
export function chartWidth() {
  return matchMedia("(width <= 600px)").matches ? 380 : 720;
}

/**
 * @param {Chart} chart
 * @returns {{element: HTMLElement, moveTo: (at: number) => void}}
 */
export function lineChart(chart) {
  const figures = chart.series.flatMap((series) => series.points.map((point) => point.figure));
  const ends = figures.flatMap((figure) => [figure.value, ...(figure.interval ?? [])]);
  const low = Math.min(chart.range[0], ...ends);
  const high = Math.max(chart.range[1], ...ends);
  const wide = chartWidth();
  /** @param {number} at */
  const x = (at) => LEFT + ((wide - LEFT - RIGHT) * at) / Math.max(1, chart.last);
  /** @param {number} value */
  const y = (value) => TOP + ((HEIGHT - TOP - FOOT) * (high - value)) / (high - low);

  const picture = s("svg", { class: "chart", viewBox: `0 0 ${wide} ${HEIGHT}`, role: "img", "aria-label": chart.label });
  for (const value of ticks(low, high)) {
    picture.append(
      s("line", { class: value === 0 ? "chart-zero" : "chart-grid", x1: LEFT, x2: wide - RIGHT, y1: y(value), y2: y(value) }),
      label(LEFT - 8, y(value) + 4, chart.format(value), "end"),
    );
  }
  for (let at = 0; at <= chart.last; at += 20) picture.append(label(x(at), HEIGHT - 10, String(at), "middle"));
  for (const at of chart.marks) {
    picture.append(s("line", { class: "chart-mark", x1: x(at), x2: x(at), y1: TOP, y2: HEIGHT - FOOT }));
  }
  chart.series.forEach((series, index) => picture.append(...drawn(series, index, x, y)));
  const cursor = s("line", { class: "chart-cursor", x1: x(0), x2: x(0), y1: TOP, y2: HEIGHT - FOOT });
  picture.append(cursor);

  const stops = [...new Set(chart.series.flatMap((series) => series.points.map((point) => point.at)))].sort((a, b) => a - b);
  const slider = h("input", { type: "range", class: "chart-slider", min: "0", max: String(Math.max(0, stops.length - 1)), value: "0", "aria-label": "Position in the game" });
  // Its thumb stands below the cursor.
  slider.style.marginLeft = `calc(${(100 * LEFT) / wide}% - 8px)`;
  slider.style.width = `calc(${(100 * (wide - LEFT - RIGHT)) / wide}% + 16px)`;
  const readout = h("output", { class: "chart-readout" });
  const look = h("button", { type: "button", class: "button", onclick: () => chart.onpick(current()) }, "Look at this position");

  const current = () => stops[Number(slider.value)] ?? 0;
  const show = () => {
    const at = current();
    cursor.setAttribute("x1", String(x(at)));
    cursor.setAttribute("x2", String(x(at)));
    const values = chart.series.flatMap((series) => {
      const point = series.points.find((each) => each.at === at);
      if (!point) return [];
      const range = point.figure.interval;
      const between = range ? ` (${chart.format(range[0])}…${chart.format(range[1])})` : "";
      return [`${series.name} ${chart.format(point.figure.value)}${between}`];
    });
    readout.textContent = `After ${at} decisions: ${values.join(", ")}`;
    slider.setAttribute("aria-valuetext", readout.textContent);
    chart.onmove(at);
  };
  /** @param {number} at the nearest stop */
  const moveTo = (at) => {
    const index = stops.reduce((best, stop, each) => (Math.abs(stop - at) < Math.abs((stops[best] ?? 0) - at) ? each : best), 0);
    slider.value = String(index);
    show();
  };
  slider.addEventListener("input", show);
  picture.addEventListener("pointerdown", (event) => {
    const box = picture.getBoundingClientRect();
    const inside = ((event.clientX - box.left) / box.width) * wide;
    moveTo(((inside - LEFT) / (wide - LEFT - RIGHT)) * chart.last);
  });
  const element = h(
    "figure",
    { class: "chart-figure" },
    chart.series.length > 1 ? keys(chart.series) : null,
    picture,
    slider,
    h("figcaption", { class: "row row-spread" }, readout, look),
  );
  show();
  return { element, moveTo };
}

/**
 * @param {Series} series
 * @param {number} index
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 * @returns {SVGElement[]}
 */
function drawn(series, index, x, y) {
  const points = series.points;
  const line = points.map((point) => `${x(point.at).toFixed(1)},${y(point.figure.value).toFixed(1)}`);
  /** @param {0|1} end */
  const edge = (end) =>
    points.map((point) => `${x(point.at).toFixed(1)},${y(point.figure.interval?.[end] ?? point.figure.value).toFixed(1)}`);
  const found = [
    s("polygon", { class: `chart-band series-${index}`, points: [...edge(1), ...edge(0).reverse()].join(" ") }),
    s("polyline", { class: `chart-line series-${index}`, points: line.join(" ") }),
  ];
  // What is exact has a dot: it has no band to be told by.
  for (const point of points.filter((each) => each.figure.source === "exact")) {
    found.push(s("circle", { class: `chart-dot series-${index}`, cx: x(point.at), cy: y(point.figure.value), r: 3 }));
  }
  return found;
}

/** @param {Series[]} series */
function keys(series) {
  return h(
    "div",
    { class: "chart-keys" },
    series.map(({ name }, index) =>
      h(
        "span",
        { class: "chart-key" },
        s("svg", { viewBox: "0 0 30 10", width: 30, height: 10, "aria-hidden": "true" }, s("line", { class: `chart-line series-${index}`, x1: 0, x2: 30, y1: 5, y2: 5 })),
        name,
      ),
    ),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {"start"|"middle"|"end"} anchor
 */
function label(x, y, text, anchor) {
  const element = s("text", { class: "chart-text", x, y, "text-anchor": anchor });
  element.textContent = text;
  return element;
}

/** @param {number} low @param {number} high @returns {number[]} some round numbers between */
function ticks(low, high) {
  const rough = (high - low) / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((each) => each >= rough) ?? rough;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) {
    found.push(Math.abs(value) < 1e-9 ? 0 : value);
  }
  return found;
}
