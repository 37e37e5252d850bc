// @ts-check
/** The view `#/analyse`: a game or a record, looked at in three ways. */

import { fill, h } from "../dom.js";
import { useShortcuts } from "../shortcuts.js";
import { legend } from "./figures.js";
import { segmented, showGame } from "./game.js";
import { positionPart } from "./position.js";
import { showMistakes } from "./retry.js";
import { chooser, findSubject } from "./subject.js";

/** @typedef {import("./types.js").Desk} Desk */
/** @typedef {import("./types.js").Subject} Subject */
/** @typedef {import("../types.js").AgentInfo} AgentInfo */

const KEY = "arboretum.analysis";
const WORLDS = ["32", "64", "256", "1024"];
const OPEN = "open";
const PARTS = { game: "The game", position: "A position", mistakes: "Retry mistakes" };

/** @type {import("../types.js").ViewModule["mount"]} */
export async function mount(root, context) {
  const [kind, ...rest] = context.parts;
  const [id, seatText, atText] = kind === "game" ? rest : [undefined, ...rest];
  const subject = await findSubject(context, kind, id);
  if (!subject) {
    await chooser(root, context);
    return;
  }
  const offer = await context.api.get("/api/agents");
  return workbench(root, context, subject, offer, seatText, atText);
}

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").ViewContext} context
 * @param {Subject} subject
 * @param {{agents: AgentInfo[], default: string}} offer
 * @param {string|undefined} seatText
 * @param {string|undefined} atText
 */
async function workbench(root, context, subject, offer, seatText, atText) {
  await import("../cards.js").then(({ loadSprite }) => loadSprite());
  let abort = new AbortController();
  /** @type {keyof typeof PARTS} */
  let part = atText ? "position" : "game";
  const place = h("div", { class: "stack", id: "analysis-part" });
  const seat = seatSelect(subject, seatText);
  const players = subject.names.length;
  const usable = offer.agents.filter((agent) => agent.players.includes(players));
  const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  const agent = agentSelect("analysis-agent", usable, kept.agent ?? offer.default);
  const quick = usable.filter((each) => !each.spec.startsWith("search") && each.spec !== "levels:8" && each.spec !== "random");
  const reference = agentSelect("analysis-reference", quick, kept.reference ?? offer.default);
  const worlds = h("select", { id: "analysis-worlds" }, WORLDS.map((each) => h("option", { value: each }, each)));
  worlds.value = WORLDS.includes(kept.worlds) ? kept.worlds : "64";

  /** @type {Desk} */
  const desk = {
    subject,
    seat: () => Number(seat.value === OPEN ? (subject.seats[0] ?? 0) : seat.value),
    method: () => ({ agent: agent.value, reference: reference.value, worlds: Number(worlds.value) }),
    context,
    lookAt: (at) => {
      position.setAt(at);
      tabs.choose("position");
    },
  };
  const position = positionPart(desk, atText === undefined ? null : Number(atText));

  const run = () => {
    abort.abort();
    abort = new AbortController();
    localStorage.setItem(KEY, JSON.stringify({ agent: agent.value, reference: reference.value, worlds: worlds.value }));
    if (part === "game") void showGame(place, desk, seat.value === OPEN, abort.signal);
    else if (part === "position") void position.show(place, abort.signal);
    else void showMistakes(place, desk, abort.signal);
  };
  const tabs = tabsOf((choice) => {
    part = choice;
    run();
  }, part);
  for (const control of [seat, agent, reference, worlds]) control.addEventListener("change", run);
  fill(
    root,
    h(
      "div",
      { class: "page stack analysis" },
      h("div", {}, h("h1", { class: "page-title" }, "Analyse"), h("p", { class: "muted" }, subject.title, " · ", h("a", { href: "#/analyse" }, "another game"))),
      h(
        "div",
        { class: "analysis-controls" },
        field("analysis-seat", "Seen by", seat),
        field("analysis-agent", "Moves of", agent),
        field("analysis-reference", "Played on by", reference),
        field("analysis-worlds", "Worlds", worlds),
      ),
      tabs.element,
      place,
      legend(),
    ),
  );
  run();
  const forget = useShortcuts([
    { keys: ["g"], does: PARTS.game, group: "Analyse", run: () => tabs.choose("game") },
    { keys: ["p"], does: PARTS.position, group: "Analyse", run: () => tabs.choose("position") },
    { keys: ["m"], does: PARTS.mistakes, group: "Analyse", run: () => tabs.choose("mistakes") },
    { keys: ["ArrowLeft"], does: "The position before", group: "A position", run: () => part === "position" && position.step(-1) },
    { keys: ["ArrowRight"], does: "The next position", group: "A position", run: () => part === "position" && position.step(1) },
  ]);
  return () => {
    abort.abort();
    forget();
  };
}

/**
 * @param {(part: keyof typeof PARTS) => void} onchoose
 * @param {keyof typeof PARTS} first
 */
function tabsOf(onchoose, first) {
  const names = /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS));
  const element = segmented("What to look at", names, PARTS, (choice) => onchoose(/** @type {keyof typeof PARTS} */ (choice)));
  const buttons = [...element.querySelectorAll("button")];
  const mark = (/** @type {string} */ part) =>
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(names[index] === part)));
  mark(first);
  return {
    element: h("div", { class: "row" }, element),
    /** @param {keyof typeof PARTS} part */
    choose: (part) => {
      mark(part);
      onchoose(part);
    },
  };
}

/**
 * @param {Subject} subject
 * @param {string|undefined} wanted
 */
function seatSelect(subject, wanted) {
  const options = subject.seats.map((seat) => h("option", { value: seat }, `${subject.names[seat]} (seat ${seat + 1})`));
  const select = h("select", { id: "analysis-seat" }, options, subject.open && h("option", { value: OPEN }, "All, with open cards"));
  if (wanted !== undefined && (wanted === OPEN ? subject.open : subject.seats.includes(Number(wanted)))) select.value = wanted;
  return select;
}

/**
 * @param {string} id
 * @param {AgentInfo[]} agents
 * @param {string} wanted
 */
function agentSelect(id, agents, wanted) {
  const select = h("select", { id }, agents.map((agent) => h("option", { value: agent.spec, title: agent.summary }, agent.name)));
  if (agents.some((agent) => agent.spec === wanted)) select.value = wanted;
  return select;
}

/**
 * @param {string} id
 * @param {string} label
 * @param {HTMLElement} control
 */
function field(id, label, control) {
  return h("div", { class: "field" }, h("label", { for: id }, label), control);
}
