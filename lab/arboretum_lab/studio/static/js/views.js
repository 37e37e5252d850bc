// @ts-check
/** The views, in the order of the navigation; one without a label is reached by links alone. */

/**
 * @typedef {object} ViewEntry
 * @property {string} id the first part of its address, `#/id`
 * @property {string} [label]
 * @property {() => Promise<import("./types.js").ViewModule>} load
 */

/** @type {ViewEntry[]} */
export const VIEWS = [
  { id: "play", label: "Play", load: () => import("./play/play.js") },
  { id: "join", load: () => import("./play/join.js") },
  { id: "replay", label: "Replay", load: () => import("./replay/replay.js") },
  { id: "analyse", label: "Analyse", load: () => import("./analyse/analyse.js") },
  { id: "pad", label: "Score pad", load: () => import("./pad/pad.js") },
  { id: "learn", label: "Learn", load: () => import("./learn/learn.js") },
];
