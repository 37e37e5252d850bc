"""The final score for the page: the sheet as data, and each right and path in a sentence."""

from typing import Any

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.config import GameConfig
from arboretum_env.records.scoresheet import ScoreSheet, SpeciesRow


def sheet_json(sheet: ScoreSheet, config: GameConfig) -> dict[str, Any]:
    """The sheet as the commands print it, with a sentence on every right and path."""
    data = sheet.to_json()
    for seat, player in enumerate(sheet.players):
        data["players"][seat]["distinct_species"] = player.distinct_species
        for row in player.rows:
            data["players"][seat]["species"][row.species] |= {
                "held": list(row.held),
                "cancelled": row.cancelled,
                "sum_text": row.sum_text,
                "explanation": explain_row(sheet, seat, row, config),
            }
    return data


def explain_row(sheet: ScoreSheet, seat: int, row: SpeciesRow, config: GameConfig) -> str:
    """Why a seat may or may not score a species, and what its path is worth."""
    name = SPECIES_NAMES[row.species]
    return f"{_right(sheet, seat, row, config)} {_path(row, name, config)}"


def _right(sheet: ScoreSheet, seat: int, row: SpeciesRow, config: GameConfig) -> str:
    index = config.species.index(row.species)
    others = {k: p.rows[index].hand_sum for k, p in enumerate(sheet.players) if k != seat}
    best = max(others.values())
    holders = " and ".join(f"seat {k}" for k, held in others.items() if held == best)
    held = f"Holds {row.sum_text}"
    if row.cancelled:
        held += f" (its {config.num_ranks} counts 0, since another hand holds the 1)"
    if config.rights == "all":
        return f"{held}; everybody may score in this game."
    if not row.right:
        return f"{held}: no right to score, {holders} holds {best}."
    if row.hand_sum == best == 0:
        return f"{held}: nobody holds any, so everybody may score it."
    if row.hand_sum == best:
        return f"{held}, as much as {holders}: both may score it."
    return f"{held}, more than any other hand ({best}): the right to score."


def _path(row: SpeciesRow, name: str, config: GameConfig) -> str:
    path = row.best_path
    if not path:
        return f"No path that begins and ends with {name}."
    terms = [f"{len(path)} cards {len(path)}"]
    if len(path) >= 4 and all(card[0] == row.species for card in path):
        terms.append(f"all {name} +{len(path)}")
    if path[0][1:] == "1":
        terms.append("begins with the 1 +1")
    if path[-1][1:] == str(config.num_ranks):
        terms.append(f"ends with the {config.num_ranks} +2")
    worth = f"{row.path_points} points" if row.right else f"{row.path_points} points not scored"
    return f"Path {' '.join(path)}: {', '.join(terms)}; {worth}."
