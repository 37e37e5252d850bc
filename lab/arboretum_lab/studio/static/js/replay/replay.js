// @ts-check
import { h } from "../dom.js";

/** @type {import("../types.js").ViewModule["mount"]} */
export function mount(root) {
  root.append(h("div", { class: "page" }, h("h1", { class: "page-title" }, "Soon")));
}
