"""The final score explained, as HTML tables: for the replay page and for notebooks."""

from xml.etree import ElementTree as ET

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.drawing.html import element, table
from arboretum_env.records.scoresheet import ScoreSheet, SpeciesRow


def player_table(sheet: ScoreSheet, seat: int) -> ET.Element:
    """One player's table: a row a species, and the total."""
    player = sheet.players[seat]
    body = table(
        ("species", "in hand", "right", "best path", "points"), map(_row, player.rows), texts=4
    )
    total = element(
        "tr",
        element("td", f"{player.distinct_species} species planted (breaks ties)", colspan="4"),
        element("td", str(player.score)),
    )
    body.append(element("tfoot", total))
    body.set("class", "sheet")
    return body


def _row(row: SpeciesRow) -> list[ET.Element]:
    denied = row.path_points > 0 and not row.right
    points = f"({row.path_points}) 0" if denied else str(row.points)
    right = "yes" if row.right else "no"
    name = f"{row.species} {SPECIES_NAMES[row.species]}"
    texts = (name, row.sum_text, right, " ".join(row.best_path) or "–")
    kind = "scored" if row.points else ""
    return [
        *(element("td", text, class_=f"text {kind}".strip()) for text in texts),
        element("td", points, class_=kind),
    ]
