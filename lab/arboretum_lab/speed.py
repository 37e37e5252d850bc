"""How fast the engine is on this machine, on one core, against a floor measured in the same run.

The floor is what any engine must do at least: clear a mask of 460 bytes and copy 800 bytes a
decision (the sizes are fixed, whatever our own mask and observation measure). Ratios to it travel
between machines, rates do not.

Only decisions that were made are counted: the games are recorded first, by random legal play, and
then played again under the clock for as long as all of them last.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numba as nb
import numpy as np
from numpy.typing import NDArray

from arboretum_env import env as make_env
from arboretum_env.actions import num_actions
from arboretum_env.agent import sample_rows
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.engine.state import GameState
from arboretum_env.observation import observation_length, observe
from arboretum_env.seeding import Purpose, root_from_seed

FLOOR_MASK_BYTES: Final = 460
FLOOR_COPY_BYTES: Final = 800


@dataclass(frozen=True)
class Speed:
    """Rates in decisions per second of one core; the best of several rounds.

    Attributes:
        players: P.
        batch: B, games side by side.
        step_mask_per_s: apply an action (checked) and write the next legal mask.
        step_mask_observation_per_s: the same and the next mover's observation.
        floor_per_s: the memory traffic alone, at the same B.
        aec_env_per_s: ``env()`` of PettingZoo, one game, with ``last()`` and a random legal move.
        observation_bytes: L.
        state_bytes: of one game.
    """

    players: int
    batch: int
    step_mask_per_s: float
    step_mask_observation_per_s: float
    floor_per_s: float
    aec_env_per_s: float
    observation_bytes: int
    state_bytes: int


def measure(config: GameConfig, batch: int, seconds: float) -> Speed:
    """Measures one game and batch size.

    Args:
        config: the game.
        batch: B, at least 1.
        seconds: how long each of the four measurements goes on at least.
    """
    initial, actions = _record_games(config, batch)
    masks = np.empty((batch, num_actions(config)), np.bool_)
    observations = np.empty((batch, observation_length(config)), np.int8)
    decisions = actions.size

    def replay(observing: bool) -> None:
        state = initial.clone()
        for row in actions:
            step(state, row, masks)
            if observing:
                observe(state, state.mover, observations)

    source = np.zeros((batch, FLOOR_COPY_BYTES), np.uint8)
    target = np.zeros_like(source)
    cleared = np.zeros((batch, FLOOR_MASK_BYTES), np.uint8)

    def floor() -> None:
        for _ in actions:
            _floor(cleared, source, target)

    return Speed(
        players=config.num_players,
        batch=batch,
        step_mask_per_s=decisions / _best_time(lambda: replay(observing=False), seconds),
        step_mask_observation_per_s=decisions / _best_time(lambda: replay(observing=True), seconds),
        floor_per_s=decisions / _best_time(floor, seconds),
        aec_env_per_s=_aec_rate(config, seconds),
        observation_bytes=observation_length(config),
        state_bytes=initial.raw.shape[1],
    )


@nb.njit(cache=True, nogil=True)
def _floor(cleared, source, target):  # type: ignore[no-untyped-def]
    for b in range(cleared.shape[0]):
        cleared[b, :] = 0
        target[b, :] = source[b, :]


def _best_time(work: Callable[[], None], seconds: float) -> float:
    """Seconds of one call of ``work``: the least of as many as fit, other programs disturb."""
    work()  # compiles, and warms the caches
    best = np.inf
    begun = time.perf_counter()
    while True:
        started = time.perf_counter()
        work()
        ended = time.perf_counter()
        best = min(best, ended - started)
        if ended - begun >= seconds:
            return float(best)


def _record_games(config: GameConfig, batch: int) -> tuple[GameState, NDArray[np.int64]]:
    """Deals games and records random legal play [T, B] until the first of them ends."""
    rng = np.random.default_rng(0)
    root = root_from_seed(0, Purpose.BENCHMARK)
    initial = deal(config, root, np.arange(batch))
    state, actions = initial.clone(), []
    masks = legal_action_mask(state)
    while not state.done.any():
        actions.append(sample_rows(masks.astype(np.float32), rng.random(batch)))
        step(state, actions[-1], masks)
    return initial, np.array(actions)


def _aec_rate(config: GameConfig, seconds: float) -> float:
    """Decisions per second of whole games of ``env()``."""
    environment = make_env(config=config)
    rng = np.random.default_rng(0)
    decisions, game = 0, 0

    def play() -> int:
        nonlocal game
        environment.reset(seed=game)
        game += 1
        made = 0
        for _ in environment.agent_iter():
            observation, _, termination, truncation, _ = environment.last()
            if termination or truncation:
                environment.step(None)
                continue
            assert observation is not None  # a seat that is to move sees something
            legal = np.flatnonzero(observation["action_mask"])
            environment.step(int(legal[int(rng.random() * len(legal))]))
            made += 1
        return made

    play()
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        decisions += play()
    return decisions / (time.perf_counter() - started)
