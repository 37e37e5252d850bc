"""Exact best responses: values by hand and by brute force, sizes of trees, and what is refused."""

from collections.abc import Callable
from math import factorial, perm

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.bots.greedy import GreedyAgent
from arboretum_agents.bots.random import RandomAgent
from arboretum_env.actions import num_actions
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ConfigError
from arboretum_env.match import play_match
from arboretum_env.rewards import RewardKind, final_rewards
from arboretum_env.view import PlayerViews, redact
from arboretum_training.evaluation.best_response import best_response, nash_conv, policy_value
from arboretum_training.evaluation.errors import EvaluationError
from tests.differential.test_node_counts import TREES
from tests.evaluation.brute_force import brute_force

ONE_TURN = GameConfig(species=2, num_ranks=3, hand_size=2)
BLOCKING = GameConfig(species=2, num_ranks=3, hand_size=1)
LARGE_BLOCKING = GameConfig(species=2, num_ranks=4, hand_size=2)
THREE = GameConfig(num_players=3, species=2, num_ranks=3, hand_size=1)
TREES_OF = {BLOCKING: 0, LARGE_BLOCKING: 2}
"""Of which of ``TREES`` a game is."""


class TellingRandomAgent(RandomAgent):
    """Random play that tells its probabilities."""

    def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        legal = views.legal_action_mask().astype(np.float32)
        return legal / legal.sum(axis=1, keepdims=True), np.zeros(len(views), np.float32)


def greedy_policy(config: GameConfig) -> Callable[[GameState], NDArray[np.float64]]:
    agent = GreedyAgent(config)

    def policy(games: GameState) -> NDArray[np.float64]:
        odds = np.zeros((len(games), num_actions(config)))
        choices = agent.act(redact(games, games.mover.astype(np.int64)))
        odds[np.arange(len(games)), choices] = 1
        return odds

    return policy


# Two species of three ranks, hands of 1: at most three turns, of seats 0, 1 and 0. By hand: if seat
# 1 draws its two cards from the deck, the game ends after its turn, with one card in each arboretum
# and no path: a draw. Otherwise seat 0 has another turn and, with two different species planted or
# with a path, wins whatever it is held against, if it wants to. So seat 1 can always draw, and
# seat 0 wins unless random play ends the game, which takes two choices of the deck, 1/4.
@pytest.mark.parametrize(
    ("config", "seat", "value", "information_sets", "nodes"),
    [
        (ONE_TURN, 0, 1, 1695, 17_437),
        (ONE_TURN, 1, -1, 0, 17_437),
        (BLOCKING, 0, 3 / 4, 890_796, 4_543_147),
        (BLOCKING, 1, 0, 10_680, 4_543_147),
        (LARGE_BLOCKING, 1, 0, 156_240, 1_681_542_641),
    ],
)
def test_against_random_play(
    config: GameConfig, seat: int, value: float, information_sets: int, nodes: int
) -> None:
    result = best_response(config, seat)
    assert result.value == pytest.approx(value, abs=1e-12)
    assert result.information_sets == information_sets
    assert result.nodes == nodes


def test_points_against_random_play() -> None:
    """Blocking costs: what seat 0 wins in points. Ours alone: OpenSpiel's tool takes hours."""
    assert best_response(BLOCKING, 0, reward="margin").value * 20 == pytest.approx(2.725)
    assert best_response(BLOCKING, 1, reward="margin").value == 0


def sizes_by_one_deal(config: GameConfig) -> tuple[list[int], int, int]:
    """(decision nodes by seat, chance nodes, terminal nodes), from the tree of a single deal.

    Which cards are dealt does not change how many choices anybody has, so every deal's tree has the
    same shape, and a draw from a deck of n cards stands for n.
    """
    cards, size, players = list(range(config.num_cards)), config.hand_size, config.num_players
    dealt = config.num_cards - config.deck_size
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(players)]
    starting = cards[players * size : dealt]
    piles = [[], *([card] for card in starting)] if starting else None
    games = deal_exact(config, hands, cards[dealt:], piles)
    histories = np.array([perm(config.num_cards, dealt)])
    chance = sum(perm(config.num_cards, out) for out in range(dealt))
    decisions, terminal = [0] * players, 0
    while len(games):
        terminal += int(histories[games.done].sum())
        games, histories = games.select(~games.done), histories[~games.done]
        for seat in range(players):
            decisions[seat] += int(histories[games.mover == seat].sum())
        rows, actions = np.nonzero(legal_action_mask(games))
        chance += int(histories[rows[actions == 0]].sum())
        left = games.deck_left[rows]
        histories = np.where(actions == 0, histories[rows] * left, histories[rows])
        games = games.select(rows)
        apply_action(games, actions)
    return decisions, chance, terminal


@pytest.mark.parametrize(
    "config",
    [
        ONE_TURN,
        BLOCKING,
        LARGE_BLOCKING,
        THREE,
        GameConfig(species=2, num_ranks=3, hand_size=1, starting_discards=True),
        GameConfig(num_players=3, species=2, num_ranks=4, hand_size=2),
        GameConfig(num_players=4, species=2, num_ranks=3, hand_size=1),
    ],
    ids=lambda config: f"{config.num_players}p{config.num_species}x{config.num_ranks}",
)
def test_sizes_of_trees(config: GameConfig) -> None:
    counted = best_response(config, 1)
    decisions, chance, terminal = sizes_by_one_deal(config)
    assert counted.decision_nodes == tuple(decisions)
    assert (counted.chance_nodes, counted.terminal_nodes) == (chance, terminal)
    assert counted.nodes == sum(decisions) + chance + terminal
    if config in TREES_OF:
        # The deck is drawn to its end: each order of all cards has the leaves of one fixed deck.
        leaves = sum(TREES[TREES_OF[config]].finished.values())
        assert counted.terminal_nodes == factorial(config.num_cards) * leaves


def test_nodes_of_every_kind() -> None:
    counted = best_response(BLOCKING, 0)
    assert counted.decision_nodes == (1_817_070, 99_360)
    assert (counted.chance_nodes, counted.terminal_nodes) == (112_477, 2_514_240)


@pytest.mark.parametrize("seat", range(3))
def test_brute_force_agrees_on_random_play(seat: int) -> None:
    assert best_response(THREE, seat).value == pytest.approx(brute_force(THREE, seat), abs=1e-12)


@pytest.mark.parametrize(("seat", "reward"), [(0, "margin"), (1, "mixed")])
def test_brute_force_agrees_on_greedy(seat: int, reward: RewardKind) -> None:
    mine = best_response(BLOCKING, seat, GreedyAgent(BLOCKING), reward).value
    theirs = brute_force(BLOCKING, seat, greedy_policy(BLOCKING), reward)
    assert mine == pytest.approx(theirs, abs=1e-12)


def test_rule_switches_reach_the_walk() -> None:
    """With all rights granted nobody can be blocked, and seat 0 scores more."""
    free = BLOCKING.model_copy(update={"rights": "all"})
    blocked = best_response(BLOCKING, 0, reward="margin").value
    assert best_response(free, 0, reward="margin").value > blocked + 0.01


@pytest.mark.parametrize("seat", [0, 1])
def test_a_policy_that_tells_its_odds(seat: int) -> None:
    told = best_response(BLOCKING, seat, TellingRandomAgent(BLOCKING), "margin")
    untold = best_response(BLOCKING, seat, None, "margin")
    assert told.value == pytest.approx(untold.value, abs=1e-12)
    assert told.nodes == untold.nodes and told.information_sets == untold.information_sets


class BlindAgent(GreedyAgent):
    """Takes action 0 whether it may or not."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        return np.zeros(len(views), np.int64)


class ShyAgent(TellingRandomAgent):
    """Tells probabilities that do not sum to one."""

    def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        odds, values = super().policy(views)
        return odds / 2, values


@pytest.mark.parametrize("agent", [BlindAgent(ONE_TURN), ShyAgent(ONE_TURN)])
def test_policies_that_are_none(agent: Agent) -> None:
    with pytest.raises(EvaluationError, match="expected probabilities of legal actions that sum"):
        best_response(ONE_TURN, 1, agent)


def test_a_deterministic_rival_has_fewer_histories() -> None:
    whole, one = best_response(BLOCKING, 1), best_response(BLOCKING, 1, GreedyAgent(BLOCKING))
    assert one.decision_nodes == (44_430, 16_560)
    assert one.nodes < whole.nodes


def test_no_play_is_better_than_the_best() -> None:
    """The bot's measured result against random play, its mean over many games, stays below."""
    config, ids = BLOCKING, np.arange(4000, dtype=np.uint64)
    agents: list[Agent] = [GreedyAgent(config), RandomAgent(config)]
    agents[1].reset(ids, 3)
    match = play_match(deal(config, 5, ids), agents, np.tile([0, 1], (4000, 1)), ids)
    won = final_rewards(match.scores, "margin")[:, 0]
    error = won.std() / np.sqrt(len(won))
    assert won.mean() < best_response(config, 0, reward="margin").value + 4 * error


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_values_of_a_policy_against_itself(reward: RewardKind) -> None:
    """They sum to zero, and are what many games of it come to."""
    values = [policy_value(BLOCKING, seat, reward=reward).value for seat in range(2)]
    assert sum(values) == pytest.approx(0, abs=1e-12)
    ids = np.arange(20_000, dtype=np.uint64)
    agent = RandomAgent(BLOCKING)
    agent.reset(ids, 1)
    match = play_match(deal(BLOCKING, 2, ids), [agent], np.zeros((len(ids), 2), np.int64), ids)
    won = final_rewards(score(match.final), reward)
    error = won[:, 0].std() / np.sqrt(len(won))
    assert won[:, 0].mean() == pytest.approx(values[0], abs=4 * error)


def test_nash_conv_adds_up_what_seats_could_gain() -> None:
    gains = [
        best_response(THREE, seat).value - policy_value(THREE, seat).value for seat in range(3)
    ]
    assert nash_conv(THREE) == pytest.approx(sum(gains), abs=1e-12)
    assert nash_conv(BLOCKING) == pytest.approx(3 / 4 + 0, abs=1e-12)
    assert nash_conv(ONE_TURN) == pytest.approx(0, abs=1e-12)


def test_refusals() -> None:
    with pytest.raises(EvaluationError, match=r"seat 2: expected 0\.\.1"):
        best_response(BLOCKING, 2)
    with pytest.raises(ConfigError, match="reward 'points'"):
        best_response(BLOCKING, 0, reward="points")  # type: ignore[arg-type]
    with pytest.raises(EvaluationError, match="48 cards: expected at most 21"):
        best_response(GameConfig(), 0)
    with pytest.raises(EvaluationError, match="hidden worlds at a node"):
        best_response(GameConfig(num_players=3, species=3, num_ranks=7, hand_size=5), 0)
    with pytest.raises(EvaluationError, match="RandomAgent acts at random"):
        best_response(BLOCKING, 0, RandomAgent(BLOCKING))


def test_agents_that_want_histories() -> None:
    agent = GreedyAgent(BLOCKING)
    agent.wants_history = True  # type: ignore[attr-defined]
    with pytest.raises(EvaluationError, match="GreedyAgent wants histories"):
        best_response(BLOCKING, 1, agent)
