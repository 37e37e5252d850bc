"""docs/rules.md, Scoring: what is a path, and what it is worth."""

import pytest

from tests.reference import Options
from tests.rules.conftest import ScoreTable
from tests.table import picture


def best(scored: ScoreTable, text: str, num_ranks: int = 8) -> dict[str, int]:
    """Points of every species that has a path, in an arboretum that nobody blocks."""
    options = Options(num_players=2, species="MOC", num_ranks=num_ranks, hand_size=1)
    result = scored(options, [[], []], [{}, picture(text)])
    account = result.species[1]
    assert result.totals[1] == sum(entry.points for entry in account.values())
    return {species: entry.points for species, entry in account.items() if entry.points}


@pytest.mark.parametrize(
    ("text", "points"),
    [
        # Nothing, and one card: no path.
        ("", {}),
        ("M3", {}),
        ("M3 O4 C5", {}),
        # Two cards suffice.
        ("M3 M4", {"M": 2}),
        # Gaps are allowed; either direction of the table will do.
        ("M2 M7", {"M": 2}),
        ("M7 M2", {"M": 2}),
        ("M7\nM2", {"M": 2}),
        ("M2\nM7", {"M": 2}),
        # Strictly increasing: no step between equals, nor down and up again.
        ("M3 O3 M4", {}),
        ("M3 O2 M4", {}),
        ("M3 O5 M4", {}),
        # The ends are of the scored species, the middle of any.
        ("M2 O3 M4", {"M": 3}),
        ("M2 O3 C4 M5", {"M": 4}),
        ("O2 M3 M4 C5", {"M": 2}),
        # A corner is no neighbour.
        ("M2 O8\nC1 M5", {}),
        # Turns are allowed.
        ("M2 O3\nC8 M4", {"M": 3}),
        ("M4 M3\nM5 M2", {"M": 8}),
        ("M6 M5 M4\n.  .  M3\n.  .  M2", {"M": 10}),
    ],
)
def test_path(text: str, points: dict[str, int], scored: ScoreTable) -> None:
    assert best(scored, text) == points


@pytest.mark.parametrize(
    ("text", "points"),
    [
        # Doubled from four cards on, if all are of the species.
        ("M2 M3 M4", {"M": 3}),
        ("M2 M3 M4 M5", {"M": 8}),
        ("M2 M3 M4 M5 M6", {"M": 10}),
        ("M2 M3 O4 M5", {"M": 4}),
        ("M2 M3 O4 M5 M6", {"M": 5}),
        # +1 for starting with a 1, +2 for ending with an 8, mixed paths too, never doubled.
        ("M1 M4", {"M": 3}),
        ("M4 M8", {"M": 4}),
        ("M1 M8", {"M": 5}),
        ("M1 O4 M6", {"M": 4}),
        ("M1 O4 M8", {"M": 6}),
        ("M1 M2 M3 M4", {"M": 9}),
        ("M5 M6 M7 M8", {"M": 10}),
        ("M1 M3 M4 M6 M8", {"M": 13}),
        ("M1 M2 M3 M4 M5 M6 M7 M8", {"M": 19}),
        # A 1 or an 8 of another species at the end of nothing gives no bonus.
        ("O1 M2 M4 O8", {"M": 2, "O": 7}),
        # A pure path of four beats the mixed detour of six.
        ("M2 M3 M4 M7\nO3 O4 O5 O6", {"M": 8, "O": 8}),
        # A long mixed path beats a pure one of three: C1 M4 M5 M6 C8, and M2 O3 C4 O5 M8.
        ("M3 M4 M5 M6\nO1 C1 C2 C8", {"M": 8, "C": 8}),
        ("M2 M3 M8\nO3 C4 O5", {"M": 7, "O": 3}),
    ],
)
def test_points(text: str, points: dict[str, int], scored: ScoreTable) -> None:
    assert best(scored, text) == points


def test_only_the_best_path_of_a_species_scores(scored: ScoreTable) -> None:
    """M1 M2 (3) and M6 M8 (4) of one arboretum: 4, not 7."""
    assert best(scored, "M1 M2 C1 M6 M8") == {"M": 4}


def test_a_card_serves_paths_of_several_species(scored: ScoreTable) -> None:
    """M2 O3 M5 and O3 M5 O6 share two cards."""
    assert best(scored, "M2 O3 M5 O6") == {"M": 3, "O": 3}


def test_rulebook_check(scored: ScoreTable) -> None:
    """All-Maple path of five, 1 to 8: 13; three mixed: 3; two ending in 8: 4; together 20."""
    text = """
        M1 M3 M4 M6 M8
        O2 .  .  .  .
        C3 .  .  .  .
        O5 .  .  .  .
        C4 C8 .  .  .
    """
    assert best(scored, text) == {"M": 13, "O": 3, "C": 4}


@pytest.mark.parametrize(
    ("text", "num_ranks", "points"),
    [
        # The top rank takes the 8's part: it, and only it, ends with the bonus of 2.
        ("M1 M3", 3, {"M": 5}),
        ("M2 M3", 3, {"M": 4}),
        ("M1 M2", 3, {"M": 3}),
        ("M2 M3", 4, {"M": 2}),
        ("M1 M2 M3 M4", 4, {"M": 11}),
        ("M1 M2 M3 M4", 5, {"M": 9}),
        ("M2 O3 M5", 5, {"M": 5}),
        ("M2 O3 M5", 6, {"M": 3}),
        ("M1 M2 M3 M4 M5 M6 M7", 7, {"M": 17}),
        ("M1 M2 M3 M4 M5 M6 M7", 8, {"M": 15}),
    ],
)
def test_top_rank_of_a_reduced_game(
    text: str, num_ranks: int, points: dict[str, int], scored: ScoreTable
) -> None:
    assert best(scored, text, num_ranks) == points


def test_a_full_table_has_no_path_longer_than_the_ranks(scored: ScoreTable) -> None:
    """A block where rank = 1 + x + y, so that every walk to the right and up is a path."""
    text = """
        L5 O6 P7 M8 .
        W4 V5 D6 J7 G8
        O3 P4 W5 V6 D7
        D2 J3 G4 C5 L6
        M1 C2 L3 O4 P5
    """
    options = Options(num_players=2, species="CDJVLGMPOW")
    result = scored(options, [[], []], [picture(text), {}])
    account = result.species[0]
    points = {species: entry.points for species, entry in account.items() if entry.points}
    assert points["M"] == 11  # from M1 to M8 in eight cards: 8 + 1 + 2
    assert points["D"] == 6  # from D2 to D7
    assert points["O"] == 4  # from O3 to O6; O4 lies to the right of O6
