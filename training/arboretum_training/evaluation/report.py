"""An evaluation as JSON (the contract of ``arboretum evaluate --json``) and as a table."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arboretum_training.evaluation.comparisons import Difference
from arboretum_training.evaluation.statistics import Interval
from arboretum_training.evaluation.summary import Summary


def to_json(summary: Summary) -> dict[str, Any]:
    """The report as plain data; ``margin_ci95`` is null for a single deal.

    ``forfeits``, games by agent, is there only if some were forfeited.
    """
    forfeits = {name: agent.forfeits for name, agent in summary.agents.items() if agent.forfeits}
    return {
        "players": summary.players,
        "deals": summary.deals,
        "games": summary.games,
        "seed": summary.seed,
        "mode": summary.mode,
        "agents": {
            name: {
                "win_rate": agent.win_rate,
                "win_rate_ci95": list(agent.win_rate_ci95),
                "mean_score": agent.mean_score,
                "seat_win_rates": list(agent.seat_win_rates),
                "ties": agent.ties,
            }
            for name, agent in summary.agents.items()
        },
        "margin": summary.margin,
        "margin_ci95": None if summary.margin_ci95 is None else list(summary.margin_ci95),
        "denied_points": {name: agent.denied_points for name, agent in summary.agents.items()},
        "comparisons": [
            {
                "agents": [pair.first, pair.second],
                "win_rate": _difference_json(pair.win_rate),
                "margin": _difference_json(pair.margin),
            }
            for pair in summary.comparisons
        ],
        **({"forfeits": forfeits} if forfeits else {}),
    }


def _difference_json(difference: Difference) -> dict[str, Any]:
    interval = difference.ci95
    return {**vars(difference), "ci95": None if interval is None else list(interval)}


def to_table(summary: Summary) -> RenderableType:
    """The report as a table with a line on how to read it."""
    table = Table(
        title=f"{summary.players} players, {summary.deals} deals, {summary.games} games, "
        f"seed {summary.seed}, {summary.mode}"
    )
    # Folded where the terminal is narrow: half a name or number is worse than two lines.
    table.add_column("agent", overflow="fold")
    for title in ("win %", "95 %", "by seat %", "points", "denied", "ties %"):
        table.add_column(title, justify="right", overflow="fold")
    for name, agent in summary.agents.items():
        table.add_row(
            Text(name),  # not markup: a path may hold square brackets
            _percent(agent.win_rate),
            _percents(agent.win_rate_ci95),
            " ".join(_percent(rate) for rate in agent.seat_win_rates),
            f"{agent.mean_score:.2f}",
            f"{agent.denied_points:.2f}",
            _percent(agent.ties),
        )
    if len(summary.agents) == 2:
        return Group(table, Text(_reading(summary)))
    return Group(table, _pairs_table(summary), Text(_reading(summary)))


def _pairs_table(summary: Summary) -> Table:
    """Every pair of three agents or more; p-values are Holm's."""
    table = Table(title="pairs of agents, over the games that both played")
    table.add_column("first", overflow="fold")
    table.add_column("second", overflow="fold")
    # An interval stands below its figure: beside it, numbers would be folded at 80 columns.
    for title in ("win %\n95 %", "p", "points\n95 %", "p"):
        table.add_column(title, justify="right", overflow="fold")
    for pair in summary.comparisons:
        table.add_row(
            Text(pair.first),
            Text(pair.second),
            f"{100 * pair.win_rate.value:+.1f}\n{_lead_percents(pair.win_rate.ci95)}",
            p_text(pair.win_rate.p_holm),
            f"{pair.margin.value:+.2f}\n{_lead(pair.margin.ci95)}",
            p_text(pair.margin.p_holm),
        )
    return table


def _reading(summary: Summary) -> str:
    first = next(iter(summary.agents))
    pairs = summary.comparisons
    lines = [
        f"win %: per seat occupied, a fair share is {_percent(1 / summary.players)}; "
        "denied: path points lost for want of the right to score, per seat and game.",
        f"margin of {first}: {summary.margin:+.2f} points ({_lead(summary.margin_ci95)})",
    ]
    lines += [
        f"games that {name} forfeited, counted as lost: {agent.forfeits} "
        "(--save-games DIR keeps the reasons)"
        for name, agent in summary.agents.items()
        if agent.forfeits
    ]
    if len(pairs) == 1:
        wins = pairs[0].win_rate
        lines[1] += f", p {p_text(pairs[0].margin.p_value)}"
        lines.append(
            f"lead of {first} in win %: {100 * wins.value:+.1f} ({_lead_percents(wins.ci95)}), "
            f"p {p_text(wins.p_value)}"
        )
    else:
        lines.append(f"p: by permutation, adjusted for {len(pairs)} pairs (Holm)")
    return "\n".join(lines)


def _lead(interval: Interval | None) -> str:
    if interval is None:
        return "one deal, no interval"
    return f"{interval.low:+.2f}..{interval.high:+.2f}"


def _lead_percents(interval: Interval | None) -> str:
    if interval is None:
        return "one deal, no interval"
    return f"{100 * interval.low:+.1f}..{100 * interval.high:+.1f}"


def p_text(p_value: float) -> str:
    """Three digits; what is smaller is said to be so.

    >>> p_text(0.0312), p_text(0.0001)
    ('0.031', '< 0.001')
    """
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _percents(interval: Interval) -> str:
    return f"{100 * interval.low:.1f}..{100 * interval.high:.1f}"
