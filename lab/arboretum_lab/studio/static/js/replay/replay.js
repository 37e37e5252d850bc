// @ts-check
/** Replay: `#/replay` opens a record, `#/replay/AT/SEAT` shows a position of the one that is open. */

import { loadSprite } from "../cards.js";
import { complain } from "../notice.js";
import { keptText } from "./kept.js";
import { opener } from "./opener.js";
import { viewer } from "./viewer.js";

/** @type {import("../types.js").ViewModule["mount"]} */
export async function mount(root, context) {
  await loadSprite();
  const text = context.parts[0] === "open" ? null : keptText();
  if (text === null) return opener(root, context);
  try {
    return await viewer(root, context, text);
  } catch (problem) {
    root.replaceChildren();
    complain(problem);
    return opener(root, context, text);
  }
}
