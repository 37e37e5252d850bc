// @ts-check
/** Opens a text: pasted, or from a file. */

import { ApiError } from "../api.js";
import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";

const MOST_BYTES = 100_000;

/**
 * @param {{title: string, note: string, accept: string, open: (text: string) => Promise<void>}} options
 *   `open` throws what the dialog is to show
 */
export function openText(options) {
  const problem = h("p", { class: "field-error", role: "alert", hidden: true });
  const area = h("textarea", { id: "open-text", class: "input record-text", spellcheck: "false" });
  /** @param {string} words */
  const complain = (words) => {
    problem.textContent = words;
    problem.hidden = false;
  };
  /** @param {string} text */
  const open = async (text) => {
    problem.hidden = true;
    try {
      await options.open(text);
      dialog.close();
    } catch (error) {
      complain(error instanceof ApiError ? error.message : String(error));
    }
  };
  const file = h("input", { type: "file", accept: options.accept, class: "visually-hidden", id: "open-file" });
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    if (chosen.size > MOST_BYTES) {
      complain(`${chosen.name} has ${chosen.size} bytes: expected at most ${MOST_BYTES}.`);
      return;
    }
    area.value = await chosen.text();
    await open(area.value);
  });
  const dialog = openDialog(options.title, [
    h("p", { class: "muted" }, options.note),
    h("div", { class: "field" }, h("label", { for: "open-text" }, "Text"), area),
    problem,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "button button-primary", onclick: () => void open(area.value) }, "Open"),
      file,
      h("label", { for: "open-file", class: "button" }, icon("upload"), "Choose a file"),
    ),
  ]);
}
