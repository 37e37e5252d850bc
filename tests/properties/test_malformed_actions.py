"""What is no action is refused by everybody who takes one, with a clear error, and nothing changes.

The batched engine takes arrays, the environments take one id at a time, and the runner takes what
agents answer. What they accept instead of plain integers is here too.
"""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arboretum_env.actions import checked_action_ids, num_actions
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask, step
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ActionError, ArboretumError, IllegalActionError
from arboretum_env.match import play_match
from arboretum_env.pettingzoo_env import env, raw_env
from arboretum_env.view import PlayerViews
from tests.api.aec_conformance import MALFORMED_ACTIONS, fingerprint
from tests.random_games import CONFIGS, random_positions

B = 3


class RaisesAsAnArray:
    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise RuntimeError("no array")


NO_ACTIONS: dict[str, Any] = {
    # not integers
    "none": None,
    "nones": [None] * B,
    "booleans": [True, False, True],
    "boolean array": np.zeros(B, np.bool_),
    **{f"zeros of {kind}": np.zeros(B, kind) for kind in ("f2", "f4", "f8", "c8", "O", "S1", "U1")},
    "dates": np.zeros(B, "M8[s]"),
    "spans of time": np.zeros(B, "m8[s]"),
    "records": np.zeros(B, [("id", np.int64)]),
    "nan": np.full(B, np.nan),
    "infinity": [0, float("inf"), 0],
    "whole floats": [0.0, 0.0, 0.0],
    "texts": ["0", "0", "0"],
    "bytes": b"000",
    "one text": "000",
    "one more huge than any type": [0, 2**70, 0],
    "one of thousands of digits": [0, 10**5000, 0],
    "objects": [object()] * B,
    "a set": {0},
    "a dict": {0: 0, 1: 0, 2: 0},
    "a generator": iter([0] * B),
    "a function": len,
    "what raises as an array": RaisesAsAnArray(),
    # not B of them
    "a number": 0,
    "an array without axes": np.array(0),
    "too few": [0] * (B - 1),
    "too many": [0] * (B + 1),
    "nothing": [],
    "a row": [[0] * B],
    "a column": [[0]] * B,
    "lists of unequal lengths": [[0], [0, 1], []],
    "three axes": np.zeros((B, 1, 1), np.int64),
}

ILLEGAL: dict[str, Any] = {
    "minus one": [-1] * B,
    "the lowest": np.full(B, np.iinfo(np.int64).min),
    "the highest": np.full(B, np.iinfo(np.int64).max),
    "the highest of all": np.full(B, np.iinfo(np.uint64).max, np.uint64),
    "one beyond": [0, num_actions(GameConfig()), 0],
    "one of another phase": [0, 0, 20],
    "one that 32 bits would take for 0": [0, 2**32, 0],
    "one that 8 bits would take for 0": [0, 256, 0],
}

ACCEPTED: dict[str, Any] = {
    "a list": [0] * B,
    "a tuple": (0,) * B,
    "a range": range(B),
    **{f"zeros of {kind}": np.zeros(B, kind) for kind in ("i1", "u1", "<i2", ">i4", ">u8", "i8")},
    "every other one": np.zeros(2 * B, np.int64)[::2],
    "backwards": np.zeros(B, np.int32)[::-1],
    "a column of an array": np.zeros((B, 5), np.int16)[:, 2],
    "one number for all": np.broadcast_to(np.int64(0), B),
    "numpy's integers": [np.uint8(0), np.int64(0), np.intp(0)],
}
"""Taken as what they say; a range is 0, 1, 2, so only its first is legal at the deal."""


def read_only(values: Any) -> np.ndarray:
    array = np.array(values)
    array.setflags(write=False)
    return array


def games() -> GameState:
    return deal(GameConfig(), 1, np.arange(B))


def takers(state: GameState, masks: np.ndarray) -> list[Callable[[Any], None]]:
    return [
        lambda actions: apply_action(state, actions),
        lambda actions: step(state, actions, masks),
    ]


@pytest.mark.parametrize("name", [*ILLEGAL])
def test_the_engine_refuses_illegal_ids(name: str) -> None:
    refused_by_the_engine(ILLEGAL[name])


# lists of unequal lengths and the like: see checked_action_ids below
RAISED_BY_NUMPY = ("lists of unequal lengths", "what raises as an array")


@pytest.mark.parametrize("name", [name for name in NO_ACTIONS if name not in RAISED_BY_NUMPY])
def test_the_engine_refuses_what_are_no_actions(name: str) -> None:
    refused_by_the_engine(NO_ACTIONS[name])


def refused_by_the_engine(actions: Any) -> None:
    state = games()
    masks = legal_action_mask(state)
    before, masks_before = state.raw.tobytes(), masks.tobytes()
    for take in takers(state, masks):
        with pytest.raises(ActionError) as caught:
            take(actions)
        assert "expected" in str(caught.value)
        assert state.raw.tobytes() == before
        assert masks.tobytes() == masks_before


@pytest.mark.parametrize("name", NO_ACTIONS)
def test_ids_are_checked(name: str) -> None:
    with pytest.raises(ActionError, match=r"expected \[3\] integers"):
        checked_action_ids(NO_ACTIONS[name], B)


def test_ids_that_no_game_has_are_refused_before_they_could_wrap() -> None:
    with pytest.raises(ActionError, match="18446744073709551615 is no action id of any game"):
        checked_action_ids(ILLEGAL["the highest of all"], B)


@pytest.mark.parametrize("name", ACCEPTED)
def test_the_engine_accepts_integers_of_any_kind(name: str) -> None:
    given = ACCEPTED[name]
    plain = [int(action) for action in given]
    assert checked_action_ids(given, B).tolist() == plain
    expected = games()
    if plain != [0] * B:
        refused_by_the_engine(given)
        return
    apply_action(expected, [0] * B)
    for actions in (given, read_only(given)):
        state, masks = games(), np.empty((B, num_actions(GameConfig())), np.bool_)
        step(state, actions, masks)
        assert state.raw.tobytes() == expected.raw.tobytes()
        assert (masks == legal_action_mask(expected)).all()


@pytest.mark.parametrize("name", CONFIGS)
def test_nothing_illegal_is_ever_taken(name: str) -> None:
    """In one row of a batch, at decisions of all phases: the others stay where they are too."""
    rng = np.random.default_rng(4)
    for number, (state, masks) in enumerate(random_positions(CONFIGS[name], B, seed=6)):
        if number % 3:
            continue
        actions = np.where(masks.any(axis=1), masks.argmax(axis=1), -1)
        row = int(rng.integers(B))
        illegal = np.flatnonzero(~masks[row])
        wrong = rng.choice(illegal, min(4, len(illegal)), replace=False).tolist()
        if not state.done[row]:
            wrong.append(-1)
        before, masks_before = state.raw.tobytes(), masks.tobytes()
        for action in (*wrong, -2, masks.shape[1], 2**40, -(2**40)):
            actions[row] = action
            for take in takers(state, masks):
                with pytest.raises(IllegalActionError, match=f"game {row}, turn .*expected"):
                    take(actions)
                assert (state.raw.tobytes(), masks.tobytes()) == (before, masks_before)


SINGLE: dict[str, Any] = {
    **{f"{index} {value!r:.20}": value for index, value in enumerate(MALFORMED_ACTIONS)},
    "complex": 0j,
    "date": np.datetime64("2020"),
    "text of numpy": np.str_("0"),
    "masked": np.ma.masked,
    "array of objects without axes": np.array(None, object),
    "record": np.zeros(1, [("id", np.int64)])[0],
    "one beyond": 460,
    "thousands of digits": 10**5000,
    "minus thousands of digits": -(10**5000),
}


@pytest.mark.parametrize("name", SINGLE)
def test_the_environments_refuse_what_is_no_action(name: str) -> None:
    action = SINGLE[name]
    raw, wrapped = raw_env(), env()
    for environment in (raw, wrapped):
        environment.reset(seed=1)
        environment.step(0)
    before = fingerprint(raw)
    with pytest.raises(ActionError, match="expected") as caught:
        raw.step(action)
    assert len(str(caught.value)) < 200 and "\n" not in str(caught.value)
    assert fingerprint(raw) == before
    wrapped.last()
    with pytest.raises(AssertionError, match="action is not in action space"):
        wrapped.step(action)
    assert fingerprint(wrapped.unwrapped) == before
    for environment in (raw, wrapped):  # and both go on
        environment.step(0)


@pytest.mark.parametrize(
    "action",
    [0, np.int8(0), np.uint32(0), np.intp(0), np.array(0), np.array(0, ">i2"), read_only(0)],
    ids=repr,
)
def test_the_environments_accept_integers_of_any_kind(action: Any) -> None:
    expected = raw_env()
    expected.reset(seed=1)
    expected.step(0)
    for environment in (raw_env(), env()):
        environment.reset(seed=1)
        environment.last()
        environment.step(action)
        assert fingerprint(environment.unwrapped) == fingerprint(expected)


class Answers:
    """Answers with one thing, whatever it is asked."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def reset(self, game_ids: Any, seed: int) -> None:
        pass

    def act(self, views: PlayerViews) -> Any:
        return copy.copy(self.answer) if isinstance(self.answer, np.ndarray) else self.answer


def answered(answer: Any) -> tuple[GameState, str]:
    """The games after an agent's answer was refused, and what was said."""
    state = games()
    agents: list[Agent] = [Answers(answer)]
    with pytest.raises(ArboretumError) as caught:
        play_match(state, agents, np.zeros((B, 2), np.int64), np.arange(B, dtype=np.uint64))
    assert isinstance(caught.value, ActionError)
    return state, str(caught.value)


@pytest.mark.parametrize("name", NO_ACTIONS)
def test_the_runner_refuses_answers_that_are_no_actions(name: str) -> None:
    state, said = answered(NO_ACTIONS[name])
    assert said.startswith("agent 0 (Answers) returned actions of ")
    assert "expected [3] integers" in said
    assert state.raw.tobytes() == games().raw.tobytes()


@pytest.mark.parametrize("name", ILLEGAL)
def test_the_runner_refuses_illegal_answers(name: str) -> None:
    state, said = answered(ILLEGAL[name])
    assert said.startswith("agent 0 (Answers) ")
    assert state.raw.tobytes() == games().raw.tobytes()
