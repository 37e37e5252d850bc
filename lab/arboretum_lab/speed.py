"""How fast the engine is on this machine, on one core, against a floor measured in the same run.

The floor is what any engine must do at least: clear a mask of 460 bytes and copy 800 bytes a
decision (the sizes are fixed, whatever our own mask and observation measure). Ratios to it travel
between machines, rates do not.

Only decisions that were made are counted: the games are recorded first, by random legal play, and
then played again under the clock for as long as all of them last.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env import env as make_env
from arboretum_env.actions import num_actions
from arboretum_env.agent import sample_rows
from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.engine.state import GameState
from arboretum_env.observation import observation_length, observe
from arboretum_env.seeding import Purpose, root_from_seed

FLOOR_MASK_BYTES: Final = 460
FLOOR_COPY_BYTES: Final = 800
MIN_ROUNDS: Final = 3  # of a replay, however short the time: a single one is hardly undisturbed


@dataclass(frozen=True)
class Speed:
    """Rates in decisions per second of one core, as of an undisturbed machine.

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

    def replay(*, observing: bool) -> Iterator[None]:
        state = initial.clone()
        for row in actions:
            step(state, row, masks)
            if observing:
                observe(state, state.mover, observations)
            yield

    source = np.zeros(batch * FLOOR_COPY_BYTES, np.uint8)
    target = np.zeros_like(source)
    cleared = np.zeros(batch * FLOOR_MASK_BYTES, np.uint8)

    def floor() -> Iterator[None]:
        for _ in actions:
            _floor(cleared, source, target)
            yield

    def rate(rounds: Callable[[], Iterator[None]]) -> float:
        return actions.size / _least_time(rounds, len(actions), seconds)

    return Speed(
        players=config.num_players,
        batch=batch,
        step_mask_per_s=rate(lambda: replay(observing=False)),
        step_mask_observation_per_s=rate(lambda: replay(observing=True)),
        floor_per_s=rate(floor),
        aec_env_per_s=_aec_rate(config, seconds),
        observation_bytes=observation_length(config),
        state_bytes=initial.raw.shape[1],
    )


@kernel
def _floor(cleared, source, target):  # type: ignore[no-untyped-def]
    # Flat loops, which compile to the plain memset and memcpy; assigning slices is far slower.
    for i in range(cleared.size):
        cleared[i] = 0
    for i in range(source.size):
        target[i] = source[i]


def _least_time(rounds: Callable[[], Iterator[None]], steps: int, seconds: float) -> float:
    """Seconds of one round: the sum over its steps of the least time that each took.

    Other programs can only make a step slower, and a short step is often left alone by them.
    """
    least = np.full(steps, np.inf)
    for _ in rounds():  # compiles, and warms the caches
        pass
    done, begun = 0, time.perf_counter()
    while done < MIN_ROUNDS or time.perf_counter() - begun < seconds:
        done += 1
        started = time.perf_counter()
        for index, _ in enumerate(rounds()):
            ended = time.perf_counter()
            least[index] = min(least[index], ended - started)
            started = time.perf_counter()
    return float(least.sum())


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
    """Decisions per second of ``env()``, of the game that went fastest."""
    environment = make_env(config=config)
    rng = np.random.default_rng(0)

    def play(seed: int) -> float:
        environment.reset(seed=seed)
        made, started = 0, time.perf_counter()
        for _ in environment.agent_iter():
            observation, _, termination, truncation, _ = environment.last()
            if termination or truncation:
                environment.step(None)
                continue
            assert observation is not None  # a seat that is to move sees something
            legal = np.flatnonzero(observation["action_mask"])
            environment.step(int(legal[int(rng.random() * len(legal))]))
            made += 1
        return made / (time.perf_counter() - started)

    best, game, begun = play(0), 0, time.perf_counter()
    while game < MIN_ROUNDS or time.perf_counter() - begun < seconds:
        game += 1
        best = max(best, play(game))
    return best
