"""OpenSpiel's card games, in C++, driven from Python one state at a time.

There is no batched interface. A decision takes the legal actions, the mask over all actions, the
mover's tensor and the step; chance events are sampled in between, and their time counts, as our
deals and draws do. The tensor is written into a numpy array by the game's observer
(``open_spiel.python.observation``): the same numbers as ``State.observation_tensor()`` in a tenth
of its time. Where a game has no observation, its information state is taken.
"""

import random
from collections.abc import Iterator
from functools import partial
from typing import Final

from benchmarks.peers.contest import Contestant, Play

STEP: Final = 10  # decisions


def make(name: str) -> Play:
    """A game of OpenSpiel with its own default options; a unit is one play of it."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name)
    kind = pyspiel.IIGObservationType(
        public_info=True,
        perfect_recall=not game.get_type().provides_observation_tensor,
        private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
    )
    observer = make_observation(game, kind)

    def play(unit: int) -> Iterator[int]:
        rng = random.Random(unit).random
        state, made = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(_sampled(state.chance_outcomes(), rng()))
                continue
            state.legal_actions_mask()
            observer.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(rng() * len(legal))])
            made += 1
            if made == STEP:
                yield made
                made = 0
        state.returns()
        yield made

    return play


def _sampled(outcomes: list[tuple[int, float]], uniform: float) -> int:
    # Deals and draws are uniform in these games; a general sampler would cost more.
    return outcomes[int(uniform * len(outcomes))][0]


CONTESTANTS: Final = tuple(
    Contestant(f"openspiel-{name.replace('_', '-')}", f"OpenSpiel {name}", partial(make, name))
    for name in ("gin_rummy", "crazy_eights", "hearts", "euchre")
)
