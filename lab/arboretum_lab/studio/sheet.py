"""The final score for the page: the sheet as data, and each right and path in a sentence."""

from collections.abc import Sequence
from typing import Any

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.config import GameConfig
from arboretum_env.engine.paths import END_BONUS, PURE_MINIMUM, START_BONUS
from arboretum_env.records.scoresheet import ScoreSheet, SpeciesRow


def sheet_json(sheet: ScoreSheet, config: GameConfig, names: Sequence[str] = ()) -> dict[str, Any]:
    """The sheet as the commands print it, with a sentence on every right and path.

    Args:
        sheet: the account.
        config: species, ranks and rule switches.
        names: what the sentences call the players; default ``seat 0`` and so on.
    """
    called = list(names) or [f"seat {seat}" for seat in range(config.num_players)]
    data = sheet.to_json()
    for seat, player in enumerate(sheet.players):
        data["players"][seat]["distinct_species"] = player.distinct_species
        for row in player.rows:
            data["players"][seat]["species"][row.species] |= {
                "held": list(row.held),
                "cancelled": row.cancelled,
                "sum_text": row.sum_text,
                "explanation": explain_row(sheet, seat, row, config, called),
            }
    return data


def explain_row(
    sheet: ScoreSheet, seat: int, row: SpeciesRow, config: GameConfig, called: Sequence[str]
) -> str:
    """Why a seat may or may not score a species, and what its path is worth."""
    return f"{right_words(sheet, seat, row, config, called)} {_path(row, config)}"


def right_words(
    sheet: ScoreSheet, seat: int, row: SpeciesRow, config: GameConfig, called: Sequence[str]
) -> str:
    """Why a seat may or may not score a species; ``called``: the players' names."""
    index = config.species.index(row.species)
    others = {k: p.rows[index].hand_sum for k, p in enumerate(sheet.players) if k != seat}
    best = max(others.values())
    equal = [called[k] for k, held in others.items() if held == best]
    holders = " and ".join(equal)
    held = f"Holds {row.sum_text}"
    if row.cancelled:
        held += f" (its {config.num_ranks} counts 0, since another hand holds the 1)"
    if config.rights == "all":
        return f"{held}; everybody may score in this game."
    if not row.right:
        return (
            f"{held}: no right to score, {holders} {'holds' if len(equal) == 1 else 'hold'} {best}."
        )
    if row.hand_sum == best == 0:
        return f"{held}: nobody holds any, so everybody may score it."
    if row.hand_sum == best:
        return f"{held}, as much as {holders}: {'both' if len(equal) == 1 else 'all'} may score it."
    return f"{held}, more than any other hand ({best}): the right to score."


def _path(row: SpeciesRow, config: GameConfig) -> str:
    path = row.best_path
    if not path:
        return f"No path that begins and ends with {SPECIES_NAMES[row.species]}."
    worth = f"{row.path_points} points" if row.right else f"{row.path_points} points not scored"
    return f"Path {' '.join(path)}: {path_terms(path, row.species, config)}; {worth}."


def path_terms(path: Sequence[str], species: str, config: GameConfig) -> str:
    """What a path's points are made of: ``5 cards 5, begins with the 1 +1``."""
    terms = [f"{len(path)} cards {len(path)}"]
    if len(path) >= PURE_MINIMUM and all(card[0] == species for card in path):
        terms.append(f"all {SPECIES_NAMES[species]} +{len(path)}")
    if path[0][1:] == "1":
        terms.append(f"begins with the 1 +{START_BONUS}")
    if path[-1][1:] == str(config.num_ranks):
        terms.append(f"ends with the {config.num_ranks} +{END_BONUS}")
    return ", ".join(terms)
