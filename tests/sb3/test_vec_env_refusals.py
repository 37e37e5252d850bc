"""What the vector environment refuses, and that nothing has changed then."""

from typing import Any

import numpy as np
import pytest

from arboretum_agents.registry import AgentSpecError
from arboretum_env.config import GameConfig
from arboretum_env.errors import ActionError, ConfigError, DealError, IllegalActionError, ViewError
from arboretum_training.sb3.vec_env import ArboretumVecEnv
from tests.api.learner_play import Poisoned, Watcher, bytes_of, hashed_actions

REDUCED = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)


def begun(num_envs: int = 2, **arguments: Any) -> ArboretumVecEnv:
    environment = ArboretumVecEnv(num_envs, **{"config": REDUCED, **arguments})
    environment.seed(0)
    environment.reset()
    return environment


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "0 games: expected a positive integer"),
        ({"num_players": 5}, "num_players 5: expected at most 4"),
        (
            {"render_mode": "human"},
            "render_mode 'human': expected one of None, 'ansi', 'rgb_array'",
        ),
        ({"reward": "points"}, "reward 'points'"),
        ({"seat": 2}, "seat 2"),
        ({"illegal_action": "ignore"}, "illegal_action 'ignore'"),
        ({"config": REDUCED, "species": 4}, "config and num_players"),
        ({"opponents": ["greedy", "greedy"]}, "2 opponents: expected one for all seats, or 1"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ArboretumVecEnv(**arguments)


@pytest.mark.parametrize("rule", ["raise", "lose", "random"])
@pytest.mark.parametrize(
    "actions",
    [0, [0], [0, 0, 0], [[0], [0]], [0.0, 0.0], [True, False], [0, 10_000], [-1, 0], None],
    ids=repr,
)
def test_malformed_actions_change_nothing(rule: Any, actions: Any) -> None:
    environment = begun(illegal_action=rule)
    before = bytes_of(environment._games)
    with pytest.raises(ActionError, match="expected"):
        environment.step(actions)
    assert bytes_of(environment._games) == before


def test_a_step_without_actions_is_refused() -> None:
    environment = begun()
    environment.step_async(np.array([0, 0]))
    environment.reset()  # cancels it
    with pytest.raises(ActionError, match="step_wait\\(\\) without actions"):
        environment.step_wait()


def test_illegal_actions_raise_if_asked_to() -> None:
    environment = begun(illegal_action="raise")
    before = bytes_of(environment._games)
    last = environment.action_space.n - 1  # type: ignore[attr-defined]
    with pytest.raises(IllegalActionError, match=f"action {last} of row 1 is illegal"):
        environment.step(np.array([0, last]))
    assert bytes_of(environment._games) == before


def test_a_poisoned_opponent_is_named_and_nothing_changes() -> None:
    environment = begun(3, config=GameConfig(), opponents=Poisoned(GameConfig()), seat=0)
    seen = environment._games.observe()
    for _ in range(14):
        seen, *_ = environment.step(hashed_actions(seen, environment.action_masks()))
    before = bytes_of(environment._games)
    with pytest.raises(IllegalActionError, match=r"\(Poisoned\) chose action 9999 for seat 1"):
        environment.step(hashed_actions(seen, environment.action_masks()))
    assert bytes_of(environment._games) == before


def test_an_opponent_that_fails_as_the_next_game_begins_undoes_the_whole_step() -> None:
    class Unwilling(Watcher):
        """Plays in seat 1, and never begins a game."""

        def act(self, views: Any) -> Any:
            if views.seat[0] == 0:
                raise RuntimeError("not I")
            return super().act(views)

    environment = ArboretumVecEnv(2, config=REDUCED, opponents=Unwilling(REDUCED))
    environment.seed(0)
    environment._games.reset([0, 0])  # seat 0 now, seat 1 in the next game
    seen, failed = environment._games.observe(), False
    while not failed:
        before = bytes_of(environment._games)
        try:
            seen, *_ = environment.step(hashed_actions(seen, environment.action_masks()))
        except RuntimeError:
            failed = True
    assert bytes_of(environment._games) == before


@pytest.mark.parametrize("rows", [[2], [-1], 2, -1, [0.0], ["a"], [[0]]], ids=repr)
def test_rows_that_do_not_exist(rows: Any) -> None:
    environment = begun()
    for call in (
        lambda: environment.set_opponents("greedy", rows),
        lambda: environment.action_masks(rows),
        lambda: environment.env_method("action_masks", indices=rows),
        lambda: environment.get_attr("row", rows),
        lambda: environment.env_is_wrapped(object, rows),  # type: ignore[arg-type]
    ):
        with pytest.raises(ViewError, match=r"rows .*: expected"):
            call()


def test_options_and_seeds() -> None:
    environment = begun()
    before = bytes_of(environment._games)
    for seed in (-1, 0.5, True, "1"):
        with pytest.raises(DealError, match="seed"):
            environment.seed(seed)  # type: ignore[arg-type]
    environment.set_options([{}, {"hands": []}])
    with pytest.raises(ConfigError, match="options that differ from row to row"):
        environment.reset()
    environment.set_options({"hands": []})
    with pytest.raises(DealError):
        environment.reset()
    assert bytes_of(environment._games) == before


def test_nothing_can_be_set_from_outside() -> None:
    environment = begun()
    with pytest.raises(AttributeError, match="config: games have no attribute that can be set"):
        environment.set_attr("config", GameConfig())
    with pytest.raises(AgentSpecError, match="unknown agent 'gredy'; did you mean 'greedy'"):
        environment.set_opponents("gredy")


def test_nothing_before_the_first_reset() -> None:
    environment = ArboretumVecEnv(2)
    for call in (environment.action_masks, lambda: environment.step(np.array([0, 0]))):
        with pytest.raises(ViewError, match="no games have been dealt"):
            call()
