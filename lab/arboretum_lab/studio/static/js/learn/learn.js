// @ts-check
/** To learn: `#/learn` is the lesson, `#/learn/puzzles` the puzzles, `#/learn/puzzles/ID` one. */

import { loadSprite } from "../cards.js";
import { mountLesson } from "./lesson.js";
import { mountPuzzle, mountPuzzles } from "./puzzles.js";

/** @type {import("../types.js").ViewModule["mount"]} */
export async function mount(root, context) {
  await loadSprite();
  const [page, id] = context.parts;
  if (page !== "puzzles") return mountLesson(root, context, page);
  return id ? mountPuzzle(root, context, id) : mountPuzzles(root, context);
}
