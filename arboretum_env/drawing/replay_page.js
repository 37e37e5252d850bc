// @ts-check
/*
 * Walks through the positions of a replay page. The page's data block holds fragments of HTML, all
 * written by our own renderer with every name escaped, and for every position which fragment
 * stands in which slot.
 */

/**
 * @typedef {{status: string, moving: number, winners: number[], slots: number[]}} Frame
 * @typedef {{fragments: string[], frames: Frame[], turns: number[]}} Replay
 */

(() => {
  "use strict";

  /**
   * @param {string} id
   * @returns {HTMLElement}
   */
  function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page lacks #${id}`);
    return found;
  }

  const slider = /** @type {HTMLInputElement} */ (byId("slider"));
  const slots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".slot")]);
  const sections = [...document.querySelectorAll(".seats > section")];
  const tokens = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-at]")]);
  /** @type {Replay} */
  const replay = JSON.parse(byId("replay").textContent || "");
  const last = replay.frames.length - 1;
  /** @type {number[]} */
  const standing = [];
  let at = -1;

  /**
   * Shows a position.
   * @param {number} wanted
   */
  function show(wanted) {
    const next = Math.max(0, Math.min(last, wanted));
    const frame = replay.frames[next];
    if (next === at || !frame) return;
    at = next;
    slots.forEach((slot, index) => {
      const fragment = frame.slots[index] ?? 0;
      if (standing[index] === fragment) return;
      standing[index] = fragment;
      slot.innerHTML = replay.fragments[fragment] ?? "";
    });
    sections.forEach((section, seat) => {
      section.classList.toggle("moving", frame.moving === seat);
      section.classList.toggle("won", frame.winners.includes(seat));
    });
    byId("status").textContent = frame.status;
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", frame.status);
    for (const id of ["start", "turn-back", "back"]) disable(id, at === 0);
    for (const id of ["on", "turn-on", "end"]) disable(id, at === last);
    mark();
    history.replaceState(null, "", `#${at}`);
  }

  /**
   * A button that has nothing to do keeps the focus, so that keys go on working.
   * @param {string} id
   * @param {boolean} idle
   */
  function disable(id, idle) {
    byId(id).setAttribute("aria-disabled", String(idle));
  }

  /** Marks the move that led here, and keeps it in sight within the list. */
  function mark() {
    let current = null;
    for (const token of tokens) {
      token.removeAttribute("aria-current");
      if (Number(token.dataset["at"]) <= at) current = token;
    }
    const list = document.querySelector(".moves");
    if (!current || !list) return;
    current.setAttribute("aria-current", "step");
    const row = current.getBoundingClientRect();
    const frame = list.getBoundingClientRect();
    if (row.top < frame.top || row.bottom > frame.bottom) {
      list.scrollTop += row.top - frame.top - frame.height / 2;
    }
  }

  function turnBack() {
    show(Math.max(0, ...replay.turns.filter((turn) => turn < at)));
  }

  function turnOn() {
    show(Math.min(last, ...replay.turns.filter((turn) => turn > at)));
  }

  /** @type {Record<string, () => void>} */
  const commands = {
    start: () => show(0),
    "turn-back": turnBack,
    back: () => show(at - 1),
    on: () => show(at + 1),
    "turn-on": turnOn,
    end: () => show(last),
  };
  /** @type {Record<string, string>} */
  const keys = {
    Home: "start",
    "[": "turn-back",
    ArrowLeft: "back",
    ArrowRight: "on",
    "]": "turn-on",
    End: "end",
  };

  for (const [id, command] of Object.entries(commands)) {
    byId(id).addEventListener("click", command);
  }
  for (const token of tokens) {
    token.addEventListener("click", () => show(Number(token.dataset["at"])));
  }
  slider.addEventListener("input", () => show(Number(slider.value)));
  document.addEventListener("keydown", (event) => {
    const command = keys[event.key];
    if (!command || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    commands[command]?.();
  });
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset["theme"]
      ? root.dataset["theme"] === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset["theme"] = dark ? "light" : "dark";
  });
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));
  show(Number(location.hash.slice(1)) || 0);
})();
