"""How strong the rungs of the suite are: their ratings, from playing each other.

``arboretum suite --ladder`` plays every pair of rungs on the suite's deals, both ways where there
are more than two seats, and writes ``ladder.json``, which lies beside this module. An agent's
rating is read off that scale, see ``suite_rating``: rungs are not played again for every agent.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.evaluation.rating import Rating, deal_comparisons, rate
from arboretum_training.evaluation.statistics import Interval, win_rate_interval
from arboretum_training.evaluation.suite import (
    ANCHOR,
    DEALS,
    LADDER,
    SEED,
    SUITE_VERSION,
    deals_hash,
    rungs_of,
)
from arboretum_training.evaluation.suite_match import SuiteMatch, lone_shares

LADDER_NAME: Final = "ladder.json"


@cache
def published_ladder() -> dict[str, Any]:
    """The scales that ship with this version, see ``ladder_to_json``."""
    file = resources.files("arboretum_training.evaluation") / LADDER_NAME
    ladder: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return ladder


def published_ratings(players: int) -> dict[str, float]:
    """Ratings of the rungs, by frozen name; empty when this suite's ladder is not published."""
    ladder = published_ladder()
    if ladder["suite"] != SUITE_VERSION:
        return {}
    ratings = ladder["players"].get(str(players), {}).get("ratings", {})
    return {name: float(entry["rating"]) for name, entry in ratings.items()}


@dataclass(frozen=True)
class Ladder:
    """The scale of one number of players.

    Attributes:
        ratings: by the rung's frozen name.
        win_rates: of the first rung, sitting alone against copies of the second, with intervals.
    """

    ratings: dict[str, Rating]
    win_rates: dict[tuple[str, str], tuple[float, Interval]]


def ladder_matches(players: int, folder: Path, deals: int | None = None) -> list[SuiteMatch]:
    """What has to be played for the scale of a number of players, resumable in a folder.

    Args:
        players: number of players.
        folder: of the ladder.
        deals: deals of every match, for trying it out; default: the smaller number of the two.
    """
    rungs = rungs_of(players)
    return [
        SuiteMatch(
            identify(one.spec),
            identify(other.spec),
            players,
            deals or min(one.deals[players], other.deals[players]),
            folder,
        )
        for number, one in enumerate(rungs)
        for place, other in enumerate(rungs)
        # With two seats both ways are the same games.
        if (number < place if players == 2 else number != place)
    ]


def rate_ladder(players: int, matches: list[SuiteMatch]) -> Ladder:
    """The scale from matches that are all played."""
    names = [rung.spec for rung in rungs_of(players)]
    most = max(match.deals for match in matches)
    comparisons = np.zeros((most, len(names), len(names)))
    win_rates = {}
    for match in matches:
        pair = [names.index(match.agent.pinned), names.index(match.rung.pinned)]
        games = match.games()
        counts = deal_comparisons(games, 2)
        for first, second in ((0, 1), (1, 0)):
            comparisons[: match.deals, pair[first], pair[second]] += counts[:, first, second]
        for first in (0, 1) if players == 2 else (0,):
            shares = lone_shares(games, first)
            interval = win_rate_interval(shares, players)
            one, other = names[pair[first]], names[pair[1 - first]]
            win_rates[one, other] = (float(shares.mean()), interval)
    ratings = rate(comparisons, SEED, anchor=names.index(ANCHOR))
    return Ladder(dict(zip(names, ratings, strict=True)), win_rates)


def ladder_to_json(ladders: dict[int, Ladder], *, official: bool) -> dict[str, Any]:
    """The scales as plain data, with what they were made of.

    Args:
        ladders: by number of players.
        official: whether all deals of the suite were played.
    """
    return {
        "suite": SUITE_VERSION,
        "official": official,
        "rungs": [identify(rung.spec).to_json() for rung in LADDER],
        "players": {
            str(players): {
                "deals_hash": deals_hash(players, DEALS[players]),
                "ratings": {
                    name: {"rating": rating.rating, "ci95": list(rating.ci95 or ())}
                    for name, rating in ladder.ratings.items()
                },
                "win_rates": [
                    {"agent": one, "against": other, "win_rate": rate_, "ci95": list(interval)}
                    for (one, other), (rate_, interval) in ladder.win_rates.items()
                ],
            }
            for players, ladder in ladders.items()
        },
    }


def ladder_text(data: dict[str, Any]) -> str:
    """The scales as Markdown tables, the best rung first.

    Args:
        data: see ``ladder_to_json``.
    """
    lines = [] if data["official"] else ["UNOFFICIAL: not all deals of the suite.", ""]
    for players, part in data["players"].items():
        ratings = sorted(part["ratings"].items(), key=lambda entry: -entry[1]["rating"])
        names = [name for name, _ in ratings]
        rates = {(row["agent"], row["against"]): row for row in part["win_rates"]}
        lines += [
            f"**{players} players** (fair is {100 / int(players):.1f} %)",
            "",
            "| rung | rating (95 %) | " + " | ".join(f"against {name}" for name in names) + " |",
            "|---|---|" + "---|" * len(names),
        ]
        for name, rating in ratings:
            cells = [_rate_text(rates.get((name, other))) for other in names]
            lines.append(f"| `{name}` | {_rating_text(rating)} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip("\n")


def _rating_text(rating: dict[str, Any]) -> str:
    low, high = rating["ci95"] or (rating["rating"],) * 2
    spread = "the anchor" if low == high else f"{low:.0f} .. {high:.0f}"
    return f"{rating['rating']:.0f} ({spread})"


def _rate_text(row: dict[str, Any] | None) -> str:
    if row is None:
        return "-"
    low, high = row["ci95"]
    return f"{100 * row['win_rate']:.1f} ({100 * low:.1f} .. {100 * high:.1f})"
