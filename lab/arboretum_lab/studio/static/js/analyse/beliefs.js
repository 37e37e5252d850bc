// @ts-check
/** A heat map: which cards a rival may hold. */

import { cardName } from "../cards.js";
import { fill, h } from "../dom.js";
import { percent, sourceWords } from "./figures.js";
import { segmented } from "./game.js";
import { speciesName } from "./rights.js";

/** @param {import("./types.js").PositionResult} found */
export function beliefPanel(found) {
  const rivals = Object.keys(found.beliefs.uniform);
  const place = h("div", {});
  let rival = rivals[0] ?? "";
  let source = found.beliefs.network ? "network" : "uniform";
  const draw = () => fill(place, heatMap(found, (source === "network" ? found.beliefs.network : found.beliefs.uniform)?.[rival] ?? {}));
  draw();
  const names = Object.fromEntries(rivals.map((seat) => [seat, found.names[Number(seat)] ?? seat]));
  const sources = found.beliefs.network ? ["network", "uniform"] : ["uniform"];
  return h(
    "section",
    { class: "panel stack" },
    h("h2", {}, "What a rival may hold"),
    h(
      "div",
      { class: "row" },
      rivals.length > 1 && segmented("Whose hand", rivals, names, (choice) => { rival = choice; draw(); }),
      sources.length > 1 && segmented("Whose belief", sources, { network: "Network", uniform: "All cards alike" }, (choice) => { source = choice; draw(); }),
    ),
    place,
    h(
      "p",
      { class: "muted small" },
      found.beliefs.network
        ? "The network’s belief, or exact counts with every unseen card as likely anywhere."
        : "Exact, with every unseen card as likely anywhere. A network as the agent, at a decision of this seat, adds its own belief.",
    ),
  );
}

/**
 * @param {import("./types.js").PositionResult} found
 * @param {Record<string, import("./types.js").Figure>} beliefs by card
 */
function heatMap(found, beliefs) {
  const ranks = Math.max(8, ...Object.keys(beliefs).map((card) => Number(card.slice(1))));
  const columns = Array.from({ length: ranks }, (_, index) => index + 1);
  return h(
    "div",
    { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Chances by card" },
    h(
      "table",
      { class: "heat" },
      h("thead", {}, h("tr", {}, h("td", {}), columns.map((rank) => h("th", { scope: "col" }, String(rank))))),
      h(
        "tbody",
        {},
        [...found.config.species].map((letter) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, speciesName(letter)),
            columns.map((rank) => {
              const chance = beliefs[`${letter}${rank}`];
              if (!chance) return h("td", { class: "heat-none" }, h("span", { class: "visually-hidden" }, "not possible"));
              const cell = h("td", { class: "heat-cell", title: `${cardName(`${letter}${rank}`)}: ${percent(chance.value)}, ${sourceWords(chance, percent)}` }, percent(chance.value).replace(" %", ""));
              cell.style.setProperty("--share", String(chance.value));
              cell.toggleAttribute("data-sure", chance.value > 0.999);
              return cell;
            }),
          ),
        ),
      ),
    ),
  );
}
