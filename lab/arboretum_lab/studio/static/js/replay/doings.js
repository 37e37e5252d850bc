// @ts-check
/** What can be done with a record: play on from a position, and save it. */

import { ApiError, download } from "../api.js";
import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { complain, notify } from "../notice.js";
import { shownTheme } from "../theme.js";

/** @typedef {import("./viewer.js").Summary} Summary */

const HUMAN = "human";

/**
 * Why no game can begin at a position, before anybody fills a form for it; the server judges the same.
 *
 * @param {Summary} record
 * @param {number} at
 * @returns {string|null}
 */
function refusal(record, at) {
  if (record.unknown) {
    return "Some cards of this record were not noted, so nobody knows what the deck and the hands would hold: such a game can be walked through and analysed, not played.";
  }
  if (record.finished && at === record.decisions) return "The game is over here. Walk back to an earlier position, or play the same deal again.";
  return null;
}

/**
 * Asks who plays, and begins a practice game from a position.
 *
 * @param {import("../types.js").ViewContext} context
 * @param {Summary} record
 * @param {number} at
 * @param {number} person the seat that is proposed for a person
 * @param {string} title
 */
export async function playOnDialog(context, record, at, person, title) {
  const why = refusal(record, at);
  if (why) return notify(why, "problem");
  /** @type {{agents: import("../types.js").AgentInfo[], default: string}} */
  const offer = await context.api.get("/api/agents");
  const usable = offer.agents.filter((agent) => agent.players.includes(record.players));
  const problem = h("p", { class: "field-error", role: "alert", hidden: true });
  const selects = record.names.map((name, seat) => {
    const select = h(
      "select",
      { class: "input", id: `what-if-${seat}` },
      h("option", { value: HUMAN }, "A person"),
      h("optgroup", { label: "Agents" }, usable.map((agent) => h("option", { value: agent.spec }, agent.name))),
    );
    const sat = usable.find((agent) => agent.spec === record.specs[seat]);
    select.value = seat === person ? HUMAN : (sat?.spec ?? offer.default);
    return { element: h("div", { class: "field" }, h("label", { for: `what-if-${seat}` }, `Seat ${seat + 1}, ${name}`), select), select };
  });
  const form = h(
    "form",
    { class: "stack" },
    h(
      "p",
      { class: "muted" },
      at === 0
        ? "The same hands and the same deck, with whom you like."
        : "The game goes on from this position, with the same deck.",
      " It becomes a practice game, since its deal is known.",
    ),
    selects.map(({ element }) => element),
    problem,
    h("div", { class: "row" }, h("button", { type: "submit", class: "button button-primary" }, "Play")),
  );
  const dialog = openDialog(title, [form]);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const seats = selects.map(({ select }) => select.value);
    try {
      const game = await context.api.post("/api/records/continue", {
        arb: record.arb,
        at,
        seats,
        names: seats.map((seat, number) => (seat === HUMAN ? personName(record, number) : "")),
      });
      dialog.close();
      context.go(`#/play/${game.id}`);
    } catch (error) {
      problem.textContent = error instanceof ApiError ? error.message : String(error);
      problem.hidden = false;
    }
  });
}

/**
 * A person keeps the name of a person, but not that of an agent whose seat is taken.
 *
 * @param {Summary} record
 * @param {number} seat
 */
function personName(record, seat) {
  const name = record.names[seat] ?? "";
  return record.specs[seat]?.startsWith(HUMAN) && name !== HUMAN ? name.slice(0, 24) : "You";
}

/**
 * @param {Summary} record
 * @param {number} at
 * @param {number|null} seat
 */
export function exportDialog(record, at, seat) {
  const shown = seat === null ? "with open cards" : `as ${record.names[seat]} saw it`;
  /** @type {[string, string, string][]} */
  const files = [
    ["arb", "Record, .arb", "Text that every tool of the lab reads."],
    ["json", "Record, JSON", "The same content for programs."],
    ["svg", "This position, SVG", `A picture ${shown}.`],
    ["html", "Replay, one HTML file", `Opens in any browser without the studio, ${shown}.`],
  ];
  openDialog("Export", [
    h(
      "div",
      { class: "export-list" },
      files.map(([format, label, about]) =>
        h(
          "button",
          {
            type: "button",
            class: "export-row",
            onclick: () =>
              void download("/api/records/export", `arboretum-game${format === "svg" ? `-${at}` : ""}.${format}`, {
                arb: record.arb,
                at,
                seat,
                format,
                theme: shownTheme(),
              }).catch(complain),
          },
          h("strong", {}, label),
          h("span", { class: "small muted" }, about),
        ),
      ),
    ),
  ]);
}
