// @ts-check
/** What an agent would do in the chair, and how the rights stand, from what the chair knows. */

import { SPECIES } from "../cards.js";
import { fill, h } from "../dom.js";
import { complain } from "../notice.js";

const SHOWN = 5;

/**
 * @typedef {{value: number, source: string}} Figure
 * @typedef {{seat: number, known_sum: number, expected_sum: Figure, right: Figure, path: string[], path_points: number}} RightRow
 */

/**
 * @param {import("../types.js").ViewContext} context
 * @param {() => import("./chair.js").Moment} moment
 */
export function chairAdvice(context, moment) {
  const who = h("select", { class: "input", id: "chair-agent" });
  const told = h("div", { class: "stack", "aria-live": "polite" });
  const ask = h("button", { type: "button", class: "button button-primary", onclick: () => void advise() }, "Ask");
  const rights = h("button", { type: "button", class: "button", onclick: () => void showRights() }, "Show the rights");
  const element = h(
    "section",
    { class: "panel stack", "aria-labelledby": "chair-advice" },
    h("h2", { id: "chair-advice" }, "What would an agent do?"),
    h("div", { class: "row" }, h("label", { for: "chair-agent", class: "label" }, "Ask"), h("span", { class: "chair-agent" }, who), ask, rights),
    told,
  );
  void (async () => {
    try {
      const offer = await context.api.get("/api/agents");
      /** @type {import("../types.js").AgentInfo[]} */
      const usable = offer.agents.filter((/** @type {import("../types.js").AgentInfo} */ agent) => agent.players.includes(moment().players));
      fill(who, usable.map((agent) => h("option", { value: agent.spec, selected: agent.spec === offer.default }, agent.name)));
    } catch (problem) {
      complain(problem);
    }
  })();

  const body = () => ({ arb: moment().arb, seat: moment().seat });

  const advise = async () => {
    ask.disabled = true;
    fill(told, h("p", {}, h("span", { class: "busy" }), " thinks"));
    const asked = moment();
    try {
      const found = await context.api.post("/api/chair/advice", { ...body(), spec: who.value });
      if (moment() !== asked) return;
      const likely = Object.entries(/** @type {Record<string, number>} */ (found.probabilities ?? {}))
        .sort((a, b) => b[1] - a[1])
        .slice(0, SHOWN)
        .filter(([, chance]) => chance >= 0.005);
      fill(
        told,
        h("p", {}, h("strong", {}, found.move), ` by ${found.spec}. `, found.explanation),
        likely.length > 0 && h("p", { class: "small muted" }, `Likely: ${likely.map(([move, chance]) => `${move} ${Math.round(100 * chance)} %`).join(", ")}`),
      );
    } catch (problem) {
      fill(told);
      complain(problem);
    } finally {
      ask.disabled = asked.over;
      update();
    }
  };

  const showRights = async () => {
    const asked = moment();
    try {
      /** @type {Record<string, RightRow[]>} */
      const table = await context.api.post("/api/chair/rights", body());
      if (moment() === asked) fill(told, rightsTable(table, asked));
    } catch (problem) {
      complain(problem);
    }
  };

  let shown = moment();
  const update = () => {
    const now = moment();
    ask.disabled = now.over || now.mover !== now.seat;
    ask.title = ask.disabled ? "When your seat is to move" : "";
    rights.disabled = now.over;
    if (now !== shown) fill(told);
    shown = now;
  };
  return { element, update };
}

/**
 * @param {Record<string, RightRow[]>} table
 * @param {import("./chair.js").Moment} now
 */
function rightsTable(table, now) {
  const seats = now.names.map((name, seat) => name || `Seat ${seat + 1}`);
  return h(
    "div",
    { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Rights to score" },
    h(
      "table",
      { class: "table" },
      h("caption", { class: "small muted" }, "Chance of the right with the hands of now, and the best path's points; exact, every unseen card alike."),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Species"), seats.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        {},
        Object.entries(table).map(([letter, rows]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, SPECIES[letter]),
            rows.map((row) =>
              h(
                "td",
                {},
                `${Math.round(100 * row.right.value)} %`,
                h("span", { class: "small muted" }, ` holds ${row.seat === now.seat ? row.known_sum : row.expected_sum.value.toFixed(1)}, path ${row.path_points}`),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
