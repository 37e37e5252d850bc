"""A tournament as JSON and as tables for a terminal; the page is ``tournament_page``."""

from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arboretum_training.evaluation.rating import ANCHOR_RATING, Rating
from arboretum_training.evaluation.standings import Pairing, Standing, Standings
from arboretum_training.evaluation.statistics import Interval

MAX_CROSS: int = 12
"""Agents of a cross table on a terminal; the page has them all."""


def to_json(result: Standings) -> dict[str, Any]:
    """The figures as plain data, the same bytes for the same tournament."""
    settings = result.settings
    return {
        "players": settings.config.num_players,
        "format": settings.form,
        "deals": settings.deals,
        "games": result.games,
        "seed": settings.seed,
        "mode": settings.mode,
        "complete": result.complete,
        "settings": settings.to_json(),
        "agents": {agent.name: _agent_json(agent) for agent in result.agents},
        "pairings": [
            {"agent": one, "against": other, **_pairing_json(pairing)}
            for (one, other), pairing in result.pairings.items()
        ],
        "tables": list(result.tables),
    }


def to_table(result: Standings) -> RenderableType:
    """Standings and cross table, with a line on how to read them."""
    settings = result.settings
    players = settings.config.num_players
    state = "" if result.complete else ", not complete"
    table = Table(
        title=f"{settings.form}, {players} players, {settings.deals} deals, {result.games:,} "
        f"games, seed {settings.seed}, {settings.mode}{state}",
        box=box.SIMPLE,
        pad_edge=False,
        collapse_padding=True,
    )
    table.add_column("agent", overflow="fold")
    # A rating and its interval share a cell, which is parted at the space where there is no room.
    for title in ("rating (95 %)", "win %", "by seat %", "points", "denied", "ties %"):
        table.add_column(title, justify="right", overflow="fold")
    for agent in result.agents:
        table.add_row(
            Text(agent.name),
            f"{agent.rating.rating:.0f} ({spread(agent.rating)})",
            percent(agent.win_rate),
            " ".join(map(percent, agent.seat_win_rates)),
            f"{agent.mean_score:.1f}",
            f"{agent.denied_points:.1f} : {agent.denied_to_others:.1f}",
            percent(agent.ties),
        )
    reading = (
        f"rating: 400 points are odds of 10 to 1. win %: per seat held, fair is "
        f"{percent(1 / players)}. denied: own : rivals' path points lost for want of the right, "
        "a seat and game."
    )
    lines = [reading] + [
        f"games that {agent.name} forfeited, counted as lost: {agent.forfeits} "
        "(--save-games DIR keeps the reasons)"
        for agent in result.agents
        if agent.forfeits
    ]
    parts: list[RenderableType] = [table, Text("\n".join(lines))]
    if len(result.agents) <= MAX_CROSS:
        parts.append(_cross_table(result))
    return Group(*parts)


def _cross_table(result: Standings) -> Table:
    players = result.settings.config.num_players
    what = "win rate" if players == 2 else "better place of the two, share"
    table = Table(
        title=f"the row's agent against the column's: {what}, %; * where Holm's p is below 0.05",
        box=box.SIMPLE,
        pad_edge=False,
    )
    table.add_column("", overflow="fold")
    for number in range(1, len(result.agents) + 1):
        table.add_column(str(number), justify="right")
    for number, agent in enumerate(result.agents, start=1):
        cells = [_cell(result, agent, other) for other in result.agents]
        table.add_row(Text(f"{number} {agent.name}"), *cells)
    return table


def _cell(result: Standings, agent: Standing, other: Standing) -> str:
    pairing = result.pairings.get((agent.name, other.name))
    if pairing is None:
        return "-" if agent is other else ""
    return percent(pairing.ahead) + ("*" if pairing.p_holm < 0.05 else "")


def spread(rating: Rating) -> str:
    """``980..1020``; ``anchor`` where it has no width."""
    if rating.ci95 is None:
        return "-"
    low, high = rating.ci95
    return "anchor" if low == high == ANCHOR_RATING else f"{low:.0f}..{high:.0f}"


def percent(share: float | None) -> str:
    """``51.2``."""
    return "-" if share is None else f"{100 * share:.1f}"


def percents(interval: Interval | None) -> str:
    """``49.8..52.6``."""
    return "-" if interval is None else f"{percent(interval.low)}..{percent(interval.high)}"


def _agent_json(agent: Standing) -> dict[str, Any]:
    return {
        "rating": agent.rating.rating,
        "rating_ci95": _ends(agent.rating.ci95),
        "games": agent.games,
        "win_rate": agent.win_rate,
        "win_rate_ci95": _ends(agent.win_rate_ci95),
        "seat_win_rates": list(agent.seat_win_rates),
        "mean_score": agent.mean_score,
        "denied_points": agent.denied_points,
        "denied_to_others": agent.denied_to_others,
        "ties": agent.ties,
        # As in an evaluation: there only if some were forfeited.
        **({"forfeits": agent.forfeits} if agent.forfeits else {}),
    }


def _pairing_json(pairing: Pairing) -> dict[str, Any]:
    return {
        "games": pairing.games,
        "ahead": pairing.ahead,
        "ahead_ci95": _ends(pairing.ahead_ci95),
        "win_rate": pairing.win_rate,
        "win_rate_ci95": _ends(pairing.win_rate_ci95),
        "margin": pairing.margin,
        "margin_ci95": _ends(pairing.margin_ci95),
        "p_value": pairing.p_value,
        "p_holm": pairing.p_holm,
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
