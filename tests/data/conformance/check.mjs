#!/usr/bin/env node
// Replays the conformance pack with the rules of Arboretum told once more, in plain JavaScript.
//
//     node check.mjs [FILE.jsonl ...]        (default: every .jsonl file beside this script)
//
// Needs node >= 18 and nothing else; shares no code with the Python engine. Every row is a game:
// its legal action ids, observations and scores must be what these rules say. Prints one line a
// mismatch to stderr and exits with 1 if there is any, or if there is nothing to check.
//
// Ids, observations and rules are described in docs/environment.md.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const DRAW_FIRST = 0;
const DRAW_SECOND = 1;
const PLAY = 2;
const PLACE = 3;
const DISCARD = 4;
const GAME_OVER = 5;

const NEIGHBOURS = [[1, 0], [-1, 0], [0, 1], [0, -1]];

/** Sizes that follow from the options; the reason for `side` is in docs/environment.md. */
function sizesOf(config) {
  const players = config.num_players;
  const cards = config.species.length * config.num_ranks;
  const afterHands = cards - players * config.hand_size;
  const maxPlants = Math.ceil((afterHands - 1) / players);
  const side = maxPlants + 2;
  return {
    cards,
    side,
    actions: 1 + players + 2 * cards + side * side,
    observation: 4 * cards + 9,
  };
}

/** x mod n, never negative. */
const modulo = (x, n) => ((x % n) + n) % n;

class Game {
  constructor(config, deal) {
    this.config = config;
    this.players = config.num_players;
    this.ranks = config.num_ranks;
    this.sizes = sizesOf(config);
    const ids = (texts) => texts.map((text) => this.cardId(text));
    this.hands = deal.hands.map(ids);
    this.deck = ids(deal.deck); // next card first
    this.piles = deal.discards.map(ids); // bottom to top
    this.arboreta = deal.hands.map(() => []); // {card, x, y} in planting order
    this.known = deal.hands.map(() => new Set()); // hand cards that everybody saw taken
    this.turn = 0;
    this.phase = DRAW_FIRST;
    this.chosen = -1;
    this.checkDeal();
  }

  cardId(text) {
    const species = this.config.species.indexOf(text[0]);
    const rank = Number(text.slice(1));
    if (species < 0 || !(rank >= 1 && rank <= this.ranks)) throw new Error(`no card ${text}`);
    return species * this.ranks + rank - 1;
  }

  speciesOf(card) {
    return Math.floor(card / this.ranks);
  }

  rankOf(card) {
    return (card % this.ranks) + 1;
  }

  checkDeal() {
    const all = [...this.hands, this.deck, ...this.piles].flat();
    if (all.length !== this.sizes.cards || new Set(all).size !== all.length) {
      throw new Error("the deal does not hold every card once");
    }
    this.hands.forEach((hand) => {
      if (hand.length !== this.config.hand_size) throw new Error("a hand of the wrong size");
    });
    this.piles.forEach((pile, seat) => {
      const expected = this.config.starting_discards && seat > 0 ? 1 : 0;
      if (pile.length !== expected) throw new Error("a starting discard too many or too few");
    });
  }

  get mover() {
    return this.turn % this.players;
  }

  /** Ids where each range of the action table begins. */
  get starts() {
    const play = 1 + this.players;
    const place = play + this.sizes.cards;
    return { play, place, discard: place + this.sizes.side ** 2 };
  }

  /** Free cells next to a seat's cards, as [x, y]; the first card stands at 0, 0. */
  openCells(seat) {
    const planted = this.arboreta[seat];
    if (planted.length === 0) return [[0, 0]];
    const taken = new Set(planted.map(({ x, y }) => `${x},${y}`));
    const open = new Map();
    for (const { x, y } of planted) {
      for (const [dx, dy] of NEIGHBOURS) {
        const key = `${x + dx},${y + dy}`;
        if (!taken.has(key)) open.set(key, [x + dx, y + dy]);
      }
    }
    return [...open.values()];
  }

  cellId([x, y]) {
    const side = this.sizes.side;
    return this.starts.place + modulo(y, side) * side + modulo(x, side);
  }

  legal() {
    const { play, discard } = this.starts;
    const hand = this.hands[this.mover];
    let ids = [];
    if (this.phase <= DRAW_SECOND) {
      if (this.deck.length > 0) ids.push(0);
      for (let k = 0; k < this.players; k++) {
        if (this.piles[(this.mover + k) % this.players].length > 0) ids.push(1 + k);
      }
    } else if (this.phase === PLAY) {
      ids = hand.map((card) => play + card);
    } else if (this.phase === PLACE) {
      ids = this.openCells(this.mover).map((cell) => this.cellId(cell));
      if (new Set(ids).size !== ids.length) throw new Error("two open cells share one id");
    } else if (this.phase === DISCARD) {
      ids = hand.map((card) => discard + card);
    }
    return ids.sort((a, b) => a - b);
  }

  leaveHand(card) {
    const hand = this.hands[this.mover];
    hand.splice(hand.indexOf(card), 1);
    this.known[this.mover].delete(card);
  }

  /** Takes an action that `legal` lists. */
  apply(action) {
    const { play, discard } = this.starts;
    const seat = this.mover;
    if (this.phase <= DRAW_SECOND) {
      if (action === 0) {
        this.hands[seat].push(this.deck.shift());
      } else {
        const card = this.piles[(seat + action - 1) % this.players].pop();
        this.hands[seat].push(card);
        this.known[seat].add(card);
      }
      this.phase += 1;
    } else if (this.phase === PLAY) {
      this.chosen = action - play;
      this.phase = PLACE;
    } else if (this.phase === PLACE) {
      const [x, y] = this.openCells(seat).find((cell) => this.cellId(cell) === action);
      this.leaveHand(this.chosen);
      this.arboreta[seat].push({ card: this.chosen, x, y });
      this.chosen = -1;
      this.phase = DISCARD;
    } else {
      const card = action - discard;
      this.leaveHand(card);
      this.piles[seat].push(card);
      this.turn += 1;
      this.phase = this.deck.length > 0 ? DRAW_FIRST : GAME_OVER;
    }
  }

  /** What a seat sees, as bytes. */
  observe(observer) {
    const out = new Int8Array(this.sizes.observation);
    const put = (card, place, order, x = 0, y = 0) => out.set([place, order, x, y], 4 * card);
    for (let card = 0; card < this.sizes.cards; card++) put(card, 0, -1);
    const over = this.phase === GAME_OVER;
    for (let k = 0; k < this.players; k++) {
      const seat = (observer + k) % this.players;
      for (const card of this.hands[seat]) {
        const open = over || this.known[seat].has(card); // in the end all hands are shown
        if (open) put(card, 2 + k, -1);
        else if (k === 0) put(card, 1, -1);
      }
      const pile = this.piles[seat];
      pile.forEach((card, height) => put(card, 6 + k, pile.length - 1 - height));
      this.arboreta[seat].forEach(({ card, x, y }, number) => put(card, 10 + k, number, x, y));
    }
    out.set(
      [
        modulo(this.mover - observer, this.players),
        observer,
        this.phase,
        this.deck.length,
        this.turn,
        observer === this.mover ? this.chosen : -1,
        this.config.starting_discards ? 1 : 0,
        this.config.cancel_eights ? 1 : 0,
        this.config.rights === "all" ? 1 : 0,
      ],
      4 * this.sizes.cards,
    );
    return Buffer.from(out.buffer);
  }

  pathPoints(path) {
    const pure = path.every((card) => this.speciesOf(card) === this.speciesOf(path[0]));
    let points = path.length * (pure && path.length >= 4 ? 2 : 1);
    if (this.rankOf(path[0]) === 1) points += 1;
    if (this.rankOf(path[path.length - 1]) === this.ranks) points += 2;
    return points;
  }

  /** Points of the best path of a species: every path there is gets walked. */
  bestPath(seat, species) {
    const at = new Map(this.arboreta[seat].map((tree) => [`${tree.x},${tree.y}`, tree]));
    let best = 0;
    const walk = (tree, path) => {
      if (path.length >= 2 && this.speciesOf(tree.card) === species) {
        best = Math.max(best, this.pathPoints(path));
      }
      for (const [dx, dy] of NEIGHBOURS) {
        const next = at.get(`${tree.x + dx},${tree.y + dy}`);
        if (next && this.rankOf(next.card) > this.rankOf(tree.card)) {
          walk(next, [...path, next.card]);
        }
      }
    };
    for (const tree of at.values()) {
      if (this.speciesOf(tree.card) === species) walk(tree, [tree.card]);
    }
    return best;
  }

  handSum(seat, species) {
    let sum = 0;
    for (const card of this.hands[seat]) {
      if (this.speciesOf(card) !== species) continue;
      const one = species * this.ranks;
      const rivalHoldsOne = this.hands.some((hand, k) => k !== seat && hand.includes(one));
      const isTop = this.rankOf(card) === this.ranks;
      sum += this.config.cancel_eights && isTop && rivalHoldsOne ? 0 : this.rankOf(card);
    }
    return sum;
  }

  scores() {
    const seats = [...Array(this.players).keys()];
    const species = [...this.config.species].map((_, index) => index);
    const hand_sum = seats.map((seat) => species.map((s) => this.handSum(seat, s)));
    const most = species.map((s) => Math.max(...seats.map((seat) => hand_sum[seat][s])));
    const right = seats.map((seat) =>
      species.map((s) => this.config.rights === "all" || hand_sum[seat][s] === most[s]),
    );
    const path_points = seats.map((seat) => species.map((s) => this.bestPath(seat, s)));
    const points = seats.map((seat) =>
      species.reduce((sum, s) => sum + (right[seat][s] ? path_points[seat][s] : 0), 0),
    );
    const distinct_species = seats.map(
      (seat) => new Set(this.arboreta[seat].map(({ card }) => this.speciesOf(card))).size,
    );
    const tied = seats.filter((seat) => points[seat] === Math.max(...points));
    const widest = Math.max(...tied.map((seat) => distinct_species[seat]));
    const winners = tied.filter((seat) => distinct_species[seat] === widest);
    return { points, winners, distinct_species, hand_sum, right, path_points };
  }
}

/** Throws at the first thing in which a row and the rules differ. */
function checkRow(row) {
  const expect = (what, found, given) => {
    if (JSON.stringify(found) !== JSON.stringify(given)) {
      throw new Error(`${what}: ${JSON.stringify(found)} expected, the row has ${JSON.stringify(given)}`);
    }
  };
  const expectObservations = (what, observations) => {
    for (const [seat, text] of Object.entries(observations)) {
      const found = game.observe(Number(seat)).toString("base64");
      expect(`${what}, observation of seat ${seat}`, found, text);
    }
  };
  const game = new Game(row.config, row.deal);
  expect("sizes", game.sizes, row.sizes);
  const digest = createHash("sha256");
  const addObservations = () => {
    for (let seat = 0; seat < game.players; seat++) digest.update(game.observe(seat));
  };
  row.decisions.forEach((decision, number) => {
    const what = `decision ${number}`;
    const legal = game.legal();
    expect(`${what}, legal ids`, legal, decision.legal);
    if (!legal.includes(decision.action)) throw new Error(`${what}: ${decision.action} is illegal`);
    expectObservations(what, decision.observations ?? {});
    addObservations();
    game.apply(decision.action);
  });
  expect("phase after the last decision", game.phase, GAME_OVER);
  addObservations();
  expect("seats of the final observations", game.hands.map((_, k) => `${k}`), Object.keys(row.final_observations));
  expectObservations("after the end", row.final_observations);
  expect("digest of all observations", digest.digest("hex"), row.all_observations_sha256);
  for (const [name, value] of Object.entries(game.scores())) {
    expect(`scores.${name}`, value, row.scores[name]);
  }
  return row.decisions.length;
}

function main(files) {
  let games = 0;
  let decisions = 0;
  let mismatches = 0;
  for (const file of files) {
    const lines = readFileSync(file, "utf8").split("\n");
    lines.forEach((line, index) => {
      if (line === "") return;
      games += 1;
      try {
        decisions += checkRow(JSON.parse(line));
      } catch (error) {
        mismatches += 1;
        console.error(`${file}:${index + 1}: ${error.message}`);
      }
    });
  }
  if (games === 0) console.error("no games to check");
  console.log(`${games} games, ${decisions} decisions, ${mismatches} mismatches`);
  return games > 0 && mismatches === 0 ? 0 : 1;
}

function besideThisScript() {
  const folder = dirname(fileURLToPath(import.meta.url));
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return names.sort().map((name) => join(folder, name));
}

const given = process.argv.slice(2);
process.exitCode = main(given.length > 0 ? given : besideThisScript());
