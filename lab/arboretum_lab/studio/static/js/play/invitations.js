// @ts-check
/** Links that guests on other devices join with. */

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { complain, notify } from "../notice.js";

const KEY = "arboretum.invitations.";

/** @typedef {{seat: number, link: string}} Invitation the link has this machine's address in the network */

/**
 * Keeps the links of a new game until its table is shown.
 *
 * @param {string} id
 * @param {Invitation[]|undefined} invitations
 */
export function keepInvitations(id, invitations) {
  if (invitations?.length) sessionStorage.setItem(KEY + id, JSON.stringify(invitations));
}

/**
 * Shows the links of a game that this page has just made.
 *
 * @param {string} id
 */
export function joinLinks(id) {
  const kept = sessionStorage.getItem(KEY + id);
  if (!kept) return;
  sessionStorage.removeItem(KEY + id);
  /** @type {Invitation[]} */
  const invitations = JSON.parse(kept);
  openDialog("Invite the others", [
    h(
      "p",
      { class: "muted" },
      "One link a seat, each for one device in this network. They are shown once: pass them on before you close this. A new one can be had under Guests.",
    ),
    ...invitations.map(({ seat, link }) => linkRow(seat, link)),
  ]);
}

/**
 * Who has joined, and a new link for a seat whose link or device was lost.
 *
 * @param {import("../types.js").ViewContext} context
 * @param {string} address of the game
 * @param {import("../types.js").GameState} state
 */
export function guests(context, address, state) {
  const seats = state.kinds.flatMap((kind, seat) => (kind === "guest" ? [seat] : []));
  openDialog("Guests", [
    h("p", { class: "muted" }, "With a new link somebody takes a seat whose link or device was lost. The old link, and the device that came with it, then have it no more."),
    ...seats.map((seat) => {
      const place = h("div", { class: "field" });
      const renew = async () => {
        try {
          const { link } = await context.api.post(`${address}/invite`, { seat });
          place.replaceChildren(linkRow(seat, link));
        } catch (problem) {
          complain(problem);
        }
      };
      place.append(
        h("span", { class: "label" }, `Seat ${seat + 1}: ${state.names[seat]}, ${state.awaited.includes(seat) ? "not here yet" : "here"}`),
        h("div", { class: "row" }, h("button", { type: "button", class: "button", onclick: () => void renew() }, `New link for seat ${seat + 1}`)),
      );
      return place;
    }),
  ]);
}

/**
 * @param {number} seat
 * @param {string} address
 */
function linkRow(seat, address) {
  const field = h("input", { class: "input", readonly: true, "aria-label": `Link for seat ${seat + 1}`, onfocus: () => field.select() });
  field.value = address;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      notify("Copied.");
    } catch {
      field.focus();
      notify("Copying is not allowed here: the link is selected.");
    }
  };
  return h(
    "div",
    { class: "field" },
    h("span", { class: "label" }, `Seat ${seat + 1}`),
    h("div", { class: "invite-row" }, field, h("button", { type: "button", class: "button", onclick: copy }, "Copy")),
  );
}
