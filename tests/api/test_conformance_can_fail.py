"""The conformance checks reject broken environments: every check can fail.

Each class below breaks one promise, most of them in a way that was once reported against a public
environment, and names the check that has to notice.
"""

import copy
import random
from collections.abc import Callable
from typing import Any, Self

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.errors import ActionError
from arboretum_env.pettingzoo_env import ArboretumAEC
from tests.api import aec_conformance as conformance
from tests.api.aec_conformance import Contract
from tests.api.test_aec_conformance import redraw, reveals

CONFIG = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)
Check = Callable[[Contract], None]


class Toy(ArboretumAEC):
    """The real environment, small; subclasses break it."""

    caught_by: Check

    def __init__(self) -> None:
        super().__init__(CONFIG, render_mode="ansi")

    @property
    def mover_mask(self) -> np.ndarray:
        return np.asarray(self.infos[self.agent_selection]["action_mask"])

    def show_mask(self, actions: Any, value: int) -> None:
        """Puts a mask with some entries changed in the place of the mover's."""
        mask = self.mover_mask.copy()
        mask[actions] = value
        self.infos[self.agent_selection] = {"action_mask": mask}


class SecondResetDiffers(Toy):
    caught_by = conformance.check_replay
    resets = 0

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.resets += 1
        super().reset(seed=None if seed is None else seed + self.resets // 40, options=options)


class IgnoresTheSeed(Toy):
    caught_by = conformance.check_replay

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed=None, options=options)


class DealsOneGameForEver(Toy):
    caught_by = conformance.check_replay

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed=0, options=options)


class UsesGlobalRandomness(Toy):
    caught_by = conformance.check_replay

    def step(self, action: Any) -> None:
        random.random()
        super().step(action)


class DiesInItsSecondEpisode(Toy):
    caught_by = conformance.check_replay
    finished = False

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed=seed, options=options)
        if self.finished:
            self.terminations = dict.fromkeys(self.agents, True)

    def step(self, action: Any) -> None:
        super().step(action)
        self.finished |= not self.agents


class RepeatsAnUnseededReset(Toy):
    caught_by = conformance.check_streams

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self._next_game = 0
        super().reset(seed=seed, options=options)


class UnseededResetIsNew(Toy):
    caught_by = conformance.check_streams

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self._root = None
        super().reset(seed=seed, options=options)


class EveryObjectIsTheSame(Toy):
    caught_by = conformance.check_streams

    def __init__(self) -> None:
        super().__init__()
        self._root = 1


class KeepsRewardsOverAReset(Toy):
    caught_by = conformance.check_second_reset

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        before = getattr(self, "_cumulative_rewards", {})
        super().reset(seed=seed, options=options)
        self._cumulative_rewards.update(before)


class TakesIllegalActions(Toy):
    caught_by = conformance.check_illegal_actions

    def step(self, action: Any) -> None:
        if not isinstance(action, int) or not 0 <= action < 20 or not self.mover_mask[action]:
            action = None if conformance.is_out(self) else int(self.mover_mask.argmax())
        super().step(action)


class TakesFloats(Toy):
    caught_by = conformance.check_illegal_actions

    def step(self, action: Any) -> None:
        super().step(int(action) if isinstance(action, float) and action == action else action)


class RefusesButMoves(Toy):
    caught_by = conformance.check_illegal_actions

    def step(self, action: Any) -> None:
        try:
            super().step(action)
        except ActionError:
            if self.agents and not conformance.is_out(self):
                super().step(int(self.mover_mask.argmax()))
            raise


class LosesItsMaskOnAnError(Toy):
    caught_by = conformance.check_illegal_actions

    def step(self, action: Any) -> None:
        try:
            super().step(action)
        except ActionError:
            if self.agents:
                self.show_mask(slice(None), 0)
            raise


class DeadSeatsTakeActions(Toy):
    caught_by = conformance.check_illegal_actions

    def step(self, action: Any) -> None:
        super().step(None if self.agents and conformance.is_out(self) else action)


class MaskAfterResetIsFull(Toy):
    caught_by = conformance.check_masks

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed=seed, options=options)
        self.show_mask(slice(None), 1)


class IdleSeatSeesTheMoversMask(Toy):
    caught_by = conformance.check_masks

    def observe(self, agent: str) -> Any:
        shown = super().observe(agent)
        if self.agents:
            shown["action_mask"] = self.mover_mask.copy()
        return shown


class MaskHidesAMove(Toy):
    caught_by = conformance.check_masks

    def _hide(self) -> None:
        legal = np.flatnonzero(self.mover_mask) if self.agents else []
        if len(legal) > 2:
            self.show_mask(legal[-1], 0)

    def step(self, action: Any) -> None:
        super().step(action)
        self._hide()

    def observe(self, agent: str) -> Any:
        shown = super().observe(agent)
        if agent in self.agents:
            shown["action_mask"] = self.infos[agent]["action_mask"].copy()
        return shown


class MaskShowsTooMuch(MaskHidesAMove):
    caught_by = conformance.check_masks

    def _hide(self) -> None:
        if self.agents and self.mover_mask.any():
            self.show_mask(slice(3), 1)


class LosesTheLastMoversReward(Toy):
    caught_by = conformance.check_rewards

    def step(self, action: Any) -> None:
        mover = self.agent_selection
        out = conformance.is_out(self)
        super().step(action)
        if not out:
            self._cumulative_rewards[mover] = 0.0


class RewardsArriveTwice(Toy):
    caught_by = conformance.check_rewards

    def step(self, action: Any) -> None:
        before = dict(self.rewards)
        super().step(action)
        self.rewards.update({agent: before[agent] for agent in self.agents if before[agent]})


class RewardsDoNotSumToZero(Toy):
    caught_by = conformance.check_rewards

    def _finish(self, game: Any) -> None:
        super()._finish(game)
        for book in (self.rewards, self._cumulative_rewards):
            book["player_0"] += 0.5


class NobodyIsEverRewarded(Toy):
    caught_by = conformance.check_rewards

    def _finish(self, game: Any) -> None:
        super()._finish(game)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)


class OnlyTheMoverTerminates(Toy):
    caught_by = conformance.check_rewards

    def step(self, action: Any) -> None:
        mover = self.agent_selection
        super().step(action)
        if self.agents and all(self.terminations.values()) and len(self.agents) == 2:
            self.terminations = {agent: agent == mover for agent in self.agents}
            self.agent_selection = mover


class CopyStartsAgain(Toy):
    caught_by = conformance.check_copies

    def __deepcopy__(self, memo: Any) -> Self:
        twin = type(self)()
        twin.reset(seed=8)
        return twin


class CopySharesTheGame(Toy):
    caught_by = conformance.check_copies

    def __deepcopy__(self, memo: Any) -> Self:
        twin = copy.copy(self)
        for name, value in vars(self).items():
            setattr(twin, name, value if name == "_game" else copy.deepcopy(value, memo))
        return twin


class PickleLosesTheRewards(Toy):
    caught_by = conformance.check_copies

    def __getstate__(self) -> dict[str, Any]:
        nothing = dict.fromkeys(self.agents, 0.0)
        return {**vars(self), "rewards": nothing, "_cumulative_rewards": dict(nothing)}


class CopyForgetsTheStream(Toy):
    caught_by = conformance.check_copies

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_next_game": 17}


class ReusesItsBuffer(Toy):
    caught_by = conformance.check_arrays

    def observe(self, agent: str) -> Any:
        shown = super().observe(agent)
        self.__dict__.setdefault("buffer", np.empty_like(shown["observation"]))
        self.buffer[:] = shown["observation"]
        return {**shown, "observation": self.buffer}


class InfosAreLive(Toy):
    caught_by = conformance.check_arrays

    def step(self, action: Any) -> None:
        super().step(action)
        for agent in self.agents:
            self.infos[agent] = {"action_mask": self.infos[agent]["action_mask"].copy()}


class HandsOutItsOwnMemory(Toy):
    caught_by = conformance.check_arrays

    def state(self) -> Any:
        assert self._game is not None
        return self._game.raw[0].view(np.int8)


class ObservationLeavesItsSpace(Toy):
    caught_by = conformance.check_spaces

    def observe(self, agent: str) -> Any:
        shown = super().observe(agent)
        shown["observation"][-1] = 2
        return shown


class MakesNewSpaces(Toy):
    caught_by = conformance.check_spaces

    def action_space(self, agent: str) -> Any:
        return copy.deepcopy(self.action_spaces[agent])


class ShowsTheNextCard(Toy):
    caught_by = conformance.check_secrecy

    def observe(self, agent: str) -> Any:
        shown = super().observe(agent)
        assert self._game is not None
        if deck := self._game.deck(0):
            shown["observation"][-4] = deck[0]
        return shown


class IdleSeatSeesTheMoversView(Toy):
    caught_by = conformance.check_secrecy

    def observe(self, agent: str) -> Any:
        return super().observe(self.agent_selection)


class DrawsEveryHand(Toy):
    caught_by = conformance.check_secrecy

    def render(self) -> Any:
        assert self._game is not None
        return str(self._game.hand(0, 0))


class TellsInTheInfo(Toy):
    caught_by = conformance.check_secrecy

    def step(self, action: Any) -> None:
        super().step(action)
        assert self._game is not None
        for agent in self.agents:
            self.infos[agent]["debug"] = self._game.hand(0, 1)


BROKEN = [
    toy for toy in vars().copy().values() if isinstance(toy, type) and hasattr(toy, "caught_by")
]


def contract(toy: type[Toy]) -> Contract:
    return Contract(toy.__name__, toy, ActionError, redraw, reveals, episodes=30)


@pytest.mark.parametrize("toy", BROKEN, ids=lambda toy: toy.__name__)
def test_broken_environment_is_rejected(toy: type[Toy]) -> None:
    with pytest.raises((AssertionError, KeyError, ValueError)):
        toy.caught_by(contract(toy))


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_sound_toy_passes_and_every_check_has_a_broken_one(check: Check) -> None:
    check(contract(Toy))
    assert any(toy.caught_by is check for toy in BROKEN)


def test_secrecy_check_needs_a_hook_that_redraws() -> None:
    idle = Contract("idle", Toy, ActionError, lambda env, agent, key: copy.deepcopy(env), reveals)
    with pytest.raises(AssertionError, match="redraws nothing"):
        conformance.check_secrecy(idle)
