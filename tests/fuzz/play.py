"""Random games of random kinds, checked at every decision.

Uniform play keeps to the middle of the rules; four manners of play take turns row by row, so that
the longest and shortest games and the farthest cells are met too.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import num_actions
from arboretum_env.cards import SPECIES_LETTERS
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ConfigError
from tests.engine_game import score_of
from tests.fuzz import invariants
from tests.fuzz.table import Ints, Table
from tests.reference import Options, score_table

UNIFORM, LINGERING, HURRYING, STRAIGHT = range(4)
HEADINGS = np.array([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1)])
MAX_BATCH = 2048


@dataclass
class Tally:
    """What a run checked."""

    kinds: set[GameConfig] = field(default_factory=set)
    games: int = 0
    decisions: int = 0
    observations: int = 0
    scores: int = 0

    def row(self) -> str:
        """A row of a table in Markdown: kinds of games, games, decisions, observations, scores."""
        figures = (len(self.kinds), self.games, self.decisions, self.observations, self.scores)
        return f"| {' | '.join(f'{figure:,}' for figure in figures)} |"


def random_config(rng: np.random.Generator) -> GameConfig:
    """Any game that can be played; a third of them whole ones."""
    while True:
        options = {
            "num_players": int(rng.integers(2, 5)),
            "starting_discards": bool(rng.integers(2)),
        }
        if rng.random() < 1 / 3:
            return GameConfig(**options)
        letters = rng.permutation(list(SPECIES_LETTERS))[: rng.integers(2, 11)]
        options |= {
            "species": "".join(letters),
            "num_ranks": int(rng.integers(3, 9)),
            "hand_size": int(rng.integers(1, 8)),
            "cancel_eights": bool(rng.integers(2)),
            "rights": ("highest", "all")[rng.integers(2)],
        }
        try:
            return GameConfig(**options)
        except ConfigError:
            continue  # too few cards for these hands


def choose(table: Table, mask: NDArray[np.bool_], rng: np.random.Generator) -> Ints:
    """[B] a legal action a game, -1 where there is none; row b plays in manner b mod 4."""
    players = table.config.num_players
    weights = rng.random(mask.shape)
    manner = np.arange(len(mask)) % 4
    weights[manner == HURRYING, 0] += 2
    weights[manner == LINGERING, 1 : 1 + players] += 2
    game, x, y = table.open_cells()
    first_cell = 1 + players + table.config.num_cards
    heading = HEADINGS[game // 4 % len(HEADINGS)]
    straight = (manner[game] == LINGERING) | (manner[game] == STRAIGHT)
    along = np.where(straight, x * heading[:, 0] + y * heading[:, 1], 0)
    np.add.at(weights, (game, first_cell + invariants.torus_cells(table, x, y)), along)
    # One decision in eight is uniform all the same.
    weights = np.where(rng.random(len(mask))[:, None] < 1 / 8, rng.random(mask.shape), weights)
    chosen = np.where(mask, weights, -np.inf).argmax(axis=1)
    return np.where(mask.any(axis=1), chosen, -1)


def play_batch(
    config: GameConfig, seed: int, games: int, tally: Tally, *, every: int = 1
) -> GameState:
    """Plays a batch of games to their end, with the invariants on.

    Args:
        config: the game.
        seed: of the deals and of the play.
        games: B.
        tally: counts on.
        every: decisions between two checks of all positions; every step and mask is checked.

    Raises:
        InvariantError: one does not hold.
    """
    rng = np.random.default_rng(seed)
    state = deal(config, seed, rng.integers(0, 2**63, size=games, dtype=np.uint64))
    mask = np.empty((games, num_actions(config)), np.bool_)
    legal_action_mask(state, mask)
    table = Table.of(state)
    number = 0
    while True:
        invariants.check_mask(table, mask)
        over = bool(state.done.all())
        if over or number % every == 0:
            invariants.check_cards(table)
            invariants.check_bounds(table)
            invariants.check_arboreta(table)
            tally.observations += invariants.check_observations(state, table)
        if over:
            break
        actions = choose(table, mask, rng)
        tally.decisions += int((actions >= 0).sum())
        step(state, actions, mask)
        before, table = table, Table.of(state)
        invariants.check_step(before, table, actions)
        number += 1
    tally.kinds.add(config)
    tally.games += games
    return state


def check_scores(state: GameState, rows: range, tally: Tally) -> None:
    """Scores of some finished games, number by number, against the literal reference."""
    config = state.config
    options = Options(
        num_players=config.num_players,
        species=config.species,
        num_ranks=config.num_ranks,
        hand_size=config.hand_size,
        starting_discards=config.starting_discards,
        cancel_eights=config.cancel_eights,
        rights=config.rights,
    )
    scores = score(state)
    seats = range(config.num_players)
    for row in rows:
        hands = [[options.cards[card] for card in state.hand(row, seat)] for seat in seats]
        arboreta = [
            {(x, y): options.cards[card] for x, y, card in state.arboretum(row, seat)}
            for seat in seats
        ]
        if score_of(options, scores, row) != score_table(options, hands, arboreta):
            raise invariants.InvariantError(f"row {row}: the score is not the reference's")
        tally.scores += 1


def fuzz(decisions: int, seed: int, tally: Tally, *, every: int = 1) -> None:
    """Plays batches of random kinds until a number of decisions has been taken.

    Raises:
        InvariantError: one does not hold; the message has what repeats it.
    """
    batch = 0
    while tally.decisions < decisions:
        rng = np.random.default_rng((seed, batch))
        config = random_config(rng)
        games = int(2 ** rng.uniform(0, np.log2(MAX_BATCH)))
        games = min(games, (decisions - tally.decisions) // (5 * config.min_turns) + 1)
        root = int(rng.integers(2**62))
        try:
            state = play_batch(config, root, games, tally, every=every)
            check_scores(state, range(0, games, 16), tally)
        except AssertionError as error:
            raise invariants.InvariantError(
                f"batch {batch} of seed {seed}, {games} games of {config!r}: {error}"
            ) from error
        batch += 1
