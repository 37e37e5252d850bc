"""What ``LearnerGames`` refuses, and that a refusal changes nothing."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.bots.random import RandomAgent
from arboretum_agents.learner_games import LearnerGames
from arboretum_env.config import GameConfig
from arboretum_env.errors import ActionError, DealError, IllegalActionError, ViewError
from arboretum_env.view import PlayerViews
from tests.api.learner_play import Poisoned, Watcher, bytes_of, hashed_actions, play_out

SMALL = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)


def test_illegal_actions_raise_and_change_nothing() -> None:
    games = LearnerGames(GameConfig(), num_games=3)
    games.reset(seed=1)
    before = bytes_of(games)
    with pytest.raises(IllegalActionError, match=r"action 459 of row 1 is illegal: the 1 legal"):
        games.step([0, 459, 0])
    assert bytes_of(games) == before


@pytest.mark.parametrize("answer", [9999, -1, 0])
@pytest.mark.parametrize("listening", [False, True])
def test_a_poisoned_opponent_is_named_and_nothing_changes(answer: int, listening: bool) -> None:
    config = GameConfig()
    poisoned, healthy = Poisoned(config, answer), Poisoned(config)
    healthy.cured = True
    finals = []
    for opponent in (poisoned, healthy):
        opponent.wants_history = listening
        games = LearnerGames(config, opponent, num_games=2, seat=0)
        games.reset(seed=0)
        for _ in range(14):  # into the third turn
            games.step(hashed_actions(games.observe(), games.legal_action_mask()))
        actions, before = (
            hashed_actions(games.observe(), games.legal_action_mask()),
            bytes_of(games),
        )
        if opponent is poisoned:
            with pytest.raises(IllegalActionError, match=r"Poisoned.* chose action .* for seat 1"):
                games.step(actions)
            assert bytes_of(games) == before
            poisoned.cured = True  # the games can go on from there, as if nothing had been
        play_out(games)
        finals.append((bytes_of(games), opponent.heard))
    assert finals[0] == finals[1] and listening == bool(healthy.heard)


def test_an_opponent_that_answers_in_the_wrong_shape_is_named() -> None:
    class Mute(RandomAgent):
        def act(self, views: PlayerViews) -> NDArray[np.int64]:
            return super().act(views)[:0]

    games = LearnerGames(GameConfig(), Mute(GameConfig()), seat=1)
    said = r"Mute\) returned actions of shape \(0,\) and dtype int64: expected \[1\]"
    with pytest.raises(ActionError, match=said):
        games.reset(seed=0)
    with pytest.raises(ViewError, match=r"call reset\(\)"):
        games.observe()


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0], r"shape \(2,\)"),
        (0, r"shape \(\)"),
        ([[0], [0], [0]], r"shape \(3, 1\)"),
        ([0.0, 0.0, 0.0], "float64"),
        ([True, True, True], "bool"),
        ([None, 0, 0], "object"),
        ([0, np.nan, 0], "float64"),
        ([0, 460, 0], r"action 460 of row 1: expected 0\.\.459"),
        ([0, 0, -1], r"action -1 of row 2: expected 0\.\.459"),
        (np.array([0, 0, 2**64 - 1], np.uint64), "18446744073709551615 is no action id"),
        ([[0], 0, 0], "type list"),
    ],
)
@pytest.mark.parametrize("rule", ["raise", "lose", "random"])
def test_malformed_actions_raise_under_every_rule(rule: Any, actions: Any, message: str) -> None:
    games = LearnerGames(GameConfig(), num_games=3, illegal_action=rule)
    games.reset(seed=1)
    before = bytes_of(games)
    with pytest.raises(ActionError, match=message):
        games.step(actions)
    assert bytes_of(games) == before


def test_an_ended_game_takes_minus_one() -> None:
    games = LearnerGames(SMALL, num_games=2, illegal_action="lose", seat=0)
    games.reset(seed=1)
    games.step([30, 0])
    with pytest.raises(ActionError, match="action 0 of row 0: expected -1, its game is over"):
        games.step([0, 0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 2}, "seat 2: expected one of 'rotate', 0, 1"),
        ({"seat": "turn"}, "seat 'turn': expected one of 'rotate', 0, 1"),
        ({"reward": "points"}, "reward 'points': expected one of"),
        ({"illegal_action": "ignore"}, "illegal_action 'ignore': expected one of 'raise', 'lose'"),
        ({"num_games": 0}, "0 games: expected a positive integer"),
        ({"num_games": 2.0}, r"2\.0 games: expected a positive integer"),
        ({"opponents": ["random", "random"]}, "2 opponents: expected one for all seats, or 1"),
        ({"opponents": []}, "0 opponents"),
        ({"opponents": [None]}, "opponent None: expected a spec"),
        ({"opponents": RandomAgent}, "opponent <class .*RandomAgent'>: expected a spec"),
        ({"opponents": "gredy"}, "unknown agent 'gredy'; did you mean 'greedy'"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LearnerGames(GameConfig(), **arguments)


def test_refused_opponents_change_nothing() -> None:
    watcher = Watcher(SMALL)
    games = LearnerGames(SMALL, watcher, num_games=2)
    for bad in ("gredy", ["random", "random"]):
        with pytest.raises(ValueError, match=r"unknown agent|2 opponents"):
            games.set_opponents(bad)
    with pytest.raises(ViewError, match=r"rows .*: expected different integers 0\.\.1"):
        games.set_opponents("random", rows=np.array([0, 0]))
    games.reset(seed=0)
    assert len(watcher.begun[0]) == 2


@pytest.mark.parametrize("rows", [[0, 0], [2], [-1], [0.0], [[0]], [True, False]])
def test_bad_rows(rows: Any) -> None:
    games = LearnerGames(SMALL, num_games=2)
    games.reset(seed=0)
    before = bytes_of(games)
    with pytest.raises(ViewError, match=r"expected different integers 0\.\.1"):
        games.reset(rows=np.array(rows))
    assert bytes_of(games) == before


@pytest.mark.parametrize("seed", [-1, 1.0, "12", True, [1], [1, 2, 3], [1, -1], [1.0, 2]])
def test_bad_seeds(seed: Any) -> None:
    games = LearnerGames(SMALL, num_games=2)
    games.reset(seed=0)
    before = bytes_of(games)
    with pytest.raises(DealError, match=r"seed"):
        games.reset(seed=seed)
    assert bytes_of(games) == before


def test_before_the_first_reset() -> None:
    games = LearnerGames(SMALL, num_games=2)
    for call in (games.observe, games.legal_action_mask, lambda: games.step([0, 0])):
        with pytest.raises(ViewError, match=r"call reset\(\) first"):
            call()
    with pytest.raises(ViewError, match="for all rows first"):
        games.reset(rows=np.array([0]))
