"""The expected result over a game: seen by one seat, by a network, or with open cards."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from arboretum_agents.search.steady import Network, SteadyNetwork
from arboretum_env.agent import Agent
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews
from arboretum_training.analysis.story import Course, Story
from arboretum_training.research.figure import Figure, on_grid
from arboretum_training.research.playouts import Playouts
from arboretum_training.research.progress import Tick, silent


@dataclass(frozen=True)
class Point:
    """One position of a game.

    Attributes:
        at: decisions of all seats so far.
        mover: the seat to move.
        margins: by seat, the expected margin in points.
        win_chances: by seat.
    """

    at: int
    mover: int
    margins: tuple[Figure, ...]
    win_chances: tuple[Figure, ...]

    def to_json(self) -> dict[str, Any]:
        """For the page and the command."""
        return {
            "at": self.at,
            "mover": self.mover,
            "margins": [figure.to_json() for figure in self.margins],
            "win_chances": [figure.to_json() for figure in self.win_chances],
        }


def open_curve(game: Course, playouts: Playouts, tick: Tick = silent) -> list[Point]:
    """What somebody expects who sees every hand but not the deck's order, move by move.

    Args:
        game: a finished game, or one that nobody plays any more.
        playouts: who plays on, and in how many orders of the deck.
        tick: told about progress.
    """
    points = []
    seats = range(game.states[0].config.num_players)
    for at, state in enumerate(game.states):
        if state.phase[0] != Phase.PLACE:  # a plant is one move
            outcomes = playouts.outcomes(playouts.open_worlds(state))
            points.append(
                Point(
                    at,
                    int(state.mover[0]),
                    tuple(outcomes.margin(seat) for seat in seats),
                    tuple(outcomes.win_chance(seat) for seat in seats),
                )
            )
        tick((at + 1) / len(game.states))
    return points


def network_values(agent: Agent, story: Story) -> list[Figure] | None:
    """The return that a network expects at each of a seat's decisions; None for other agents.

    The return is that of the reward which the network learned, see ``arboretum_env.rewards``.
    """
    if not isinstance(agent, Network) or not story.steps:
        return None
    config = story.last.config
    views = PlayerViews(config, np.array([s.view.to_observation() for s in story.steps]))
    _, values = SteadyNetwork(agent).policy(views)
    return [Figure(on_grid(float(value)), "network") for value in values]
