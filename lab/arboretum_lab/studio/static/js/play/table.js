// @ts-check
/** The table of one game: shows what a seat knows, and sends what a person decides. */

import { ApiError, download } from "../api.js";
import { cardName } from "../cards.js";
import { confirmDialog, openDialog } from "../dialog.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { clearNotices, complain, notify } from "../notice.js";
import { useShortcuts } from "../shortcuts.js";
import { arboretum } from "../table/arboretum.js";
import { boardsPart } from "../table/boards.js";
import { hand } from "../table/hand.js";
import { gameLog } from "../table/log.js";
import { piles } from "../table/piles.js";
import { scoreSheet } from "../table/sheet.js";
import { distinct, refusalOf, taskOf, verdictOf, withNames } from "../table/words.js";
import { curtain } from "./curtain.js";
import { pickOf } from "./choices.js";
import { adviceOn, badgesOf, freshCards, lastDiscard } from "./facts.js";
import { follow, LOST } from "./follow.js";
import { guests, joinLinks } from "./invitations.js";
import { rematch } from "./rematch.js";
import { statusBar } from "./status.js";

/** @typedef {import("../types.js").GameState} GameState */
/** @typedef {import("../types.js").ViewContext} ViewContext */

/**
 * @param {HTMLElement} root
 * @param {ViewContext} context
 * @param {string} id
 * @returns {Promise<() => void>}
 */
export async function table(root, context, id) {
  const { api, announce } = context;
  const address = `/api/games/${encodeURIComponent(id)}`;
  /** @type {GameState|null} */
  let state = null;
  /** @type {string|null} a card chosen here, not yet told to the server */
  let picked = null;
  /** @type {{state_id: number, kind: string, where: string}|null} */
  let advice = null;
  let busy = false;
  let keyboard = false;
  let said = "";
  /** @type {Map<string, string>} an agent's spec -> what people call it */
  const agentNames = new Map();

  const status = statusBar();
  const pilesPart = piles(draw);
  const handPart = hand("Your hand", chooseCard);
  const log = gameLog();
  const boards = boardsPart();
  const sheetBox = h("div", { class: "sheet-box", hidden: true });
  const words = h("p", { class: "visually-hidden", id: "board-words" });
  const actions = h("div", { class: "table-actions" });
  const handLabel = h("span", { class: "hand-label small" });
  const dock = h("section", { class: "dock", "aria-label": "Your hand" }, h("div", { class: "dock-head" }, handLabel, actions), handPart.element);
  const screen = h(
    "div",
    { class: "table-view" },
    h("h1", { class: "visually-hidden" }, "Game table"),
    status.element,
    h("div", { class: "table-main" }, boards.switcher, boards.element, pilesPart.element, words),
    h("aside", { class: "table-side" }, log.element),
    dock,
    sheetBox,
  );
  const veil = h("div", { class: "veil", hidden: true });
  root.append(screen, veil);

  /** @type {import("../table/arboretum.js").Arboretum[]} */
  let arboreta = [];

  const mine = () => state !== null && !state.over && state.seat === state.mover;
  const chosen = () => (state ? (state.chosen ?? picked) : null);

  /** What the server tells, or the curtain if another person at this screen is to move. @param {GameState} told */
  function arrive(told) {
    const { mover, seat, your_seats: ours } = told;
    if (!told.over && mover !== seat && ours.includes(mover)) void lowerCurtain().catch(complain);
    else show(told);
  }

  /** @param {GameState} told */
  function show(told) {
    const next = { ...told, names: distinct(told.names.map((name, seat) => agentNames.get(told.kinds[seat] ?? "") ?? name)) };
    const turned = !state || state.state_id !== next.state_id;
    const first = state === null;
    if (turned) {
      picked = null;
      if (advice && advice.state_id !== next.state_id) advice = null;
    }
    const before = state;
    state = next;
    screen.dataset.state = String(next.state_id);
    veil.hidden = true;
    screen.hidden = false;
    if (arboreta.length === 0) makeBoards(next);
    render();
    if (turned) speak(before);
    if (turned && keyboard && mine()) focusTask();
    if (first && next.over) sheetBox.scrollIntoView({ block: "nearest" });
    follower.watch(next);
  }

  /** @param {GameState} shown */
  function makeBoards(shown) {
    const order = Array.from({ length: shown.players }, (_, k) => ((shown.seat ?? 0) + k) % shown.players);
    arboreta = order.map((seat) =>
      arboretum(seat, {
        onplant: plant,
        onother: () => seat !== state?.seat && mine() && refuse("rival"),
      }),
    );
    boards.set(arboreta, shown.names);
  }

  function render() {
    if (!state) return;
    const shown = state;
    const seat = shown.seat ?? 0;
    const own = mine();
    const legalCards = new Set(shown.legal.flatMap((each) => (each.kind === "play" || each.kind === "discard" ? [String(each.card)] : [])));
    const legalPiles = new Set(
      shown.legal.flatMap((each) => (each.kind === "draw_deck" ? ["deck"] : each.kind === "draw_discard" ? [String(each.seat)] : [])),
    );
    status.update(shown, own, chosen());
    for (const each of arboreta) {
      const owner = Number(each.element.dataset.seat);
      each.update(shown.boards[owner] ?? "", {
        title: owner === seat && shown.names[owner] !== "You" ? `${shown.names[owner]} (you)` : (shown.names[owner] ?? ""),
        badges: badgesOf(shown, owner),
        card: owner === seat ? chosen() : null,
        advised: owner === seat && advice?.kind === "cell" ? advice.where : null,
        active: owner === shown.mover && !shown.over,
      });
      each.element.toggleAttribute("data-planting", owner === seat && own && chosen() !== null);
    }
    const possessives = shown.names.map((name, each) => (each === seat ? "Your" : `${name}’s`));
    pilesPart.update({
      deck: shown.deck,
      piles: shown.piles,
      owners: possessives,
      short: shown.names.map((name, each) => (each === seat ? "Yours" : name)),
      legal: legalPiles,
      advised: advice?.kind === "pile" ? advice.where : null,
      lastDiscard: lastDiscard(shown),
    });
    handPart.update({
      cards: shown.hand,
      legal: shown.phase === "place" ? new Set() : legalCards,
      known: new Set(shown.over ? [] : (shown.known[String(seat)] ?? [])),
      fresh: new Set(own ? freshCards(shown) : []),
      chosen: chosen(),
      advised: advice?.kind === "card" ? advice.where : null,
      verb: shown.phase === "discard" ? "Discard" : "Plant",
    });
    dock.dataset.phase = own ? shown.phase : "waiting";
    handLabel.textContent = `${shown.names[seat]}’s hand`;
    log.update(shown.log, shown.names);
    words.textContent = shown.text;
    const used = document.activeElement instanceof HTMLElement && actions.contains(document.activeElement) ? document.activeElement.textContent : null;
    fill(actions, actionButtons(shown));
    if (used) [...actions.querySelectorAll("button")].find((each) => each.textContent === used)?.focus();
    screen.classList.toggle("finished", shown.over);
    sheetBox.hidden = !shown.over;
    if (shown.over && shown.sheet) fill(sheetBox, scoreSheet(shown.sheet, shown.names));
    else if (shown.over) fill(sheetBox, h("p", { class: "panel" }, shown.termination || "The game is over."));
  }

  /** @param {GameState} shown */
  function actionButtons(shown) {
    /** @param {string} name @param {string} label @param {() => void} run @param {string} [classes] */
    const button = (name, label, run, classes = "") =>
      h("button", { type: "button", class: `button ${classes}`, onclick: run }, icon(name), label);
    const buttons = [];
    if (shown.fault) {
      buttons.push(button("rematch", "Let it try again", () => void act("retry", {}), "button-primary"));
    }
    if (shown.over) {
      buttons.push(
        button("rematch", "Rematch", () => void rematch(context, shown).catch(complain), "button-primary"),
        button("play", "Replay", () => void openReplay()),
      );
    } else {
      if (shown.host && shown.kinds.includes("guest")) {
        buttons.push(button("share", "Guests", () => guests(context, address, shown)));
      }
      const back = button("undo", "Undo", undo);
      if (!picked && !shown.undo.possible) {
        back.setAttribute("aria-disabled", "true");
        back.title = shown.undo.reason;
      }
      buttons.push(button("hint", "Hint", () => void askHint()), back);
    }
    const analysis = `#/analyse/game/${encodeURIComponent(id)}/${shown.seat}`;
    buttons.push(h("a", { class: "button button-quiet", href: analysis }, icon("chart"), "Analyse"));
    // Others' cards are theirs until the end, even of a practice game.
    const alone = shown.kinds.every((kind, each) => kind !== "guest" && (kind !== "human" || shown.your_seats.includes(each)));
    if (shown.practice && alone && !shown.over) buttons.push(button("play", "Replay", () => void openReplay(), "button-quiet"));
    buttons.push(button("download", "Record", () => void saveRecord(), "button-quiet"), button("log", "In words", inWords, "button-quiet"));
    return buttons;
  }

  /** @param {string} where */
  function draw(where) {
    const action = state?.legal.find((each) =>
      where === "deck" ? each.kind === "draw_deck" : each.kind === "draw_discard" && String(each.seat) === where,
    );
    if (action) void move([action.action]);
    else refuse("draw", where);
  }

  /** @param {string} card */
  function chooseCard(card) {
    if (!state) return;
    const action = state.legal.find((each) => each.card === card && (each.kind === "play" || each.kind === "discard"));
    if (!action) return refuse("hand");
    if (action.kind === "discard") return void move([action.action]);
    picked = picked === card ? null : card;
    render();
    boards.bringForward(state.seat ?? 0);
    if (!picked) return;
    announce(`${cardName(picked)} chosen. Choose its cell.`);
    if (keyboard) arboreta[0]?.focus();
  }

  /** @param {number} cell the action of a cell */
  function plant(cell) {
    const actions = state ? pickOf(state, picked, cell) : null;
    if (actions) void move(actions);
    else refuse("cell");
  }

  /** @param {"draw"|"hand"|"cell"|"rival"} tried @param {string} [where] */
  function refuse(tried, where) {
    if (state) notify(refusalOf(state, mine(), tried, where), "problem");
  }

  /** @param {number[]} actions */
  async function move(actions) {
    await act("moves", { actions });
  }

  /**
   * Sends a decision that is meant for what is shown.
   *
   * @param {"moves"|"undo"|"retry"} what
   * @param {object} body
   */
  async function act(what, body) {
    if (!state || busy) return;
    busy = true;
    try {
      const next = await api.post(`${address}/${what}`, { state_id: state.state_id, seat: state.seat, ...body });
      clearNotices();
      arrive(next);
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      if (problem.code === "forbidden" || problem.code === "not_found") return leaveLost(LOST);
      if (problem.code !== "stale") notify(withNames(problem.message, state.names), "problem");
      else {
        notify("The game went on in another tab or on another device, so this move was not made. This is the position now.", "problem");
      }
      if (problem.status === 409) await load();
    } finally {
      busy = false;
    }
  }

  function undo() {
    if (picked) {
      picked = null;
      render();
      handPart.focus();
      return;
    }
    if (state && !state.undo.possible) notify(withNames(state.undo.reason, state.names), "problem");
    else void act("undo", {});
  }

  async function askHint() {
    if (!state) return;
    if (!mine()) return notify(refusalOf(state, false, "hand"), "info");
    try {
      const answer = await api.post(`${address}/hint`, { seat: state.seat });
      const action = state.legal.find((each) => each.action === answer.actions[0]);
      advice = action ? { state_id: answer.state_id, ...adviceOn(action) } : null;
      if (picked && answer.actions.length > 1 && action?.card === picked) {
        const cell = state.cells.find((each) => each.action === answer.actions[1]);
        if (cell) advice = { state_id: answer.state_id, kind: "cell", where: cell.cell.join(",") };
      }
      render();
      notify(`${answer.spec} would play ${answer.move}. ${answer.explanation ?? ""}`, "hint");
    } catch (problem) {
      complain(problem);
    }
  }

  async function saveRecord() {
    if (!state) return;
    let query = "";
    if (!state.over && !state.practice) {
      const yes = await confirmDialog(
        "The whole deal",
        "A record holds every hand and the deck. Before the end it can be saved only of a practice game: this game becomes one, and the record says so.",
        "Make it practice and save",
      );
      if (!yes) return;
      query = "?whole_deal=true";
    } else if (!state.over) query = "?whole_deal=true";
    await download(`${address}/record${query}`, `arboretum-${id}.arb`).catch(complain);
    if (query) await load();
  }

  async function openReplay() {
    try {
      const query = state?.over ? "" : "?whole_deal=true"; // of a practice game
      sessionStorage.setItem("arboretum.replay", await api.text(`${address}/record${query}`));
      context.go("#/replay");
    } catch (problem) {
      complain(problem);
    }
  }

  function inWords() {
    if (state) openDialog("The table in words", [h("pre", { class: "words", tabindex: "0" }, state.text)], { wide: true });
  }

  function focusTask() {
    if (!state) return;
    if (state.phase === "draw_first" || state.phase === "draw_second") pilesPart.focus();
    else if (state.phase === "place" || picked) arboreta[0]?.focus();
    else handPart.focus();
  }

  /** Tells a screen reader what has happened. @param {GameState|null} before */
  function speak(before) {
    if (!state) return;
    const { names } = state;
    const known = before ? before.log.length : state.log.length;
    const news = state.log.slice(known).filter((event) => event.seat !== state?.seat).map((event) => `${names[event.seat]} ${event.text}.`);
    const text = [...news, state.over && state.sheet ? verdictOf(state.sheet, names) : taskOf(state, mine())].join(" ");
    if (text !== said) announce(text);
    said = text;
    document.title = mine() ? "Your turn · Arboretum Lab" : "Play · Arboretum Lab";
  }

  async function load() {
    try {
      arrive(await api.get(address));
    } catch (problem) {
      if (problem instanceof ApiError && problem.code === "curtain") await lowerCurtain();
      else throw problem;
    }
  }

  /** The seat was given to another device, or the game was deleted: nothing here is to be seen any more. @param {string} why */
  function leaveLost(why) {
    screen.remove();
    context.go("#/play");
    addEventListener("hashchange", () => notify(why, "problem"), { once: true });
  }

  /** Several people play at this screen: nobody's cards are shown before they say who looks. */
  async function lowerCurtain() {
    follower.stop();
    const { games } = await api.get("/api/games");
    const game = games.find((/** @type {{id: string}} */ each) => each.id === id);
    if (!game) throw new ApiError(404, "not_found", "There is no such game, or it is not yours.");
    const seat = game.your_seats.includes(game.mover) ? game.mover : game.your_seats[0];
    screen.hidden = true;
    veil.hidden = false;
    curtain(veil, game.names, game.your_seats, seat, async (who) => {
      try {
        const next = await api.post(`${address}/handover`, { seat: who });
        arboreta = [];
        state = null;
        show(next);
      } catch (problem) {
        complain(problem);
      }
    });
  }

  const follower = follow(context, address, {
    onstate: arrive,
    oncurtain: () => void lowerCurtain().catch(complain),
    onlost: leaveLost,
  });

  const letters = useShortcuts([
    { keys: ["d"], does: "Draw from the deck", group: "Play", run: () => draw("deck") },
    {
      keys: ["1", "2", "3", "4"],
      does: "Take the top of a pile, in the order shown",
      group: "Play",
      run: (event) => draw(String(Number(event.key) - 1)),
    },
    { keys: ["h"], does: "To the hand", group: "Play", run: () => void handPart.focus() },
    { keys: ["p"], does: "To the deck and piles", group: "Play", run: () => void pilesPart.focus() },
    { keys: ["a"], does: "To the cells of your arboretum", group: "Play", run: () => void arboreta[0]?.focus() },
    { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], does: "Move among cards, piles or cells", group: "Play" },
    { keys: ["Enter", " "], does: "Choose what has the focus", group: "Play" },
    { keys: ["Escape", "u"], does: "Take back: first the chosen card, then the last move", group: "Play", run: undo },
    { keys: ["i"], does: "Hint", group: "Play", run: () => void askHint() },
    { keys: ["w"], does: "The table in words", group: "Play", run: inWords },
    { keys: ["+", "-", "0"], does: "Zoom an arboretum that has the focus, or show all of it", group: "Arboreta" },
    { keys: ["Shift + arrows"], does: "Move a zoomed arboretum", group: "Arboreta" },
  ]);
  const onkey = () => (keyboard = true);
  const onpointer = () => (keyboard = false);
  addEventListener("keydown", onkey, true);
  addEventListener("pointerdown", onpointer, true);

  for (const agent of (await api.get("/api/agents")).agents) agentNames.set(agent.spec, agent.name);
  await load();
  joinLinks(id);
  return () => {
    letters();
    follower.end();
    removeEventListener("keydown", onkey, true);
    removeEventListener("pointerdown", onpointer, true);
  };
}
