"""RLCard's gin rummy, in Python. Its step returns the observation and the legal actions."""

import random
from collections.abc import Iterator
from typing import Final

from benchmarks.peers.contest import Contestant, Play

STEP: Final = 2  # decisions


def make() -> Play:
    """Gin rummy with its default options; a unit is one game."""
    import rlcard

    environment = rlcard.make("gin-rummy", config={"seed": 0})

    def play(unit: int) -> Iterator[int]:
        rng = random.Random(unit).random
        environment.seed(unit)
        state, _ = environment.reset()
        made = 0
        while not environment.is_over():
            legal = list(state["legal_actions"])
            state, _ = environment.step(legal[int(rng() * len(legal))])
            made += 1
            if made == STEP:
                yield made
                made = 0
        environment.get_payoffs()
        yield made

    return play


CONTESTANTS: Final = (Contestant("rlcard-gin-rummy", "RLCard gin-rummy", make),)
