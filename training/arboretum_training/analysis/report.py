"""Whole analyses as JSON documents: of one position, and of one game."""

from typing import Any

from arboretum_env.agent import Agent
from arboretum_env.view import PlayerView
from arboretum_training.analysis.beliefs import beliefs_json, network_beliefs, uniform_beliefs
from arboretum_training.analysis.curve import network_values, open_curve
from arboretum_training.analysis.luck import split
from arboretum_training.analysis.moves import is_to_move, move_chances
from arboretum_training.analysis.rights_table import rights_table, table_json
from arboretum_training.analysis.story import Course, Story
from arboretum_training.research.counterfactual import denied_values
from arboretum_training.research.playouts import Playouts
from arboretum_training.research.progress import Tick, silent


def position_report(
    agent: Agent, view: PlayerView, playouts: Playouts, tick: Tick = silent
) -> dict[str, Any]:
    """Everything about one position as a seat sees it.

    Args:
        agent: whose chances and beliefs are asked for.
        view: what the seat knows.
        playouts: who plays on in sampled worlds.
        tick: told about progress.
    """
    outcomes = playouts.outcomes(playouts.worlds(view))
    tick(0.1)
    chances = move_chances(agent, view) if is_to_move(view) else None
    tick(0.2)
    denied = denied_values(view, playouts, lambda share: tick(0.2 + 0.8 * share))
    return {
        "seat": view.seat,
        "mover": view.mover,
        "phase": view.phase.name.lower(),
        "turn": view.turn,
        "margin": outcomes.margin(view.seat).to_json(),
        "win_chance": outcomes.win_chance(view.seat).to_json(),
        "chances": None if chances is None else chances.to_json(),
        "rights": table_json(rights_table(view)),
        "beliefs": {
            "uniform": beliefs_json(view, uniform_beliefs(view)),
            "network": beliefs_json(view, network_beliefs(agent, view)),
        },
        "denied": [card.to_json(view) for card in denied],
    }


def seat_report(
    agent: Agent, story: Story, playouts: Playouts, tick: Tick = silent
) -> dict[str, Any]:
    """A seat's game: its value over time, its swings, and what they are made of."""
    found = split(story, playouts, tick)
    values = network_values(agent, story)
    return {
        "standpoint": story.seat,
        "split": found.to_json(),
        "network_values": None if values is None else [value.to_json() for value in values],
    }


def open_report(game: Course, playouts: Playouts, tick: Tick = silent) -> dict[str, Any]:
    """A game with open cards: every seat's expected result over time."""
    points = open_curve(game, playouts, tick)
    return {"standpoint": "open", "points": [point.to_json() for point in points]}
