"""Exact best responses in reduced games: how much anybody could win against a fixed policy.

The responder may play anything, as long as it plays alike wherever it has seen alike; the others
follow a fixed policy. The method is the walk over the responder's information sets with a vector of
hidden worlds at each (Johanson, Waugh, Bowling, Zinkevich: Accelerating Best Response Calculation
in Large Extensive Games, IJCAI 2011), see ``best_response_kernels``.

It is exact and exhaustive, so the games must be tiny; ``docs/openspiel.md`` has a table.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, factorial, perm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import num_actions
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig, check_choice
from arboretum_env.engine import layout
from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.paths import neighbour_table
from arboretum_env.engine.scoring import score_memory
from arboretum_env.observation import observation_length
from arboretum_env.phase import DECISIONS_PER_TURN
from arboretum_env.rewards import MARGIN_UNIT, REWARD_KINDS, RewardKind
from arboretum_training.evaluation import best_response_kernels as kernels
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.policy_book import PolicyBook, empty_book, fill_in

MAX_ARENA_BYTES: Final = 1 << 30
MAX_BOOK_BYTES: Final = 1 << 32
_FIRST_SLOTS: Final = 1 << 16


@dataclass(frozen=True)
class ExactValue:
    """The exact worth of a seat's play, and the size of the game that was gone through.

    Nodes are those of OpenSpiel's tree of the game: every card of the deal and of the deck is a
    chance node of its own, so a hand of h cards counts in all its h! orders. Only what the policy
    can bring about is counted.

    Attributes:
        value: expected reward of the seat.
        information_sets: where the seat decides.
        decision_nodes: per seat, the histories in which it is to move.
        chance_nodes: histories in which a card is to be dealt or drawn.
        terminal_nodes: finished games.
    """

    value: float
    information_sets: int
    decision_nodes: tuple[int, ...]
    chance_nodes: int
    terminal_nodes: int

    @property
    def nodes(self) -> int:
        """All of them."""
        return sum(self.decision_nodes) + self.chance_nodes + self.terminal_nodes


def best_response(
    config: GameConfig, seat: int, policy: Agent | None = None, reward: RewardKind = "win"
) -> ExactValue:
    """The most that a seat can expect against a fixed policy of all others.

    Args:
        config: a reduced game.
        seat: the responder.
        policy: what the others play: an agent that acts on its view alone, and that is
            deterministic or tells its probabilities. None is uniformly random play.
        reward: what a finished game is worth.

    Raises:
        EvaluationError: a seat that is not at the table, a game too large to go through, or an
            agent whose policy cannot be told (see ``policy_book.fill_in``).
    """
    return _exact(config, seat, policy, reward, respond=True)


def policy_value(
    config: GameConfig, seat: int, policy: Agent | None = None, reward: RewardKind = "win"
) -> ExactValue:
    """What a seat can expect when every seat follows the policy. Arguments as ``best_response``."""
    return _exact(config, seat, policy, reward, respond=False)


def nash_conv(config: GameConfig, policy: Agent | None = None, reward: RewardKind = "win") -> float:
    """What the seats could gain by leaving a policy, added up; 0 at a Nash equilibrium.

    In a two-player game, half of it is the policy's exploitability. Arguments as ``best_response``.
    """
    return sum(
        best_response(config, seat, policy, reward).value
        - policy_value(config, seat, policy, reward).value
        for seat in range(config.num_players)
    )


def _exact(
    config: GameConfig, seat: int, policy: Agent | None, reward: RewardKind, *, respond: bool
) -> ExactValue:
    check_choice("reward", reward, REWARD_KINDS)
    if not 0 <= seat < config.num_players:
        raise EvaluationError(f"seat {seat}: expected 0..{config.num_players - 1}")
    arena = _arena(config)
    book = empty_book(config)
    if policy is not None:
        book = _collected(config, seat, reward, arena, respond=respond)
        fill_in(book, config, policy)
    value, tally = _walk(config, _task(config, seat, reward, respond=respond), arena, book)
    assert not tally[kernels.FULL]
    dealt = config.num_cards - config.deck_size
    players = range(config.num_players)
    return ExactValue(
        value=value,
        information_sets=int(tally[kernels.INFORMATION_SETS]),
        decision_nodes=tuple(int(tally[kernels.DECISION_NODES + p]) for p in players),
        chance_nodes=int(tally[kernels.CHANCE_NODES])
        + sum(perm(config.num_cards, out) for out in range(dealt)),
        terminal_nodes=int(tally[kernels.TERMINAL_NODES]),
    )


def _task(
    config: GameConfig, seat: int, reward: RewardKind, *, respond: bool, collect: bool = False
) -> kernels.Task:
    """The reward of ``arboretum_env.rewards`` as coefficients."""
    others = config.num_players - 1
    win = {"win": 1.0, "margin": 0.0, "mixed": 0.5}[reward]
    margin = (1.0 - win) / MARGIN_UNIT
    return kernels.Task(
        seat=seat,
        respond=respond,
        collect=collect,
        share=win * config.num_players / others,
        own_points=margin,
        others_points=-margin / others,
        constant=-win / others,
    )


def _arena(config: GameConfig) -> kernels.Arena:
    """Room for one node of every depth, each of as many worlds as there can be."""
    if config.num_cards > kernels.MAX_KEY_CARDS:
        raise EvaluationError(
            f"{config.num_cards} cards: expected at most {kernels.MAX_KEY_CARDS} for an exact walk"
        )
    choices = config.hand_size + 2  # a rival's hidden choice multiplies its worlds
    depth = DECISIONS_PER_TURN * config.max_turns + 1
    size = depth * choices * max(_worlds(config, extra) for extra in range(3))
    row = layout.row_bytes(config) + 8 * (3 + num_actions(config))
    if size * row > MAX_ARENA_BYTES:
        raise EvaluationError(
            f"this game has up to {size // depth} hidden worlds at a node, {size * row >> 20} MiB: "
            f"expected at most {MAX_ARENA_BYTES >> 20} MiB for an exact walk"
        )
    return kernels.Arena(
        np.zeros((size, layout.row_bytes(config)), np.uint8),
        np.zeros(size, np.float64),
        np.zeros(size, np.int64),
        np.zeros(size, np.uint64),
        np.zeros((size, num_actions(config)), np.float64),
        np.zeros(num_actions(config), np.uint8),
        np.zeros(observation_length(config), np.uint8),
        np.zeros(kernels.TALLY, np.int64),
    )


def _scoring(config: GameConfig, worlds: int) -> kernels.Scoring:
    players, species = config.num_players, config.num_species
    return kernels.Scoring(
        neighbour_table(config.side),
        score_memory(config.side),
        np.zeros((worlds, players), np.int64),
        np.zeros((worlds, players), np.bool_),
        np.zeros((worlds, players, species), np.int64),
        np.zeros((worlds, players, species), np.bool_),
        np.zeros((worlds, players, species), np.int64),
        np.zeros((worlds, players), np.int64),
    )


def _worlds(config: GameConfig, extra: int) -> int:
    """How the cards that a seat was not dealt may lie, one rival having drawn ``extra`` more."""
    unseen = config.num_cards - config.hand_size
    worlds = 1
    for rival in range(1, config.num_players):
        held = config.hand_size + (extra if rival == 1 else 0)
        worlds *= comb(unseen, min(held, unseen))
        unseen -= min(held, unseen)
    return worlds


def _collected(
    config: GameConfig, seat: int, reward: RewardKind, arena: kernels.Arena, *, respond: bool
) -> PolicyBook:
    """A book with every observation at which somebody acts by it, and no probabilities yet."""
    slots = _FIRST_SLOTS
    task = _task(config, seat, reward, respond=respond, collect=True)
    while True:
        size = slots * (8 + observation_length(config) + 8 * num_actions(config))
        if size > MAX_BOOK_BYTES:
            raise EvaluationError(
                f"the policy's table outgrows {MAX_BOOK_BYTES >> 30} GiB: expected a smaller game"
            )
        book = empty_book(config, slots)
        _, tally = _walk(config, task, arena, book)
        if not tally[kernels.FULL]:
            return book
        slots *= 4


def _walk(
    config: GameConfig, task: kernels.Task, arena: kernels.Arena, book: PolicyBook
) -> tuple[float, NDArray[np.int64]]:
    arena.tally[:] = 0
    scoring = _scoring(config, len(arena.rows))
    orders = factorial(config.hand_size) ** config.num_players
    deals = perm(config.num_cards, config.num_cards - config.deck_size)
    value = 0.0
    for rows in _first_nodes(config, task.seat):
        arena.rows[: len(rows)] = rows
        arena.weights[: len(rows)] = orders / deals
        arena.counts[: len(rows)] = orders
        value += kernels.walk(arena, book, task, scoring, 0, len(rows))
        if arena.tally[kernels.FULL]:
            break
    return value, arena.tally.copy()


def _first_nodes(config: GameConfig, seat: int) -> Iterator[NDArray[np.uint8]]:
    """[worlds, row bytes] for everything that the seat may be dealt and see at the beginning."""
    cards = set(range(config.num_cards))
    starting = config.num_players - 1 if config.starting_discards else 0
    for own in combinations(sorted(cards), config.hand_size):
        for piles in permutations(sorted(cards.difference(own)), starting):
            rest = sorted(cards.difference(own, piles))
            discards = [[], *([card] for card in piles)] if starting else None
            worlds = []
            for hands in _hands(config, rest, [p for p in range(config.num_players) if p != seat]):
                held = hands | {seat: own}
                deck = sorted(cards.difference(piles, *held.values()))
                order = [held[p] for p in range(config.num_players)]
                worlds.append(deal_exact(config, order, deck, discards).raw[0])
            yield np.array(worlds)


def _hands(
    config: GameConfig, cards: list[int], seats: list[int]
) -> Iterator[dict[int, tuple[int, ...]]]:
    """Every way of giving hands of these cards to these seats."""
    if not seats:
        yield {}
        return
    for hand in combinations(cards, config.hand_size):
        rest = [card for card in cards if card not in hand]
        for others in _hands(config, rest, seats[1:]):
            yield {seats[0]: hand} | others
