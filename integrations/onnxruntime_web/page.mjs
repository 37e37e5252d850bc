// Decides every golden position with an exported policy, in the browser, and reports how the answers
// differ from the golden ones. The server of browser.py serves the files and takes the report.

import * as ort from "./ort/ort.wasm.bundle.min.mjs";

function bytes(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

async function decideAll() {
  const golden = await (await fetch("golden.json")).json();
  const observations = new Int8Array(bytes(golden.observations).buffer);
  const expected = new Float32Array(bytes(golden.probabilities).buffer);
  const { length, actions } = golden;

  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL("./ort/", location.href).href;
  const begun = performance.now();
  const session = await ort.InferenceSession.create("policy.onnx", { executionProviders: ["wasm"] });
  const loaded = performance.now() - begun;

  let largestDifference = 0;
  const otherMoves = [];
  const times = [];
  const decisions = golden.greedy.length;
  for (let row = 0; row < decisions; row++) {
    const data = observations.slice(row * length, (row + 1) * length);
    const before = performance.now();
    const { probabilities, greedy } = await session.run({
      observation: new ort.Tensor("int8", data, [1, length]),
    });
    times.push(performance.now() - before);
    for (let action = 0; action < actions; action++) {
      const difference = Math.abs(probabilities.data[action] - expected[row * actions + action]);
      // NaN is larger than nothing: it has to be looked for.
      largestDifference = difference <= largestDifference ? largestDifference : difference;
      if (Number.isNaN(difference)) throw new Error(`row ${row}, action ${action}: not a number`);
    }
    if (Number(greedy.data[0]) !== golden.greedy[row]) otherMoves.push(row);
  }
  const first = times[0];
  times.sort((a, b) => a - b);
  const milliseconds = { load: loaded, first, p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
  return { decisions, largestDifference, otherMoves, milliseconds };
}

let report;
try {
  report = await decideAll();
} catch (error) {
  report = { error: String(error?.stack ?? error) };
}
await fetch("report", { method: "POST", body: JSON.stringify(report) });
