// @ts-check
/** Walks through a record: positions, the list of moves, whose cards are shown, and what to do with it. */

import { complain } from "../notice.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { useShortcuts } from "../shortcuts.js";
import { arboretum } from "../table/arboretum.js";
import { boardsPart } from "../table/boards.js";
import { piles } from "../table/piles.js";
import { scoreSheet } from "../table/sheet.js";
import { distinct, taskOf } from "../table/words.js";
import { allHands } from "./hands.js";
import { moveList } from "./moves.js";
import { positionsOf } from "./positions.js";
import { exportDialog, playOnDialog } from "./doings.js";

/** @typedef {import("../types.js").TableState & {at: number}} Position */

/**
 * @typedef {object} Summary
 * @property {number} players
 * @property {string[]} names
 * @property {string[]} specs
 * @property {string} deal
 * @property {number[]|null} result
 * @property {string} termination
 * @property {number} takebacks
 * @property {boolean} finished whether the game was played to its end
 * @property {boolean} unknown whether cards of the deal were not noted
 * @property {string[]} notes
 * @property {number} decisions
 * @property {import("./moves.js").Move[]} moves
 * @property {Record<string, string>} comments by turn
 * @property {string} arb the record in its usual form
 */

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").ViewContext} context
 * @param {string} text
 * @returns {Promise<() => void>}
 */
export async function viewer(root, context, text) {
  /** @type {Summary} */
  const record = await context.api.post("/api/records/read", { text });
  record.names = distinct(record.names);
  const positions = positionsOf(context, record.arb);
  let at = clamp(Number(context.parts[0] ?? record.decisions) || 0);
  let seat = seatOf(context.parts[1]);
  let paths = false;
  let wanted = 0;

  const boards = boardsPart();
  const arboreta = record.names.map((_, owner) => arboretum(owner));
  boards.set(arboreta, record.names);
  const pilesPart = piles();
  const hands = allHands(record.names);
  const list = moveList(record, (where) => void show(where));
  const who = h("strong", { class: "status-who" });
  const task = h("span", { class: "status-task" });
  const where = h("span", { class: "status-turn small muted" });
  const note = h("p", { class: "replay-comment", hidden: true });
  const sheetBox = h("div", { class: "sheet-box", hidden: true });
  const words = h("p", { class: "visually-hidden" });
  const slider = h("input", {
    type: "range",
    class: "replay-slider",
    min: 0,
    max: record.decisions,
    step: 1,
    "aria-label": "Position",
    oninput: () => void show(Number(slider.value)),
  });

  /** @param {string} name @param {string} label @param {string} key @param {() => void} run */
  const control = (name, label, key, run) =>
    h(
      "button",
      { type: "button", class: "button-icon", "aria-label": label, title: `${label} (${key})`, "aria-keyshortcuts": key, onclick: run },
      icon(name),
    );
  const controls = h(
    "div",
    { class: "replay-controls", role: "group", "aria-label": "Walk through the game" },
    control("first", "To the deal", "Home", () => void show(0)),
    control("turnback", "Back a turn", "[", () => void show(turnBefore())),
    control("back", "Back a move", "ArrowLeft", () => void show(at - 1)),
    control("forward", "On a move", "ArrowRight", () => void show(at + 1)),
    control("turnon", "To the end of the turn", "]", () => void show(turnAfter())),
    control("last", "To the end", "End", () => void show(record.decisions)),
  );
  const view = h("div", { class: "segmented replay-view", role: "group", "aria-label": "Whose cards are shown" });
  const pathBox = h("input", { type: "checkbox", onchange: () => setPaths(pathBox.checked) });
  const toolbar = h(
    "div",
    { class: "replay-tools" },
    h("button", { type: "button", class: "button button-primary", onclick: playOn }, icon("play"), "Play on from here"),
    h("button", { type: "button", class: "button", onclick: again }, icon("rematch"), "Same deal again"),
    h("button", { type: "button", class: "button", onclick: analyse }, icon("chart"), "Analyse"),
    h("button", { type: "button", class: "button", onclick: save }, icon("download"), "Export"),
    h("a", { class: "button button-quiet", href: "#/replay/open" }, icon("upload"), "Open another"),
  );
  const screen = h(
    "div",
    { class: "table-view replay" },
    h("h1", { class: "visually-hidden" }, "Replay"),
    h(
      "section",
      { class: "status", "aria-label": "Position" },
      h("div", { class: "status-words" }, who, task),
      h("div", { class: "status-more" }, where, recordBadges(record)),
    ),
    h("div", { class: "table-main" }, boards.switcher, boards.element, hands.element, pilesPart.element, note, sheetBox, words),
    h("aside", { class: "table-side" }, list.element),
    h(
      "section",
      { class: "dock replay-dock", "aria-label": "Controls" },
      h("div", { class: "replay-walk" }, controls, slider),
      h("label", { class: "check replay-paths" }, pathBox, h("span", {}, "Best paths")),
      view,
      toolbar,
    ),
  );
  root.append(screen);

  /** @param {number} number */
  function clamp(number) {
    return Math.min(Math.max(Math.trunc(number), 0), record.decisions);
  }

  /** @param {string|undefined} part @returns {number|null} */
  function seatOf(part) {
    const number = Number(part);
    return part !== undefined && /^\d$/.test(part) && number < record.players ? number : null;
  }

  /** Where the turn before begins. */
  function turnBefore() {
    const turn = record.moves[at - 1]?.turn ?? 0;
    const start = record.moves.findIndex((move) => move.turn === turn);
    return Math.max(start, 0);
  }

  /** Where the turn that is under way, or the next, ends. */
  function turnAfter() {
    const turn = record.moves[at]?.turn;
    const last = record.moves.findLast((move) => move.turn === turn);
    return last ? last.at : record.decisions;
  }

  /** @param {number} number */
  async function show(number) {
    at = clamp(number);
    const mine = ++wanted;
    slider.value = String(at);
    list.point(at, seat);
    history.replaceState(null, "", `#/replay/${at}/${seat ?? "open"}`);
    try {
      const position = await positions.get(at, seat, paths);
      if (mine !== wanted) return;
      render({ ...position, names: record.names });
      positions.prefetch(
        [at + 1, at - 1].filter((near) => near >= 0 && near <= record.decisions),
        seat,
        paths,
      );
    } catch (problem) {
      complain(problem);
    }
  }

  /** @param {Position} position */
  function render(position) {
    const move = record.moves[at - 1];
    screen.dataset.shown = `${at} ${seat ?? "open"}`;
    boards.bringForward(move?.seat ?? position.mover);
    who.textContent = position.over ? "The end" : `${position.names[position.mover]}’s turn`;
    task.textContent = position.over && record.termination ? record.termination : taskOf(position, false);
    where.textContent = `Turn ${position.turn + (position.over ? 0 : 1)} · move ${at} of ${record.decisions} · deck ${position.deck}`;
    for (const [owner, each] of arboreta.entries()) {
      each.update(position.boards[owner] ?? "", {
        title: position.names[owner] ?? "",
        badges: position.sheet ? [h("span", { class: "badge" }, `${position.sheet.scores[owner]} points`)] : [],
        card: null,
        advised: null,
        active: owner === position.mover && !position.over,
      });
    }
    pilesPart.update({
      deck: position.deck,
      piles: position.piles,
      owners: position.names.map((name) => `${name}’s`),
      short: position.names,
      legal: new Set(),
      advised: null,
      lastDiscard: move?.token.startsWith("x") ? move.seat : null,
    });
    hands.update(position);
    words.textContent = position.text;
    const turn = move?.turn;
    const comment = turn === undefined ? undefined : record.comments[String(turn)];
    note.hidden = !comment;
    note.textContent = comment ?? "";
    screen.classList.toggle("finished", position.sheet !== null);
    sheetBox.hidden = position.sheet === null;
    if (position.sheet) fill(sheetBox, scoreSheet(position.sheet, position.names));
    const last = position.log.at(-1);
    context.announce(last ? `${position.names[last.seat]} ${last.text}. ${task.textContent}` : (task.textContent ?? ""));
    for (const button of view.children) button.setAttribute("aria-pressed", String(button.getAttribute("data-seat") === String(seat)));
  }

  /** @param {number|null} who */
  function look(who) {
    seat = who;
    void show(at);
  }

  /** @param {boolean} drawn */
  function setPaths(drawn) {
    paths = drawn;
    pathBox.checked = drawn;
    void show(at);
  }

  fill(
    view,
    [null, ...record.names.keys()].map((who) =>
      h(
        "button",
        { type: "button", "data-seat": String(who), "aria-pressed": "false", onclick: () => look(who) },
        who === null ? "Open cards" : record.names[who],
      ),
    ),
  );

  function playOn() {
    const mover = record.moves[at]?.seat ?? 0;
    void playOnDialog(context, record, at, seat ?? mover, "Play on from here").catch(complain);
  }

  function again() {
    void playOnDialog(context, record, 0, seat ?? 0, "Same deal again").catch(complain);
  }

  function analyse() {
    context.go(`#/analyse/record/${seat ?? record.moves[at]?.seat ?? 0}/${at}`);
  }

  function save() {
    exportDialog(record, at, seat);
  }

  const stop = useShortcuts([
    { keys: ["ArrowLeft"], does: "Back a move", group: "Replay", run: () => void show(at - 1) },
    { keys: ["ArrowRight"], does: "On a move", group: "Replay", run: () => void show(at + 1) },
    { keys: ["["], does: "Back a turn", group: "Replay", run: () => void show(turnBefore()) },
    { keys: ["]"], does: "To the end of the turn", group: "Replay", run: () => void show(turnAfter()) },
    { keys: ["Home"], does: "To the deal", group: "Replay", run: () => void show(0) },
    { keys: ["End"], does: "To the end", group: "Replay", run: () => void show(record.decisions) },
    {
      keys: ["v"],
      does: "Whose cards are shown: all, then one seat after the other",
      group: "Replay",
      run: () => look(seat === null ? 0 : seat + 1 < record.players ? seat + 1 : null),
    },
    { keys: ["b"], does: "Best paths", group: "Replay", run: () => setPaths(!paths) },
    { keys: ["x"], does: "Play on from here", group: "Replay", run: playOn },
  ]);
  await show(at);
  return stop;
}

/** @param {Summary} record */
function recordBadges(record) {
  const badges = [];
  if (record.result) badges.push(h("span", { class: "badge" }, record.result.join(" : ")));
  if (record.unknown) badges.push(h("span", { class: "badge badge-hint", title: record.notes.join("; ") }, "Some cards unknown"));
  if (record.takebacks) badges.push(h("span", { class: "badge" }, `${record.takebacks} taken back`));
  return badges;
}
