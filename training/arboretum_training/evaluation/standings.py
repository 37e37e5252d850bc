"""The figures of a tournament, from its games.

``G`` denotes games, ``P`` players, ``D`` deals, ``N`` agents.

* ``ahead`` of one agent over another: of the pairs of their seats at one table, how often the first
  had the better place, half for equal places (see ``rating``). Fair is 1/2 for any number of
  players; with two it is the win rate.
* ``win_rate``: wins per seat held, a win shared by k seats counting 1/k to each; fair is 1/P. Of a
  pair in a round robin: where the first sits alone against the second. Of a pair at mixed tables:
  where both sit.
* ``margin``: points of the first agent's seat minus those of the second's.
* ``denied_points``: path points that a seat lost for want of the right, a game.
  ``denied_to_others``: the same of the other agents' seats at its tables, what its hand-blocking
  and that of its neighbours costs them.
* p-values: permutation test over deals of ``ahead`` being 1/2, adjusted by Holm's method over all
  pairs.

Rates come with the deal-wise intervals of ``statistics``, margins with its paired bootstrap.
"""

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from arboretum_training.evaluation.evaluate import Games
from arboretum_training.evaluation.holm import holm
from arboretum_training.evaluation.permutation import permutation_p_value
from arboretum_training.evaluation.rating import (
    RESAMPLES,
    Rating,
    deal_comparisons,
    outcomes,
    place_keys,
    rate,
)
from arboretum_training.evaluation.statistics import (
    Interval,
    bootstrap_interval,
    win_rate_interval,
)
from arboretum_training.evaluation.tournament import Tournament, TournamentSettings


@dataclass(frozen=True)
class Standing:
    """How one agent did over all its games.

    Attributes:
        name: the agent's.
        rating: see ``rating``.
        games: games that it sat in.
        win_rate: wins per seat held.
        win_rate_ci95: its 95 % interval.
        seat_win_rates: [P] the win rate in each absolute seat; ``None`` where it never sat.
        mean_score: points of one of its seats in one game.
        denied_points: path points that a seat of it lost for want of the right, a game.
        denied_to_others: the same of a seat of another agent at its tables.
        ties: share of its games that more than one seat won; not by a rival's forfeit.
        forfeits: games that a seat of it forfeited; they count as lost.
    """

    name: str
    rating: Rating
    games: int
    win_rate: float
    win_rate_ci95: Interval
    seat_win_rates: tuple[float | None, ...]
    mean_score: float
    denied_points: float
    denied_to_others: float
    ties: float
    forfeits: int


@dataclass(frozen=True)
class Pairing:
    """How one agent did against another one; see the module for the figures.

    Attributes:
        games: games with both.
        ahead: of the first.
        ahead_ci95: its 95 % interval.
        win_rate: of the first; ``None`` before it sat alone against the second.
        win_rate_ci95: its 95 % interval.
        margin: of the first.
        margin_ci95: its 95 % interval; ``None`` below two deals.
        p_value: that of ``ahead`` being 1/2.
        p_holm: the same, adjusted for the number of pairs.
    """

    games: int
    ahead: float
    ahead_ci95: Interval
    win_rate: float | None
    win_rate_ci95: Interval | None
    margin: float
    margin_ci95: Interval | None
    p_value: float
    p_holm: float


@dataclass(frozen=True)
class Standings:
    """How a tournament stands.

    Attributes:
        settings: what was played.
        complete: whether all of it was played.
        games: number of games.
        agents: the best rating first.
        pairings: by the names of the first and the second; pairs that met.
        tables: win rates and points per seat of every table's agents, by name, in the order of
            ``settings.tables``; tables that were played.
    """

    settings: TournamentSettings
    complete: bool
    games: int
    agents: tuple[Standing, ...]
    pairings: dict[tuple[str, str], Pairing]
    tables: tuple[dict[str, dict[str, float]], ...]


def quick_ratings(tournament: Tournament, anchor: int | None, resamples: int) -> list[Rating]:
    """Ratings so far, by the agents' indices; to be shown while a tournament runs."""
    games, _ = tournament.games()
    comparisons = deal_comparisons(games, len(tournament.settings.agents))
    return rate(comparisons, tournament.settings.seed, anchor=anchor, resamples=resamples)


def standings(tournament: Tournament, anchor: str | None = None) -> Standings:
    """Boils a tournament down to its figures.

    Args:
        tournament: at least one of its units is done.
        anchor: name of the agent whose rating is 1000; ``None``: the mean is.
    """
    settings = tournament.settings
    games, tables = tournament.games()
    index = None if anchor is None else settings.names.index(anchor)
    ratings = quick_ratings(tournament, index, RESAMPLES)
    agents = [
        _standing(games, number, name, ratings[number])
        for number, name in enumerate(settings.names)
        if (games.seating == number).any()
    ]
    return Standings(
        settings=settings,
        complete=tournament.complete,
        games=len(games),
        agents=tuple(sorted(agents, key=lambda agent: -agent.rating.rating)),
        pairings=_pairings(games, tables, settings),
        tables=tuple(
            _table(_select(games, tables == number), settings.names)
            for number in range(len(settings.tables))
            if (tables == number).any()
        ),
    )


def _standing(games: Games, agent: int, name: str, rating: Rating) -> Standing:
    games = _select(games, (games.seating == agent).any(axis=1))
    seated = games.seating == agent
    wins = np.where(seated, games.win_shares, 0.0)
    held = seated.sum(axis=0)
    shared = ((games.win_shares > 0.0).sum(axis=1) > 1) & (games.forfeits < 0)
    forfeited = np.flatnonzero(games.forfeits >= 0)
    return Standing(
        name=name,
        rating=rating,
        games=len(games),
        win_rate=float(wins.sum() / held.sum()),
        win_rate_ci95=_win_rate_interval(games, agent),
        seat_win_rates=tuple(
            float(won / times) if times else None
            for won, times in zip(wins.sum(axis=0), held, strict=True)
        ),
        mean_score=float(games.points[seated].mean()),
        denied_points=float(games.denied_points[seated].mean()),
        denied_to_others=float(games.denied_points[~seated].mean()),
        ties=float(shared.mean()),
        forfeits=int(seated[forfeited, games.forfeits[forfeited]].sum()),
    )


def _pairings(
    games: Games, tables: NDArray[np.int64], settings: TournamentSettings
) -> dict[tuple[str, str], Pairing]:
    """Every pair that met, both ways."""
    met = [
        (one, other)
        for one, other in combinations(range(len(settings.agents)), 2)
        if _with_both(games, one, other).any()
    ]
    deal_values = {pair: _ahead_by_deal(games, *pair) for pair in met}
    p_values = [permutation_p_value(deal_values[pair] - 0.5, settings.seed) for pair in met]
    adjusted = holm(p_values)
    chances = {pair: (p_values[at], float(adjusted[at])) for at, pair in enumerate(met)}
    names = settings.names
    return {
        (names[one], names[other]): _pairing(
            games, tables, settings, one, other, chances[min(one, other), max(one, other)]
        )
        for one, other in permutations(range(len(names)), 2)
        if (min(one, other), max(one, other)) in chances
    }


def _pairing(
    games: Games,
    tables: NDArray[np.int64],
    settings: TournamentSettings,
    one: int,
    other: int,
    chances: tuple[float, float],
) -> Pairing:
    both = _with_both(games, one, other)
    alone = both
    if settings.form == "round-robin" and settings.config.num_players > 2:
        leads = np.array([table[0] == one for table in settings.tables])
        alone = both & leads[tables]
    alone_games = _select(games, alone)
    shares = _ahead_by_deal(games, one, other)
    games = _select(games, both)
    comparisons = (games.seating == one).sum(axis=1) * (games.seating == other).sum(axis=1)
    per_deal = round(len(games) / len(shares))
    ahead = float(np.average(shares, weights=_per_deal(games, comparisons)))
    seats = alone_games.seating == one
    return Pairing(
        games=len(games),
        ahead=ahead,
        ahead_ci95=win_rate_interval(shares, per_deal),
        win_rate=float(alone_games.win_shares[seats].mean()) if len(alone_games) else None,
        win_rate_ci95=_win_rate_interval(alone_games, one) if len(alone_games) else None,
        margin=float(_margins(games, one, other).mean()),
        margin_ci95=bootstrap_interval(
            _deal_means(games, _margins(games, one, other)), settings.seed
        ),
        p_value=chances[0],
        p_holm=chances[1],
    )


def _table(games: Games, names: tuple[str, ...]) -> dict[str, dict[str, float]]:
    return {
        names[agent]: {
            "win_rate": float(games.win_shares[games.seating == agent].mean()),
            "mean_score": float(games.points[games.seating == agent].mean()),
        }
        for agent in np.unique(games.seating)
    }


def _win_rate_interval(games: Games, agent: int) -> Interval:
    """Interval of an agent's win rate over games that it sat in."""
    seated = games.seating == agent
    wins = np.where(seated, games.win_shares, 0.0).sum(axis=1)
    by_deal = _deal_means(games, wins)
    return win_rate_interval(by_deal, round(len(games) / len(by_deal)), seated.sum() / len(games))


def _with_both(games: Games, one: int, other: int) -> NDArray[np.bool_]:
    """[G] whether both sit in a game."""
    both: NDArray[np.bool_] = (games.seating == one).any(1) & (games.seating == other).any(1)
    return both


def _ahead_by_deal(games: Games, one: int, other: int) -> NDArray[np.float64]:
    """[D] of the deals with both: how often the first was ahead, over all pairs of their seats."""
    games = _select(games, _with_both(games, one, other))
    places = place_keys(games)
    ahead, pairs = np.zeros(len(games)), np.zeros(len(games))
    for seat, rival in permutations(range(games.seating.shape[1]), 2):
        meet = (games.seating[:, seat] == one) & (games.seating[:, rival] == other)
        ahead += meet * outcomes(places[:, seat], places[:, rival])
        pairs += meet
    shares: NDArray[np.float64] = _per_deal(games, ahead) / _per_deal(games, pairs)
    return shares


def _margins(games: Games, one: int, other: int) -> NDArray[np.float64]:
    """[G] mean points of the first's seats minus those of the second's, where both sit."""
    mine, theirs = games.seating == one, games.seating == other
    own = np.where(mine, games.points, 0).sum(axis=1) / mine.sum(axis=1)
    rival = np.where(theirs, games.points, 0).sum(axis=1) / theirs.sum(axis=1)
    margins: NDArray[np.float64] = own - rival
    return margins


def _per_deal(games: Games, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """[D] sums of a value of every game over the games of each deal that occurs."""
    _, rows = np.unique(games.deal_id, return_inverse=True)
    sums: NDArray[np.float64] = np.bincount(rows, values).astype(np.float64)
    return sums


def _deal_means(games: Games, values: NDArray[np.float64]) -> NDArray[np.float64]:
    means: NDArray[np.float64] = _per_deal(games, values) / _per_deal(games, np.ones(len(games)))
    return means


def _select(games: Games, rows: NDArray[np.bool_]) -> Games:
    return Games(**{name: values[rows] for name, values in vars(games).items()})
