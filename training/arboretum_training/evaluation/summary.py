"""The figures of a report, from the games. ``G`` denotes games, ``P`` players, ``D`` deals.

* ``win_rate``: wins per seat that the agent occupied; a win shared by k seats counts 1/k to each.
  With equals at the table it is 1/P, whoever holds how many seats.
* ``mean_score`` and ``denied_points``: mean of one seat in one game.
* ``ties``: share of the agent's games that more than one seat won; not by a rival's forfeit.
* ``margin``: the first agent's score minus the mean of the other seats', mean over its games.

How sure the figures are: see ``statistics`` for intervals and ``comparisons`` for p-values.
"""

from dataclasses import dataclass

import numpy as np

from arboretum_training.evaluation.comparisons import Comparison, compare
from arboretum_training.evaluation.deal_values import margins, win_shares_of
from arboretum_training.evaluation.evaluate import EvaluationResult, Games
from arboretum_training.evaluation.statistics import (
    Interval,
    bootstrap_interval,
    win_rate_interval,
)


@dataclass(frozen=True)
class AgentSummary:
    """How one agent did.

    Attributes:
        win_rate: wins per seat occupied.
        win_rate_ci95: its 95 % interval.
        mean_score: points of one of its seats in one game.
        seat_win_rates: [P] the win rate of its games in each absolute seat.
        ties: share of its games that more than one seat won.
        denied_points: path points that a seat of it lost for want of the right, per game.
        forfeits: games that a seat of it forfeited; they count as lost.
    """

    win_rate: float
    win_rate_ci95: Interval
    mean_score: float
    seat_win_rates: tuple[float, ...]
    ties: float
    denied_points: float
    forfeits: int


@dataclass(frozen=True)
class Summary:
    """How an evaluation went.

    Attributes:
        players: P.
        deals: number of deals.
        games: number of games.
        seed: of the deals.
        mode: ``sample`` or ``greedy``.
        agents: by name, in the order they were given in.
        margin: of the first agent.
        margin_ci95: its 95 % interval; ``None`` for a single deal.
        comparisons: every pair of agents, with p-values.
    """

    players: int
    deals: int
    games: int
    seed: int
    mode: str
    agents: dict[str, AgentSummary]
    margin: float
    margin_ci95: Interval | None
    comparisons: tuple[Comparison, ...]


def summarise(result: EvaluationResult) -> Summary:
    """Boils an evaluation down to its figures."""
    games = result.games
    values = margins(games, result.deals)
    return Summary(
        players=result.config.num_players,
        deals=result.deals,
        games=len(games),
        seed=result.seed,
        mode=result.mode,
        agents={
            name: _summarise_agent(games, index, result.deals)
            for index, name in enumerate(result.names)
        },
        margin=float(values.mean()),
        margin_ci95=bootstrap_interval(values, result.seed),
        comparisons=compare(result),
    )


def _summarise_agent(games: Games, index: int, deals: int) -> AgentSummary:
    seated = games.seating == index  # [G, P]
    played = seated.any(axis=1)
    wins = np.where(seated, games.win_shares, 0.0)
    seats_held = int(seated.sum())
    deal_shares = win_shares_of(games, index, deals)
    games_per_deal = int(played.sum()) // deals
    shared = ((games.win_shares > 0.0).sum(axis=1) > 1) & (games.forfeits < 0)
    forfeited = np.flatnonzero(games.forfeits >= 0)
    return AgentSummary(
        win_rate=float(wins.sum()) / seats_held,
        win_rate_ci95=win_rate_interval(deal_shares, games_per_deal, seats_held / played.sum()),
        mean_score=float(games.points[seated].mean()),
        # Every agent sits in every seat of the schedule, so no seat divides by 0.
        seat_win_rates=tuple(float(rate) for rate in wins.sum(axis=0) / seated.sum(axis=0)),
        ties=float(shared[played].mean()),
        denied_points=float(games.denied_points[seated].mean()),
        forfeits=int(seated[forfeited, games.forfeits[forfeited]].sum()),
    )
