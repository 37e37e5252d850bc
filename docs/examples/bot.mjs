// A bot for Arboretum in JavaScript: arboretum evaluate "process:node docs/examples/bot.mjs" random
// It reads one JSON object a line and answers those of the type "move"; see docs/protocol.md.
import { createInterface } from "node:readline";

const species = (card) => card[0];
const rank = (card) => Number(card[1]);

// The sum of ranks that a hand holds of a card's species, without the card itself.
const held = (view, card) =>
  view.hand.filter((own) => own !== card && species(own) === species(card)).map(rank).reduce((a, b) => a + b, 0);

// Beside a neighbour of its own species that is near in rank, and of a species that it still holds.
function plantValue(view, move) {
  const [, card, x, y] = move.match(/^(..)@(-?\d+),(-?\d+)$/);
  let value = Math.min(held(view, card), 8) - rank(card) / 2;
  for (const [nx, ny, other] of view.arboreta[view.seat]) {
    if (Math.abs(nx - x) + Math.abs(ny - y) !== 1) continue;
    const step = Math.abs(rank(card) - rank(other));
    if (step > 0) value += (species(card) === species(other) ? 8 : 2) - step;
  }
  return value;
}

// The right to score goes by sums: what is low, of a species that it hardly holds, can go.
const discardValue = (view, move) => -held(view, move.slice(1)) - 2 * rank(move.slice(1));

// "d", or the card of "p0(M7)".
const drawValue = (view, move) =>
  move === "d" ? 8 : held(view, move.slice(3, 5)) + rank(move.slice(3, 5)) / 2;

const values = { play: plantValue, place: plantValue, discard: discardValue };

createInterface({ input: process.stdin }).on("line", (line) => {
  const { type, id, view, legal } = JSON.parse(line);
  if (type !== "move") return; // "hello" and "reset" need no answer
  const value = values[view.phase] ?? drawValue;
  const move = legal.reduce((best, next) => (value(view, next) > value(view, best) ? next : best));
  console.log(JSON.stringify({ id, move }));
});
