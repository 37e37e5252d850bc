// @ts-check
/** Opens a record: pasted, from a file, dropped, or of a game played here. */

import { ApiError } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { keepText } from "./kept.js";

const MOST_BYTES = 200_000; // the server takes no more; a whole game has about a thousand
const SHOWN = 8;

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").ViewContext} context
 * @param {string} [text] that could not be opened
 */
export async function opener(root, context, text = "") {
  const { games } = await context.api.get("/api/games");
  const problem = h("p", { class: "field-error", role: "alert", hidden: true });
  const area = h("textarea", {
    id: "record-text",
    class: "input record-text",
    spellcheck: "false",
    placeholder: '[Arboretum "1"]\n[Players "2"]\n…',
  });
  area.value = text;

  /** @param {string} words */
  const complain = (words) => {
    problem.textContent = words;
    problem.hidden = false;
  };

  /** @param {string} record */
  const open = async (record) => {
    problem.hidden = true;
    try {
      await context.api.post("/api/records/read", { text: record });
      keepText(record);
      context.go("#/replay");
    } catch (error) {
      complain(error instanceof ApiError ? error.message : String(error));
    }
  };

  /** @param {File|undefined} file */
  const openFile = async (file) => {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      complain(`${file.name} has ${file.size} bytes: expected a record, of about a thousand.`);
      return;
    }
    const content = await file.text();
    area.value = content;
    await open(content);
  };

  const picker = h("input", { type: "file", accept: ".arb,.json,.txt", class: "visually-hidden", id: "record-file" });
  picker.addEventListener("change", () => {
    void openFile(picker.files?.[0]);
    picker.value = "";
  });
  const form = h(
    "form",
    { class: "panel stack drop", "aria-labelledby": "replay-title" },
    h(
      "div",
      { class: "field" },
      h("label", { for: "record-text" }, "A record: .arb text or its JSON form"),
      area,
    ),
    problem,
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "button button-primary" }, "Open"),
      picker,
      h("label", { for: "record-file", class: "button" }, icon("upload"), "Choose a file"),
      h("span", { class: "small muted drop-note" }, "or drop one here"),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void open(area.value);
  });
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.toggleAttribute("data-over", true);
  });
  form.addEventListener("dragleave", () => form.toggleAttribute("data-over", false));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.toggleAttribute("data-over", false);
    void openFile(event.dataTransfer?.files[0]);
  });

  const finished = games.filter((/** @type {{over: boolean}} */ game) => game.over).slice(0, SHOWN);
  /** @param {string} id */
  const openGame = async (id) => {
    try {
      await open(await context.api.text(`/api/games/${id}/record`));
    } catch (error) {
      complain(String(error instanceof Error ? error.message : error));
    }
  };
  root.append(
    h(
      "div",
      { class: "page stack" },
      h(
        "header",
        {},
        h("h1", { class: "page-title", id: "replay-title" }, "Replay a game"),
        h(
          "p",
          { class: "page-lead" },
          "Walk through any record move by move, look into one hand or all of them, and play on from wherever you like.",
        ),
      ),
      h(
        "div",
        { class: "lobby-columns" },
        form,
        h(
          "section",
          { class: "stack", "aria-labelledby": "finished-title" },
          h("h2", { id: "finished-title" }, "Played here"),
          finished.length === 0 && h("p", { class: "muted" }, "No finished game yet."),
          h(
            "div",
            { class: "games" },
            finished.map((/** @type {{id: string, names: string[], turn: number}} */ game) =>
              h(
                "button",
                { type: "button", class: "game-row game-open", onclick: () => void openGame(game.id) },
                h("strong", {}, game.names.join(" · ")),
                h("span", { class: "small muted" }, `${game.turn} turns`),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
