"""The conformance checks take any AEC environment: a sound one of another game, and broken ones."""

import ast
import copy
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from tests.api import aec_conformance as conformance
from tests.api.aec_conformance import Contract
from tests.api.tiny_aec import CARDS, PLAYED, TinyAEC, redraw, reveals

Check = Callable[[Contract], None]


class Tiny(TinyAEC):
    """The sound environment; subclasses break one promise each."""

    caught_by: Check


class SecondEpisodeIsAnother(Tiny):
    caught_by = conformance.check_replay
    episodes = 0

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.episodes += 1
        super().reset(None if seed is None else seed + 1000 * (self.episodes > 12), options)


class UsesTheLibrarysGenerator(Tiny):
    caught_by = conformance.check_replay

    def step(self, action: Any) -> None:
        np.random.random()  # noqa: NPY002
        super().step(action)


class UnseededResetRepeats(Tiny):
    caught_by = conformance.check_streams

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self._game = 0
        super().reset(seed, options)


class ForgetsToClearRewards(Tiny):
    caught_by = conformance.check_second_reset

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        before = dict(getattr(self, "_cumulative_rewards", {}))
        super().reset(seed, options)
        self._cumulative_rewards.update(before)


class PlaysAnyCard(Tiny):
    caught_by = conformance.check_illegal_actions

    def legal(self, agent: str) -> np.ndarray:
        # The mask is as it should be, what ``step`` accepts is not.
        stepping = sys._getframe(1).f_code.co_name == "step"
        return np.ones(CARDS, np.int8) if stepping else super().legal(agent)


class TakesBooleans(Tiny):
    caught_by = conformance.check_illegal_actions

    def step(self, action: Any) -> None:
        super().step(int(action) if isinstance(action, bool) else action)


class LosesACardOnAnError(Tiny):
    caught_by = conformance.check_illegal_actions

    def step(self, action: Any) -> None:
        try:
            super().step(action)
        except ValueError:
            if self.agents:
                self.place[0] = PLAYED
            raise


class IdleSeatsShowTheirCards(Tiny):
    caught_by = conformance.check_masks

    def legal(self, agent: str) -> np.ndarray:
        return (self.place == self.possible_agents.index(agent)).astype(np.int8)


class MaskIsShort(Tiny):
    caught_by = conformance.check_masks

    def observe(self, agent: str) -> Any:
        shown = super().observe(agent)
        legal = np.flatnonzero(shown["action_mask"])
        if len(legal) == 3:
            shown["action_mask"][[0, legal[0]]] = 1, 0
        return shown


class LastRewardIsLost(Tiny):
    caught_by = conformance.check_rewards

    def step(self, action: Any) -> None:
        mover = self.agent_selection
        super().step(action)
        if self.agents and all(self.terminations.values()) and mover == "seat_2":
            self._cumulative_rewards["seat_2"] = 0.0


class EverybodyWins(Tiny):
    caught_by = conformance.check_rewards

    def finish(self) -> None:
        super().finish()
        self.rewards = dict.fromkeys(self.agents, 1.0)


class CopiesAreTheSame(Tiny):
    caught_by = conformance.check_copies

    def __deepcopy__(self, memo: Any) -> Self:
        twin = copy.copy(self)
        for name, value in vars(self).items():
            setattr(twin, name, value if name == "when" else copy.deepcopy(value, memo))
        return twin


class PicklesForgetTheirPlace(Tiny):
    caught_by = conformance.check_copies

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "agent_selection": "seat_0"}


class HandsOutItsTable(Tiny):
    caught_by = conformance.check_arrays

    def observe(self, agent: str) -> Any:
        return {**super().observe(agent), "debug": self.when}


class LeavesItsSpace(Tiny):
    caught_by = conformance.check_spaces

    def observe(self, agent: str) -> Any:
        shown = super().observe(agent)
        return {**shown, "observation": shown["observation"].astype(np.int16)}


class ShowsTheStock(Tiny):
    caught_by = conformance.check_secrecy

    def observe(self, agent: str) -> Any:
        shown = super().observe(agent)
        shown["observation"][0] = self.place[0]
        return shown


class TellsInTheInfo(Tiny):
    caught_by = conformance.check_secrecy

    def step(self, action: Any) -> None:
        super().step(action)
        for agent in self.agents:
            self.infos[agent] = {"debug": self.place.tolist()}


BROKEN = [
    kind for kind in vars().copy().values() if isinstance(kind, type) and "caught_by" in vars(kind)
]


def contract(kind: type[Tiny]) -> Contract:
    return Contract(kind.__name__, kind, ValueError, redraw, reveals, episodes=20, stride=1)


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_sound_environment_passes_and_every_check_has_a_broken_one(check: Check) -> None:
    check(contract(Tiny))
    assert any(kind.caught_by is check for kind in BROKEN)


@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_broken_environment_is_rejected(kind: type[Tiny]) -> None:
    with pytest.raises(AssertionError):
        kind.caught_by(contract(kind))


def test_rewards_need_not_sum_to_zero_where_that_is_not_promised() -> None:
    conformance.check_rewards(
        Contract("everybody wins", EverybodyWins, ValueError, zero_sum=False, stride=1)
    )


def test_the_game_by_hand() -> None:
    """Every seat plays its cards from the lowest on: its two highest count."""
    env = TinyAEC()
    env.reset(seed=4)
    hands = [np.flatnonzero(env.place == seat).tolist() for seat in range(3)]
    while not any(env.terminations.values()):
        env.step(int(np.flatnonzero(env.legal(env.agent_selection))[0]))
    totals = [sum(hand[-2:]) for hand in hands]
    winners = [total == max(totals) for total in totals]
    expected = [3 * won / sum(winners) - 1 for won in winners]
    assert [env.rewards[agent] for agent in env.agents] == expected


def test_the_checks_can_be_lifted() -> None:
    """Numpy and the standard library are all that they import."""
    tree = ast.parse(Path(conformance.__file__).read_text(encoding="utf-8"))
    imported = {
        name.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
    } | {
        str(node.module).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    assert imported - {"numpy"} <= set(sys.stdlib_module_names)


def test_different_games_are_told_apart() -> None:
    """The fingerprint sees a card change hands that nobody has played yet."""
    env = TinyAEC()
    env.reset(seed=random.Random(0).randrange(100))
    before = conformance.fingerprint(env)
    env.place[[0, 1, 2]] = env.place[[1, 2, 0]]
    assert conformance.fingerprint(env) != before
