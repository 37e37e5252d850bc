// @ts-check
/** The score pad: `#/pad`; a game noted from one chair is `#/pad/chair`. */

import { loadSprite } from "../cards.js";
import { mountChair } from "./chair.js";
import { mountScore } from "./score.js";

/** @type {import("../types.js").ViewModule["mount"]} */
export async function mount(root, context) {
  await loadSprite();
  return context.parts[0] === "chair" ? mountChair(root, context) : mountScore(root, context);
}

