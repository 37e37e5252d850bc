"""How likely an agent is to make each move, on the cards and cells themselves."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from arboretum_agents.advice import Advice, advise
from arboretum_agents.search.agent import SearchAgent
from arboretum_agents.search.steady import Network
from arboretum_env.agent import Agent, PolicyAgent, is_deterministic
from arboretum_env.notation import legal_moves
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_training.research.figure import Figure, Source, exact, on_grid, share_figure

ASKED: Final = 64  # times that an agent without probabilities is asked
_LEAST: Final = 0.0005  # moves less likely than that are left out of lists


@dataclass(frozen=True)
class MoveChances:
    """What an agent would do at a position.

    Attributes:
        view: the position, of the seat to move.
        best: the agent's move, in notation.
        explanation: it in words.
        chances: by move, of every move that is likelier than 1 in 2000.
        value: the return that a network expects, on the scale that it learned, or what a search's
            move is worth, -1..1; None of other agents, whose guess at it is neither.
    """

    view: PlayerView
    best: str
    explanation: str
    chances: dict[str, Figure]
    value: Figure | None

    def on_cards(self) -> dict[str, Figure]:
        """By card text: the chance that it is drawn from a pile, planted, or discarded."""
        return self._summed(_card_of)

    def on_cells(self) -> dict[str, Figure]:
        """By cell, ``"x,y"``: the chance that something is planted there; {} in other phases."""
        return self._summed(lambda move: move.partition("@")[2])

    def to_json(self) -> dict[str, Any]:
        """Moves by falling chance; ``cards`` and ``cells`` are sums of them."""
        ranked = sorted(self.chances.items(), key=lambda item: (-item[1].value, item[0]))
        return {
            "phase": self.view.phase.name.lower(),
            "best": self.best,
            "explanation": self.explanation,
            "moves": [{"move": move, "chance": chance.to_json()} for move, chance in ranked],
            "cards": {card: chance.to_json() for card, chance in self.on_cards().items()},
            "cells": {cell: chance.to_json() for cell, chance in self.on_cells().items()},
            "value": None if self.value is None else self.value.to_json(),
        }

    def _summed(self, key: Callable[[str], str]) -> dict[str, Figure]:
        sums: dict[str, float] = {}
        some = next(iter(self.chances.values()), None)
        for move, chance in self.chances.items():
            if name := key(move):
                sums[name] = sums.get(name, 0.0) + chance.value
        if some is None:
            return {}
        if some.interval is not None:  # asked again and again: a share of its own
            return {
                name: share_figure(_indicator(total, some.n or 1)) for name, total in sums.items()
            }
        return {name: Figure(total, some.source, some.n) for name, total in sums.items()}


def move_chances(agent: Agent, view: PlayerView, *, seed: int = 0) -> MoveChances:
    """Asks an agent what it would do.

    Args:
        agent: it is reset here. One without probabilities that draws its moves is asked
            ``ASKED`` times.
        view: what the seat to move knows.
        seed: of the agent's randomness.

    Raises:
        IllegalActionError: nothing is to be decided, or the agent's choice is illegal.
        ForfeitError: an outside program failed.
    """
    agent.reset(np.arange(ASKED, dtype=np.uint64), seed)
    advice = advise(agent, view)
    if advice.probabilities is not None:
        source, n = _source(agent, view)
        # Shares of simulations are no sample of anything: they have an n and no interval.
        chances = {
            move: Figure(on_grid(chance), source, n)
            for move, chance in advice.probabilities.items()
            if chance >= _LEAST
        }
        value = None
        if advice.value is not None and isinstance(agent, SearchAgent | Network):
            value = Figure(on_grid(advice.value), source, n)
        return MoveChances(view, advice.move, advice.explanation, chances, value)
    if is_deterministic(agent):
        chances = {advice.move: exact(1.0)}
    else:
        chances = _asked(agent, view, advice)
    return MoveChances(view, advice.move, advice.explanation, chances, None)


def _source(agent: PolicyAgent | Agent, view: PlayerView) -> tuple[Source, int | None]:
    if isinstance(agent, SearchAgent):
        one = PlayerViews(view.config, view.to_observation()[None, :])
        solved = agent.decide(one)[0].deals is not None
        return ("exact", None) if solved else ("monte_carlo", agent.budget.simulations)
    return ("network", None) if isinstance(agent, Network) else ("exact", None)


def _asked(agent: Agent, view: PlayerView, first: Advice) -> dict[str, Figure]:
    """Shares of ``ASKED`` answers, each of a game of its own."""
    assert first.move in legal_moves(view)
    answers = Counter(
        advise(agent, view, game, probabilities=False, explained=False).move
        for game in range(ASKED)
    )
    return {move: share_figure(_indicator(count / ASKED, ASKED)) for move, count in answers.items()}


def _indicator(share: float, n: int) -> Any:
    ones = round(share * n)
    return np.repeat([1.0, 0.0], [ones, n - ones])


def _card_of(move: str) -> str:
    if move.startswith("p") and "(" in move:
        return move[3:5]
    if move.startswith("x"):
        return move[1:3]
    return move[:2] if "@" in move else ""


def is_to_move(view: PlayerView) -> bool:
    """Whether the view's seat has something to decide."""
    return view.mover == view.seat and view.phase is not Phase.GAME_OVER
