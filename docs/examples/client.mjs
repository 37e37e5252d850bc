// A client of `arboretum engine` in JavaScript. It knows no rules: the engine deals, says whose turn
// it is and keeps the score; agents choose the moves. Usage: node client.mjs GAMES AGENT AGENT ...
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [games = "10", ...given] = process.argv.slice(2);
const agents = given.length > 1 ? given : ["planner", "greedy"];
const stdio = ["pipe", "pipe", "inherit"];
const engine = spawn(process.env.ARBORETUM ?? "arboretum", ["engine"], { stdio });
const answers = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
let id = 0;

// Sends one request and waits for its answer.
async function ask(request) {
  engine.stdin.write(JSON.stringify({ id: ++id, ...request }) + "\n");
  const { value, done } = await answers.next();
  if (done) throw new Error("the engine has gone");
  const answer = JSON.parse(value);
  if (answer.error) throw new Error(`${answer.error.kind}: ${answer.error.message}`);
  return answer;
}

const wins = agents.map(() => 0);
for (let number = 0; number < Number(games); number++) {
  const agentOf = (seat) => (seat + number) % agents.length; // seats rotate
  const config = { players: agents.length };
  let at = await ask({ type: "new_game", config, seed: 1, number });
  const game = at.game;
  while (!at.done) {
    const agent = agents[agentOf(at.mover)];
    const { move } = await ask({ type: "move", view: at.view, agent, game: number });
    at = await ask({ type: "apply", game, move });
  }
  for (const seat of at.winners) wins[agentOf(seat)] += 1 / at.winners.length;
  await ask({ type: "end_game", game });
}
agents.forEach((agent, index) => console.log(`${agent} won ${wins[index]} of ${games}`));
engine.stdin.end(); // the engine ends with its input
