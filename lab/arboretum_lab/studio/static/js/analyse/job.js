// @ts-check
/** Runs an analysis on the server: shows how far it is, and lets it be stopped. */

import * as api from "../api.js";
import { fill, h } from "../dom.js";

const FIRST_WAIT = 150;
const LONGEST_WAIT = 1_000;

/** The reader stopped it, or went elsewhere. */
export class Stopped extends Error {}

/**
 * @param {HTMLElement} place where its progress is shown, and what it found later
 * @param {Record<string, unknown>} question
 * @param {string} words what is done, in words
 * @param {AbortSignal} signal
 * @returns {Promise<{id: string, result: any}>}
 */
export async function analyse(place, question, words, signal) {
  const bar = h("progress", { max: "1", value: "0", "aria-label": words });
  const stop = h("button", { type: "button", class: "button" }, "Stop");
  fill(place, h("div", { class: "analysis-progress", role: "status" }, h("span", {}, `${words} …`), bar, stop));
  let path = "";
  let stopped = signal.aborted;
  const end = () => {
    stopped = true;
    if (path) void api.remove(path).catch(() => {});
  };
  // Before anything is sent: whoever stops it at once means it, too.
  stop.addEventListener("click", end);
  signal.addEventListener("abort", end);
  let job = await api.post("/api/analysis", question);
  path = `/api/analysis/${job.id}`;
  if (stopped) end();
  let wait = FIRST_WAIT;
  try {
    while (!stopped && (job.state === "waiting" || job.state === "running")) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(LONGEST_WAIT, wait * 1.4);
      if (!stopped) job = await api.get(path);
      bar.value = job.progress;
    }
  } finally {
    signal.removeEventListener("abort", end);
  }
  if (stopped || job.state === "cancelled") {
    if (!signal.aborted) fill(place, h("p", { class: "muted" }, "Stopped."));
    throw new Stopped();
  }
  if (job.state === "failed") {
    fill(place, h("p", { class: "field-error" }, job.fault));
    throw new Stopped();
  }
  return { id: job.id, result: job.result };
}

/**
 * Runs something that may be stopped; a refusal is shown where the answer would have been.
 *
 * @param {HTMLElement} place
 * @param {AbortSignal} signal once it is given, something else may stand in that place
 * @param {() => Promise<void>} run
 */
export async function guarded(place, signal, run) {
  try {
    await run();
  } catch (problem) {
    if (problem instanceof Stopped || signal.aborted) return;
    fill(place, h("p", { class: "field-error", role: "alert" }, problem instanceof Error ? problem.message : String(problem)));
  }
}
