// @ts-check
/** The form for a new game. */

import { fill, h } from "../dom.js";
import { ApiError } from "../api.js";
import { dealChoice } from "./deal.js";

/** @typedef {import("../types.js").AgentInfo} AgentInfo */

/**
 * @typedef {object} GameOptions what POST /api/games takes
 * @property {number} players
 * @property {boolean} starting_discards
 * @property {boolean} practice
 * @property {string[]} seats
 * @property {string[]} names
 * @property {number} [seed]
 * @property {string} [species]
 * @property {import("./deal.js").Deal} [deal]
 */

/** @typedef {{agents: AgentInfo[], default: string, lan?: boolean}} Offer whom one can play */

const HUMAN = "human";
const GUEST = "guest";
const LAST = "arboretum.setup";
const START = "Start the game";

/** @param {string} spec */
const isPerson = (spec) => spec === HUMAN || spec === GUEST;

/**
 * @param {Offer} offer
 * @param {(options: GameOptions) => Promise<void>} onstart
 * @returns {HTMLElement}
 */
export function setup(offer, onstart) {
  const remembered = recall();
  let players = remembered.players;
  /** @type {{spec: string, name: string}[]} */
  const seats = remembered.seats;

  const seatList = h("div", { class: "setup-seats" });
  const discards = check("Starting discards", "Each pile begins with one card: a common variant, and a better first turn.", remembered.starting_discards);
  const practice = check("Practice", "Undo anything, even past a draw. The record says so, and the game counts nowhere.", remembered.practice);
  const seed = h("input", {
    id: "setup-seed",
    class: "input",
    inputmode: "numeric",
    pattern: "[0-9]*",
    maxlength: 15,
    placeholder: "random",
    autocomplete: "off",
    "aria-describedby": "setup-seed-note",
  });
  const problem = h("p", { class: "field-error", role: "alert", hidden: true });
  const deal = dealChoice();
  deal.setPlayers(players);
  deal.setStarting(remembered.starting_discards);
  discards.input.addEventListener("change", () => deal.setStarting(discards.input.checked));

  const preferredFor = () => {
    const usable = agentsFor();
    const networks = usable.filter((agent) => agent.spec.startsWith(`league-${players}p`));
    // A network of middling strength where there is one: lively, and to be beaten.
    const usual = networks[Math.floor((networks.length - 1) / 2)] ?? usable.find((agent) => agent.spec === offer.default);
    return usual?.spec ?? usable[0]?.spec ?? HUMAN;
  };
  const agentsFor = () => offer.agents.filter((agent) => agent.players.includes(players));

  const showSeats = () => {
    const usable = agentsFor();
    fill(
      seatList,
      Array.from({ length: players }, (_, seat) => {
        const chosen = (seats[seat] ??= { spec: seat === 0 ? HUMAN : "", name: seat === 0 ? "You" : "" });
        if (!isPerson(chosen.spec) && !usable.some((agent) => agent.spec === chosen.spec)) chosen.spec = preferredFor();
        const about = h("span", { class: "field-note" });
        const name = h("input", {
          class: "input",
          maxlength: 24,
          "aria-label": `Name of seat ${seat + 1}`,
          placeholder: `Player ${seat + 1}`,
          autocomplete: "off",
          oninput: () => (chosen.name = name.value),
        });
        name.value = chosen.name;
        const select = h(
          "select",
          { class: "input", "aria-label": `Who plays seat ${seat + 1}` },
          h("option", { value: HUMAN }, offer.lan ? "A person at this screen" : "A person"),
          offer.lan && h("option", { value: GUEST }, "A guest on another device"),
          h("optgroup", { label: "Agents" }, usable.map((agent) => h("option", { value: agent.spec }, agent.name))),
        );
        select.value = chosen.spec;
        const explain = () => {
          const agent = usable.find((entry) => entry.spec === chosen.spec);
          about.textContent = agent?.summary ?? "";
          name.hidden = !isPerson(chosen.spec);
          about.hidden = !agent;
        };
        select.addEventListener("change", () => {
          chosen.spec = select.value;
          explain();
        });
        explain();
        return h(
          "div",
          { class: "setup-seat" },
          h("span", { class: `seat-mark seat-${seat}`, "aria-hidden": "true" }, seat + 1),
          h("div", { class: "setup-seat-fields" }, select, name, about),
        );
      }),
    );
  };

  const counts = h(
    "div",
    { class: "segmented", role: "radiogroup", "aria-label": "Number of players" },
    [2, 3, 4].map((count) => {
      const radio = h("input", { type: "radio", name: "players", value: count });
      radio.checked = count === players;
      radio.addEventListener("change", () => {
        players = count;
        showSeats();
        deal.setPlayers(count);
      });
      return h("label", {}, radio, `${count} players`);
    }),
  );
  showSeats();

  const start = h("button", { type: "submit", class: "button button-primary button-large" }, START);
  const form = h(
    "form",
    { class: "panel setup stack", "aria-labelledby": "setup-title", novalidate: true },
    h("div", { class: "row row-spread" }, h("h2", { id: "setup-title" }, "New game"), counts),
    seatList,
    h("div", { class: "setup-options" }, discards.element, practice.element),
    h(
      "div",
      { class: "field setup-deal" },
      h("label", { for: "setup-seed" }, "Deal"),
      seed,
      h("span", { id: "setup-seed-note", class: "field-note" }, "A number always gives the same deal, for a duplicate match."),
    ),
    deal.element,
    problem,
    h("div", { class: "row" }, start),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    const number = seed.value.trim();
    if (number && !/^\d+$/.test(number)) {
      problem.textContent = `Deal “${number}”: expected a whole number, or nothing for a random deal.`;
      problem.hidden = false;
      seed.focus();
      return;
    }
    start.disabled = true;
    start.textContent = "Dealing …"; // a network has to be loaded, which takes seconds the first time
    const taken = seats.slice(0, players);
    /** @type {GameOptions} */
    const options = {
      players,
      starting_discards: discards.input.checked,
      practice: practice.input.checked,
      seats: taken.map((seat) => seat.spec),
      names: taken.map((seat, at) => (isPerson(seat.spec) ? seat.name.trim() || `Player ${at + 1}` : "")),
    };
    localStorage.setItem(LAST, JSON.stringify({ ...options, seats }));
    if (number) options.seed = Number(number);
    try {
      await onstart({ ...options, ...deal.wanted() });
    } catch (error) {
      problem.textContent = error instanceof ApiError ? error.message : String(error);
      problem.hidden = false;
      start.disabled = false;
      start.textContent = START;
    }
  });
  return form;
}

/**
 * @param {string} label
 * @param {string} note
 * @param {boolean} checked
 */
function check(label, note, checked) {
  const input = h("input", { type: "checkbox" });
  input.checked = checked;
  const element = h(
    "label",
    { class: "check" },
    input,
    h("span", { class: "check-text" }, h("span", {}, label), h("span", { class: "field-note" }, note)),
  );
  return { element, input };
}

/** What was chosen the last time. */
function recall() {
  const usual = {
    players: 2,
    starting_discards: false,
    practice: false,
    seats: /** @type {{spec: string, name: string}[]} */ ([]),
  };
  try {
    const kept = JSON.parse(localStorage.getItem(LAST) ?? "null");
    if (kept && [2, 3, 4].includes(kept.players) && Array.isArray(kept.seats)) {
      const fits = kept.seats.every(
        (/** @type {any} */ seat) => typeof seat?.spec === "string" && typeof seat?.name === "string",
      );
      if (fits) return { ...usual, ...kept, starting_discards: !!kept.starting_discards, practice: !!kept.practice };
    }
  } catch {
    // Unreadable: begin with the usual.
  }
  return usual;
}
