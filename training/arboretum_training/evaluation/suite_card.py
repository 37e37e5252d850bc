"""The card of the suite: what an agent reached, as data and as a text to be quoted."""

from importlib.metadata import version
from typing import Any

import numpy as np

from arboretum_env.layout_hash import layout_hash
from arboretum_env.version import RULES_VERSION
from arboretum_training.evaluation.agent_identity import AgentIdentity
from arboretum_training.evaluation.ladder import published_ratings
from arboretum_training.evaluation.rating import Rating, deal_comparisons
from arboretum_training.evaluation.standings import standings
from arboretum_training.evaluation.suite import (
    PLAYERS,
    SEED,
    SUITE_VERSION,
    deals_hash,
    game_of,
    rungs_of,
)
from arboretum_training.evaluation.suite_rating import rate_against
from arboretum_training.evaluation.tournament import Tournament
from arboretum_training.evaluation.unit_files import digest

Card = dict[str, Any]


def make_card(agent: AgentIdentity, matches: dict[tuple[int, str], Tournament]) -> Card:
    """The card as plain data; it follows from the games and the published ladder alone.

    Args:
        agent: who was measured.
        matches: complete matches by number of players and rung, the agent at index 0.
    """
    players = sorted({number for number, _ in matches})
    deals = {key: match.settings.deals for key, match in matches.items()}
    return {
        "suite": SUITE_VERSION,
        "official": all(
            deals.get((number, rung.spec)) == rung.deals[number]
            for number in players
            for rung in rungs_of(number)
        ),
        "agent": agent.to_json() | {"name": agent.pinned},
        "mode": next(iter(matches.values())).settings.mode,
        "versions": {"arboretum-lab": version("arboretum-lab"), "rules": RULES_VERSION},
        "players": {str(number): _players_json(number, matches) for number in players},
        "missing": [number for number in PLAYERS if number not in players],
    }


def _players_json(players: int, matches: dict[tuple[int, str], Tournament]) -> dict[str, Any]:
    mine = {rung: match for (number, rung), match in matches.items() if number == players}
    deals = max(match.settings.deals for match in mine.values())
    rating = _rating(players, mine)
    return {
        "deals": deals,
        "deals_hash": deals_hash(players, deals),
        "layout_hash": layout_hash(game_of(players)),
        "rating": None if rating is None else rating.rating,
        "rating_ci95": None if rating is None or rating.ci95 is None else list(rating.ci95),
        "ladder_hash": digest(published_ratings(players)),
        "rungs": {rung: _rung_json(match) for rung, match in mine.items()},
    }


def _rung_json(match: Tournament) -> dict[str, Any]:
    agent, rung = match.settings.names
    result = standings(match)
    pairing = result.pairings[agent, rung]
    own, theirs = (
        next(standing for standing in result.agents if standing.name == name)
        for name in (agent, rung)
    )
    assert pairing.win_rate is not None and pairing.win_rate_ci95 is not None
    return {
        "digest": match.settings.agents[1].digest,
        "games": result.games,
        "win_rate": pairing.win_rate,
        "win_rate_ci95": list(pairing.win_rate_ci95),
        "margin": pairing.margin,
        "margin_ci95": None if pairing.margin_ci95 is None else list(pairing.margin_ci95),
        "points": [own.mean_score, theirs.mean_score],
        "denied": [own.denied_points, theirs.denied_points],
        "denied_share": [
            standing.denied_points / max(standing.denied_points + standing.mean_score, 1e-12)
            for standing in (own, theirs)
        ],
        "ties": own.ties,
    }


def _rating(players: int, matches: dict[str, Tournament]) -> Rating | None:
    """On the published scale; ``None`` where a rung has no published rating."""
    published = published_ratings(players)
    if not set(matches) <= set(published):
        return None
    deals = max(match.settings.deals for match in matches.values())
    ahead, pairs = np.zeros((2, deals, len(matches)))
    for column, match in enumerate(matches.values()):
        counts = deal_comparisons(match.games()[0], 2)
        ahead[: len(counts), column] = counts[:, 0, 1]
        pairs[: len(counts), column] = counts[:, 0, 1] + counts[:, 1, 0]
    ratings = np.array([published[rung] for rung in matches])
    return rate_against(ahead, pairs, ratings, SEED)


def card_text(card: Card) -> str:
    """The card for people: to be quoted as it is."""
    agent = card["agent"]
    title = f"Arboretum suite {card['suite']}: {agent['name']}"
    if not card["official"]:
        title += "   UNOFFICIAL: not all deals of the suite"
    lines = [title]
    for players, part in card["players"].items():
        rating = "no rating yet"
        if part["rating"] is not None:
            rating = f"rating {part['rating']:.0f}"
            if part["rating_ci95"]:
                rating += " ({:.0f}..{:.0f})".format(*part["rating_ci95"])
        lines += [
            "",
            f"{players} players: {rating}, {part['deals']} deals, fair is "
            f"{100 / int(players):.1f} %",
            f"  {'against':<26}{'win % (95 %)':>20}{'margin':>9}{'points':>13}{'denied':>13}",
        ]
        # In the ladder's order: a result file's JSON has its keys sorted.
        for rung in (rung.spec for rung in rungs_of(int(players)) if rung.spec in part["rungs"]):
            figures = part["rungs"][rung]
            low, high = figures["win_rate_ci95"]
            rate = f"{100 * figures['win_rate']:.1f} ({100 * low:.1f}..{100 * high:.1f})"
            points, denied = (
                "{:.1f} : {:.1f}".format(*figures[key]) for key in ("points", "denied")
            )
            lines.append(
                f"  {rung:<26}{rate:>20}{figures['margin']:>+9.2f}{points:>13}{denied:>13}"
            )
    hashes = ", ".join(
        f"{players}p {part['deals_hash'][:12]}" for players, part in card["players"].items()
    )
    versions = card["versions"]
    lines += [
        "",
        "win %: the agent alone among copies of the rung. points, denied (path points lost for",
        "want of the right to score): the agent's : the rung's, a seat and game. greedy@1 is 1000.",
        f"agent {agent['digest'][:12]}; deals {hashes}; arboretum-lab "
        f"{versions['arboretum-lab']}, rules {versions['rules']}; moves "
        f"{'sampled' if card['mode'] == 'sample' else 'by likelihood'}",
    ]
    return "\n".join(lines)
