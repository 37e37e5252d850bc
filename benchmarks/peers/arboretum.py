"""Our own side: the batched engine through its Python interface.

A batch of games is stepped by random legal actions; every decision writes the next mask and the
next mover's observation. Finished games are scored and dealt anew in their rows, so that all rows
play all the time. What plays is not part of the engine, but counts in its time: a kernel picks a
random legal action from each mask.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from arboretum_env.actions import num_actions
from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.engine.scoring import score
from arboretum_env.observation import observation_length, observe
from arboretum_env.seeding import Purpose, root_from_seed
from benchmarks.peers.contest import Contestant, Play

BATCH: Final = 1024
GAMES: Final = 1_000_000  # numbers set aside for each unit


@kernel
def choose(masks, uniform, actions):  # type: ignore[no-untyped-def]
    """Picks a random legal action of every row of ``masks`` [B, A] uint8 into ``actions`` [B]."""
    for b in range(masks.shape[0]):
        mask = masks[b]
        legal = 0
        for a in range(mask.shape[0]):
            legal += mask[a]
        left = np.int64(uniform[b] * legal)
        for a in range(mask.shape[0]):
            if mask[a]:
                if left == 0:
                    actions[b] = a
                    break
                left -= 1


def make(batch: int = BATCH) -> Play:
    """B two-player games side by side; a unit is the time of the longest of them."""
    config = GameConfig()
    root = root_from_seed(0, Purpose.BENCHMARK)
    masks = np.empty((batch, num_actions(config)), np.bool_)
    observations = np.empty((batch, observation_length(config)), np.int8)
    actions = np.zeros(batch, np.int64)

    def play(unit: int) -> Iterator[int]:
        generator = np.random.default_rng(unit)
        next_game = unit * GAMES
        state = deal(config, root, np.arange(next_game, next_game + batch))
        legal_action_mask(state, masks)
        for _ in range(5 * config.max_turns):
            next_game += batch
            choose(masks.view(np.uint8), generator.random(batch), actions)
            step(state, actions, masks)
            over = np.flatnonzero(state.done)
            if len(over):
                score(state.select(over))
                fresh = deal(config, root, np.arange(next_game, next_game + len(over)))
                state.raw[over] = fresh.raw
                masks[over] = legal_action_mask(fresh)
            observe(state, state.mover, observations)
            yield batch

    return play


CONTESTANTS: Final = (
    Contestant("arboretum-batch", f"Arboretum, {BATCH:,} games in a batch", make),
)
