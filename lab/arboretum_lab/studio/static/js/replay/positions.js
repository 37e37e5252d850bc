// @ts-check
/** Positions of a record, asked for once and remembered. */

/** @typedef {import("./viewer.js").Position} Position */

/**
 * @param {import("../types.js").ViewContext} context
 * @param {string} arb
 */
export function positionsOf(context, arb) {
  /** @type {Map<string, Promise<Position>>} */
  const asked = new Map();

  /**
   * @param {number} at
   * @param {number|null} seat
   * @param {boolean} paths
   * @returns {Promise<Position>}
   */
  function get(at, seat, paths) {
    const key = `${at} ${seat} ${paths}`;
    const known = asked.get(key);
    if (known) return known;
    const answer = context.api.post("/api/records/position", { arb, at, seat, paths });
    asked.set(key, answer);
    answer.catch(() => asked.delete(key));
    return answer;
  }

  return {
    get,
    /** @param {number[]} numbers @param {number|null} seat @param {boolean} paths */
    prefetch(numbers, seat, paths) {
      // What fails now is asked for again when it is wanted.
      for (const at of numbers) get(at, seat, paths).catch(() => undefined);
    },
  };
}
