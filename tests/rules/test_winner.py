"""docs/rules.md, Scoring: the winner."""

import pytest

from tests.reference import Options
from tests.rules.conftest import ScoreTable
from tests.table import picture

OPTIONS = Options(num_players=3, species="MOCD", hand_size=1)


def winners(scored: ScoreTable, *arboreta: str) -> tuple[list[int], list[int], list[int]]:
    """Totals, different species, winning seats; nobody holds anything."""
    options = Options(num_players=len(arboreta), species="MOCD", hand_size=1)
    result = scored(options, [[] for _ in arboreta], [picture(text) for text in arboreta])
    return result.totals, result.distinct_species, result.winners


@pytest.mark.parametrize(
    ("arboreta", "totals", "distinct", "seats"),
    [
        # The highest total, however few species.
        (("M2 M3 M4", "M5 M6 C1 D1"), [3, 2], [1, 3], [0]),
        # Tied: most different species in the arboretum.
        (("M2 M3", "O4 O5 C1"), [2, 2], [1, 2], [1]),
        # A species counts once, and scored or not.
        (("M2 M6 M4", "O4 O5"), [2, 2], [1, 1], [0, 1]),
        # Still tied: shared.
        (("M2 M3 C7", "O4 O5 C1"), [2, 2], [2, 2], [0, 1]),
        # Of three: the third has more species but fewer points.
        (("M2 M3", "O4 O5", "C1 D2 M8"), [2, 2, 0], [1, 1, 3], [0, 1]),
        (("M2 M3", "O4 O5 D1", "C4 C5 D2"), [2, 2, 2], [1, 2, 2], [1, 2]),
        (("M2 M3", "O4 O5 D1", "C4 C5 D2 M8"), [2, 2, 2], [1, 2, 3], [2]),
        # Nobody has anything.
        (("", ""), [0, 0], [0, 0], [0, 1]),
        (("", "M3", "", ""), [0, 0, 0, 0], [0, 1, 0, 0], [1]),
        # Four players.
        (("M2 M3", "O2 O3", "C2 C3", "D2 D3"), [2, 2, 2, 2], [1, 1, 1, 1], [0, 1, 2, 3]),
    ],
)
def test_winner(
    arboreta: tuple[str, ...],
    totals: list[int],
    distinct: list[int],
    seats: list[int],
    scored: ScoreTable,
) -> None:
    assert winners(scored, *arboreta) == (totals, distinct, seats)


def test_species_in_hand_do_not_break_a_tie(scored: ScoreTable) -> None:
    result = scored(
        Options(num_players=2, species="MOCD", hand_size=1),
        [["D1", "D2", "C4"], ["D3"]],
        [picture("M2 M3"), picture("O4 O5")],
    )
    assert result.totals == [2, 2]
    assert result.distinct_species == [1, 1]
    assert result.winners == [0, 1]


def test_unscored_species_break_a_tie(scored: ScoreTable) -> None:
    """Seat 1's second species is blocked and pathless, and decides all the same."""
    result = scored(
        OPTIONS, [["D8"], [], []], [picture("M2 M3"), picture("O4 O5 D1"), picture("C1")]
    )
    assert result.totals == [2, 2, 0]
    assert not result.species[1]["D"].right
    assert result.winners == [1]
