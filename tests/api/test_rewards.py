"""Rewards by the formulas, worked out by hand, and as the environment pays them."""

import random

import numpy as np
import pytest

from arboretum_env.engine.scoring import Scores
from arboretum_env.errors import ConfigError
from arboretum_env.pettingzoo_env import env, raw_env
from arboretum_env.rewards import RewardKind, final_rewards
from tests.api.aec_conformance import choose, is_out
from tests.engine_game import ActionIds, config_of
from tests.random_games import CONFIGS
from tests.rules.test_end import LAST, LAST_DEAL
from tests.table import actions_of


def scores(points: list[int], winners: list[int]) -> Scores:
    """One game's totals and winning seats; nothing else matters here."""
    players = len(points)
    nothing = np.zeros((1, players, 1), np.int64)
    return Scores(
        points=np.array([points]),
        winners=np.isin(np.arange(players), winners)[None, :],
        hand_sum=nothing,
        right=nothing.astype(bool),
        path_points=nothing,
        distinct_species=nothing[:, :, 0],
    )


@pytest.mark.parametrize(
    ("points", "winners", "kind", "expected"),
    [
        # win: (P w - 1) over P - 1
        ([31, 28], [0], "win", [1, -1]),
        ([28, 31], [1], "win", [-1, 1]),
        ([20, 20], [0, 1], "win", [0, 0]),
        ([20, 20], [1], "win", [-1, 1]),  # more species decide
        ([9, 4, 4], [0], "win", [1, -1 / 2, -1 / 2]),
        ([9, 9, 4], [0, 1], "win", [1 / 4, 1 / 4, -1 / 2]),  # (3/2 - 1) / 2
        ([0, 0, 0], [0, 1, 2], "win", [0, 0, 0]),
        ([1, 2, 3, 9], [3], "win", [-1 / 3, -1 / 3, -1 / 3, 1]),
        ([9, 2, 3, 9], [0, 3], "win", [1 / 3, -1 / 3, -1 / 3, 1 / 3]),  # (4/2 - 1) / 3
        # margin: own minus the mean of the others, over 20
        ([31, 28], [0], "margin", [3 / 20, -3 / 20]),
        ([50, 0], [0], "margin", [2.5, -2.5]),  # not clipped
        ([10, 4, 0], [0], "margin", [8 / 20, -1 / 20, -7 / 20]),
        ([12, 0, 4, 8], [0], "margin", [8 / 20, -8 / 20, -8 / 60, 8 / 60]),
        # mixed: half of each
        ([31, 28], [0], "mixed", [23 / 40, -23 / 40]),
        ([20, 20], [1], "mixed", [-1 / 2, 1 / 2]),
        ([10, 4, 0], [0], "mixed", [28 / 40, -11 / 40, -17 / 40]),
    ],
)
def test_formula(
    points: list[int], winners: list[int], kind: RewardKind, expected: list[float]
) -> None:
    rewards = final_rewards(scores(points, winners), kind)
    np.testing.assert_allclose(rewards, [expected], atol=1e-15)
    assert rewards.dtype == np.float64


def test_unknown_kind_is_refused() -> None:
    for make in (lambda: final_rewards(scores([1, 2], [1]), "points"), lambda: raw_env(reward="p")):
        with pytest.raises(ConfigError, match=r"expected one of .?win.?, .?margin.?, .?mixed"):
            make()


@pytest.mark.parametrize("kind", ["win", "margin", "mixed"])
@pytest.mark.parametrize("name", CONFIGS)
def test_environment_pays_what_the_final_scores_say(name: str, kind: RewardKind) -> None:
    environment = raw_env(config=CONFIGS[name], reward=kind)
    players = CONFIGS[name].num_players
    for seed in range(6):
        environment.reset(seed=seed)
        rng = random.Random(seed)
        while not is_out(environment):
            assert set(environment.rewards.values()) == {0.0}
            environment.step(choose(environment, rng))
        info = environment.infos["player_0"]
        points, winners = info["scores"], info["winners"]
        assert winners and max(points) == points[winners[0]]
        for seat, agent in enumerate(environment.possible_agents):
            share = 1 / len(winners) if seat in winners else 0
            win = (players * share - 1) / (players - 1)
            others = [p for k, p in enumerate(points) if k != seat]
            margin = (points[seat] - sum(others) / len(others)) / 20
            expected = {"win": win, "margin": margin, "mixed": (win + margin) / 2}[kind]
            assert environment.rewards[agent] == pytest.approx(expected, abs=1e-12)
            assert type(environment.rewards[agent]) is float


@pytest.mark.parametrize(
    ("discard", "win", "margin"), [("D2", [-1, 1], [-5 / 20, 5 / 20]), ("C2", [0, 0], [0, 0])]
)
def test_the_very_last_move_is_paid(discard: str, win: list[float], margin: list[float]) -> None:
    """The deal of ``tests/rules/test_end.py`` that its last discard decides, for its last mover."""
    kinds: tuple[tuple[RewardKind, list[float]], ...] = (("win", win), ("margin", margin))
    for kind, expected in kinds:
        for make in (raw_env, env):
            environment = make(config=config_of(LAST), reward=kind)
            hands, deck = LAST_DEAL
            environment.reset(options={"hands": hands, "deck": deck})
            ids = ActionIds(LAST)
            text = f"d d C1@0,0 xJ1 d d D1@0,0 xJ2 d d C3@1,0 xD2 d p0 D3@1,0 x{discard}"
            for number, action in enumerate(actions_of(text)):
                assert environment.agent_selection == f"player_{number // 5 % 2}"
                environment.step(ids.of(action, number // 5 % 2))
            received = {}
            for agent in environment.agent_iter():
                _, received[agent], terminated, _, _ = environment.last()
                assert terminated
                environment.step(None)
            assert received == pytest.approx(dict(zip(received, expected, strict=True)))
            assert sorted(received) == ["player_0", "player_1"]
