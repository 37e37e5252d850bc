// @ts-check
/** `#/join/GAME/TOKEN`: takes the seat that a link of the host is for. */

/** @type {import("../types.js").ViewModule["mount"]} */
export async function mount(_root, context) {
  const [id = "", token = ""] = context.parts;
  await context.api.post(`/api/games/${encodeURIComponent(id)}/join`, { token });
  // The link has done its work; going back must not use it again.
  history.replaceState(null, "", `#/play/${id}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
