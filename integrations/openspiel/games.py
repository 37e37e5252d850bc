"""Games for these tests, and ways through them."""

import random
from collections.abc import Callable, Iterator

import pyspiel

import arboretum_env.openspiel  # noqa: F401  registers the game

TINY = "python_arboretum(species=2,ranks=3,hand_size=2)"
"""The smallest tree of a two-player game: one turn, 17,437 nodes."""

BLOCKING = "python_arboretum(species=2,ranks=3,hand_size=1)"
"""The smallest game in which somebody can score: at most three turns, 4,543,147 nodes."""

THREE = "python_arboretum(players=3,species=2,ranks=3,hand_size=1)"
"""Two turns, 139,957 nodes."""

GAMES = (
    "python_arboretum",
    "python_arboretum(starting_discards=True,reward=margin)",
    "python_arboretum(players=3)",
    "python_arboretum(players=4,starting_discards=True,reward=mixed)",
    "python_arboretum(cancel_eights=False,rights=all,species=4)",
    "python_arboretum(players=3,species=3,ranks=4,hand_size=2,starting_discards=True)",
    TINY,
    BLOCKING,
)

Choose = Callable[[pyspiel.State], int]


def at_random(generator: random.Random) -> Choose:
    """Chooses any action, chance's too, with equal probability (as chance does)."""
    return lambda state: generator.choice(state.legal_actions())


def playout(game: pyspiel.Game, choose: Choose) -> Iterator[pyspiel.State]:
    """Every state of one game, the last one over; each is a clone of its own."""
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state.clone()
        state.apply_action(choose(state))
    yield state
