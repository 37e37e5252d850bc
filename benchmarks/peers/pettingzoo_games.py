"""Single games behind PettingZoo's AEC interface, theirs and ours, all in one and the same loop.

The loop is that of PettingZoo's documentation: ``agent_iter``, ``last``, a random legal action of
the mask, ``step``. PettingZoo 1.27 no longer ships gin rummy; leduc is what is left of RLCard's
games in the table of its peers.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, Final

import numpy as np

from benchmarks.peers.contest import Contestant, Play

STEP: Final = 5  # decisions


def playing(environment: Any) -> Play:
    """Plays one game a unit; the unit's number is the seed."""

    def play(unit: int) -> Iterator[int]:
        rng = random.Random(unit).random
        environment.reset(seed=unit)
        made = 0
        for _ in environment.agent_iter():
            observation, _, termination, truncation, _ = environment.last()
            if termination or truncation:
                environment.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            environment.step(int(legal[int(rng() * len(legal))]))
            made += 1
            if made == STEP:
                yield made
                made = 0
        yield made

    return play


def make(module: str, function: str) -> Play:
    """An environment by the names of its module and of the function that makes it."""
    factory: Callable[[], Any] = getattr(import_module(module), function)
    return playing(factory())


CONTESTANTS: Final = tuple(
    Contestant(key, title, partial(make, module, function))
    for key, title, module, function in (
        ("arboretum-env", "Arboretum env()", "arboretum_env", "env"),
        ("arboretum-raw-env", "Arboretum raw_env()", "arboretum_env", "raw_env"),
        ("hanabi-env", "PettingZoo hanabi_v5 env()", "pettingzoo.classic.hanabi_v5", "env"),
        (
            "connect-four-env",
            "PettingZoo connect_four_v3 env()",
            "pettingzoo.classic.connect_four_v3",
            "env",
        ),
        (
            "connect-four-raw-env",
            "PettingZoo connect_four_v3 raw_env()",
            "pettingzoo.classic.connect_four_v3",
            "raw_env",
        ),
        (
            "leduc-env",
            "PettingZoo leduc_holdem_v4 env()",
            "pettingzoo.classic.leduc_holdem_v4",
            "env",
        ),
    )
)
