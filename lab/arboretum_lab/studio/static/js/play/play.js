// @ts-check
/** Play: `#/play` sets up a game or goes on with one, `#/play/ID` is its table. */

import { loadSprite } from "../cards.js";
import { lobby } from "./lobby.js";
import { table } from "./table.js";

/** @type {import("../types.js").ViewModule["mount"]} */
export async function mount(root, context) {
  await loadSprite();
  const [id] = context.parts;
  return id ? table(root, context, id) : lobby(root, context);
}
