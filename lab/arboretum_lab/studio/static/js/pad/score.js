// @ts-check
/** Scoring a game at the table: cards are tapped in, the score follows. */

import { saveFile } from "../api.js";
import { confirmDialog } from "../dialog.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { complain } from "../notice.js";
import { oneOf, tabs } from "../parts/toggles.js";
import { scoreSheet } from "../table/sheet.js";
import { emptyPad, emptyPlayer, isEmpty, keepPad, keptPad, nameOf } from "./board.js";
import { openText } from "./files.js";
import { PAGES } from "./pages.js";
import { playerPart } from "./player.js";

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").ViewContext} context
 */
export async function mountScore(root, context) {
  let pad = keptPad();
  /** @type {ReturnType<typeof playerPart>[]} */
  let parts = [];
  /** @type {AbortController|null} */
  let asking = null;
  let said = "";

  const players = h("div", { class: "pad-players" });
  const general = h("ul", { class: "pad-remarks" });
  const result = h("div", { class: "pad-result" });
  const tools = h("div", { class: "row no-print" });

  const score = async () => {
    asking?.abort();
    const mine = (asking = new AbortController());
    try {
      const names = pad.board.players.map((_, seat) => nameOf(pad, seat));
      const answer = await context.api.post("/api/pad/score", { ...pad.board, names }, mine.signal);
      /** @type {import("./player.js").Remark[]} */
      const remarks = answer.remarks;
      parts.forEach((part, seat) =>
        part.update(answer.sheet, answer.pictures[seat], remarks.filter((remark) => remark.seat === seat)),
      );
      fill(
        general,
        remarks
          .filter((remark) => remark.seat === null)
          .map((remark) => h("li", { class: `pad-remark pad-${remark.level}` }, remark.text)),
      );
      fill(result, isEmpty(pad.board) ? null : scoreSheet(answer.sheet, names));
      if (!answer.complete) result.querySelector(".sheet-verdict")?.replaceChildren("So far, with what has been entered.");
      const words = answer.sheet.scores.map((/** @type {number} */ points, /** @type {number} */ seat) => `${names[seat]} ${points}`).join(", ");
      if (words !== said && said) context.announce(words);
      said = words;
    } catch (problem) {
      if (asking === mine) complain(problem);
    }
  };

  const changed = () => {
    keepPad(pad);
    for (const part of parts) part.showHand();
    void score();
  };

  const show = () => {
    keepPad(pad);
    parts = pad.board.players.map((_, seat) => playerPart(() => pad, seat, changed));
    fill(players, parts.map((part) => part.element));
    fill(
      tools,
      oneOf("Players", [[2, "2 players"], [3, "3"], [4, "4"]], pad.board.players.length, (count) => void resize(count)),
      button("Open", "upload", open),
      button("Save", "download", () => saveFile("BOARD.json", new Blob([`${JSON.stringify(pad.board)}\n`], { type: "application/json" }))),
      button("Print", "sheet", () => print()),
      button("Clear", "close", () => void clear()),
    );
    void score();
  };

  /** @param {number} count */
  const resize = async (count) => {
    const list = pad.board.players;
    const lost = list.slice(count).some((player) => player.hand.length || player.arboretum.length);
    if (!lost || (await confirmDialog("Fewer players", "The last players' cards are taken off the pad.", "Take them off"))) {
      while (list.length < count) list.push(emptyPlayer());
      list.length = count;
    }
    show();
  };
  const clear = async () => {
    if (!isEmpty(pad.board) && !(await confirmDialog("Clear the pad", "All cards are taken off it.", "Clear"))) return;
    pad = { ...emptyPad(pad.board.players.length), names: pad.names };
    show();
  };
  const open = () =>
    openText({
      title: "Open a board",
      note: "A BOARD.json or a text grid, as arboretum score reads them. It takes the place of what is on the pad.",
      accept: ".json,.txt",
      open: async (text) => {
        const board = await context.api.post("/api/pad/read", { text });
        delete board.species; // those on the board score the same, and others may still be added
        while (board.players.length < 2) board.players.push(emptyPlayer());
        pad = { board, names: pad.names };
        show();
      },
    });

  root.append(
    h(
      "div",
      { class: "page stack pad" },
      h(
        "header",
        { class: "stack" },
        h("div", { class: "no-print" }, tabs("Score pad", PAGES, "#/pad")),
        h("h1", { class: "page-title" }, "Score pad"),
        h(
          "p",
          { class: "page-lead no-print" },
          "For a game at a real table: tap a cell and choose its card, then add what is left in every hand.",
        ),
        tools,
      ),
      general,
      players,
      result,
    ),
  );
  show();

  // Paper is white: printed from the dark, a board would be a black block.
  let theme = "";
  const before = () => {
    theme = document.documentElement.dataset.theme ?? "auto";
    document.documentElement.dataset.theme = "light";
  };
  const after = () => {
    document.documentElement.dataset.theme = theme;
  };
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  return () => {
    asking?.abort();
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", after);
  };
}

/**
 * @param {string} words
 * @param {string} name of the icon
 * @param {() => void} run
 */
function button(words, name, run) {
  return h("button", { type: "button", class: "button", onclick: run }, icon(name), words);
}
