// @ts-check
/** Follows a game while others are to move. */

import { ApiError } from "../api.js";
import { notify } from "../notice.js";

/** @typedef {import("../types.js").GameState} GameState */

const AGAIN = 1_500; // ms after a failure

export const LOST = "This seat is no longer yours: it was given to another device, or the game was deleted.";

/**
 * @param {import("../types.js").ViewContext} context
 * @param {string} address of the game
 * @param {{onstate: (state: GameState) => void, oncurtain: () => void, onlost: (why: string) => void}} handlers
 */
export function follow(context, address, handlers) {
  /** @type {AbortController|null} */
  let asking = null;
  let stopped = false;

  /** @param {GameState} state */
  async function ask(state) {
    const mine = (asking = new AbortController());
    let away = false;
    const path = `${address}/events?after=${state.state_id}&seat=${state.seat}`;
    while (!stopped && asking === mine) {
      try {
        const next = await context.api.get(path, mine.signal);
        if (asking !== mine) return;
        if (next.state_id === state.state_id) continue; // nothing happened yet
        asking = null;
        handlers.onstate(next);
        return;
      } catch (problem) {
        if (mine.signal.aborted) return;
        if (problem instanceof ApiError && problem.code === "curtain") {
          handlers.oncurtain();
          return;
        }
        if (problem instanceof ApiError && [403, 404].includes(problem.status)) {
          handlers.onlost(LOST);
          return;
        }
        // The server is away or busy: the game is kept, so wait for it.
        if (!away) notify("The studio’s server does not answer. The game is kept, and goes on once the server is back.", "problem");
        away = true;
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
      }
    }
  }

  return {
    /** Waits for news where somebody else may bring some. @param {GameState} state */
    watch(state) {
      asking?.abort();
      asking = null;
      const others = state.mover !== state.seat || state.kinds.includes("guest");
      if (others && !state.over && !state.fault && !stopped) void ask(state);
    },
    stop() {
      asking?.abort();
      asking = null;
    },
    end() {
      stopped = true;
      asking?.abort();
    },
  };
}
