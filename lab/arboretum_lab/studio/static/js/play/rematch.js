// @ts-check
/** The same game with the same people and agents again, over a new deal; the seats move on by one. */

import { keepInvitations } from "./invitations.js";

/**
 * @param {import("../types.js").ViewContext} context
 * @param {import("../types.js").GameState} state
 */
export async function rematch(context, state) {
  const seats = state.kinds.map((kind, seat) => ({ kind, name: kind === "human" || kind === "guest" ? state.names[seat] : "" }));
  const moved = [...seats.slice(1), ...seats.slice(0, 1)];
  const game = await context.api.post("/api/games", {
    ...state.config, // the number of players, too
    practice: state.practice,
    seats: moved.map((seat) => seat.kind),
    names: moved.map((seat) => (seat.name === "human" ? "" : seat.name)),
  });
  keepInvitations(game.id, game.invitations);
  context.go(`#/play/${game.id}`);
}
