// @ts-check
/** Numbers with their source beside them. */

import { h } from "../dom.js";

/** @typedef {import("./types.js").Figure} Figure */

/** @param {number} value @returns {string} points with their sign, `+1.2` */
export function points(value) {
  const text = Math.abs(value) < 0.05 ? "0.0" : value.toFixed(1);
  return value >= 0.05 ? `+${text}` : text.replace("-", "−");
}

/** @param {number} value @returns {string} a share, `34 %` */
export function percent(value) {
  const share = 100 * value;
  if (share > 0 && share < 1) return "<1 %";
  if (share < 100 && share > 99) return ">99 %";
  return `${share.toFixed(0)} %`;
}

/** @param {number} value @returns {string} a sum, `8` or `2.4` */
export function plain(value) {
  return Math.abs(value - Math.round(value)) < 0.005 ? String(Math.round(value)) : value.toFixed(1);
}

/** @param {Figure} figure @returns {string} short */
export function sourceName(figure) {
  if (figure.source === "monte_carlo") return `MC ${figure.n}`;
  return figure.source;
}

/** @param {Figure} figure @param {(value: number) => string} format */
export function sourceWords(figure, format) {
  if (figure.source === "exact") return "exact: counted, not estimated";
  if (figure.source === "network") return "said by a network; no interval";
  const range = figure.interval ? `, 95 % interval ${format(figure.interval[0])} to ${format(figure.interval[1])}` : "";
  return `Monte-Carlo, n = ${figure.n}${range}`;
}

/**
 * The number, its interval and its source.
 *
 * @param {Figure} figure
 * @param {(value: number) => string} format
 * @returns {HTMLElement}
 */
export function shown(figure, format) {
  const range = figure.interval?.map(format) ?? [];
  const wide = range.some((end) => end !== format(figure.value));
  return h(
    "span",
    { class: "figure", title: sourceWords(figure, format) },
    h("span", { class: "figure-value" }, format(figure.value)),
    wide && h("span", { class: "figure-range" }, ` ${range.join("…")}`),
    " ",
    h("span", { class: "figure-source", "data-source": figure.source }, sourceName(figure)),
  );
}

/**
 * The number alone, for places where many of one source stand side by side.
 *
 * @param {Figure} figure
 * @param {(value: number) => string} format
 */
export function bare(figure, format) {
  return h("span", { class: "figure-value", title: sourceWords(figure, format) }, format(figure.value));
}

/** What the sources mean, for the foot of the view. */
export function legend() {
  /** @param {string} source @param {string} name @param {string} words */
  const item = (source, name, words) =>
    h("span", { class: "legend-item" }, h("span", { class: "figure-source", "data-source": source }, name), ` ${words}`);
  return h(
    "p",
    { class: "source-legend muted small" },
    item("exact", "exact", "counted over every possibility"),
    item("monte_carlo", "MC n", "mean of n sampled worlds, with its 95 % interval"),
    item("network", "network", "what a network says"),
  );
}
