"""docs/rules.md, Scoring: the right to score, and the 1 that cancels the 8."""

import pytest

from tests.reference import Options
from tests.rules.conftest import ScoreTable

OPTIONS = Options(num_players=3, species="MOC")


def maple(scored: ScoreTable, *hands: str) -> tuple[list[int], list[int]]:
    """Sums of Maple, and the seats with its right, for hands alone."""
    options = Options(num_players=len(hands), species="MOC", hand_size=1)
    result = scored(options, [hand.split() for hand in hands], [{} for _ in hands])
    sums = [account["M"].hand_sum for account in result.species]
    return sums, [seat for seat, account in enumerate(result.species) if account["M"].right]


@pytest.mark.parametrize(
    ("hands", "sums", "seats"),
    [
        # The highest sum has the right.
        (("M3 M4", "M6"), [7, 6], [0]),
        # Other species do not count.
        (("M3 O8 O7", "M4"), [3, 4], [1]),
        # Ties share it.
        (("M7", "M3 M4"), [7, 7], [0, 1]),
        (("M6", "M2 M4", "M1"), [6, 6, 1], [0, 1]),
        (("M6", "M2 M4", "M1 M5"), [6, 6, 6], [0, 1, 2]),
        # Nobody holds the species: everybody has the right.
        (("O3", "C4"), [0, 0], [0, 1]),
        (("O3", "C4", ""), [0, 0, 0], [0, 1, 2]),
        (("", "", "", ""), [0, 0, 0, 0], [0, 1, 2, 3]),
        # One holder is enough to have it alone.
        (("M1", "", ""), [1, 0, 0], [0]),
        # An opponent's 1 cancels the 8, and always counts 1 itself.
        (("M8", "M1"), [0, 1], [1]),
        (("M8 M3", "M1"), [3, 1], [0]),
        (("M8", "M7", "M1"), [0, 7, 1], [1]),
        (("M1", "M8 M5", "M6"), [1, 5, 6], [2]),
        (("M8", "O3", "C2", "M1"), [0, 0, 0, 1], [3]),
        # The own 1 never cancels the own 8.
        (("M1 M8", "M7"), [9, 7], [0]),
        (("M1 M8", "M7 M3"), [9, 10], [1]),
        (("M1 M3 M8", "M5 M6"), [12, 11], [0]),
        # A 1 of another species cancels nothing.
        (("M8", "O1"), [8, 0], [0]),
        # A cancelled 8 alone does not count as "nobody holds it".
        (("M8", "M1", ""), [0, 1, 0], [1]),
        # Only the 8 can be cancelled.
        (("M7", "M1"), [7, 1], [0]),
    ],
)
def test_right(
    hands: tuple[str, ...], sums: list[int], seats: list[int], scored: ScoreTable
) -> None:
    assert maple(scored, *hands) == (sums, seats)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_one_on_the_table_cancels_nothing(seat: int, scored: ScoreTable) -> None:
    """Planted by anybody, M1 leaves the M8 in hand alone."""
    arboreta = [{(0, 0): "O2"}, {(0, 0): "O3"}, {(0, 0): "O4"}]
    arboreta[seat] = {(0, 0): "M1"}
    result = scored(OPTIONS, [["M8"], ["M7"], []], arboreta)
    assert [account["M"].hand_sum for account in result.species] == [8, 7, 0]
    assert [account["M"].right for account in result.species] == [True, False, False]


def test_printed_example(scored: ScoreTable) -> None:
    """A hand of 1, 3 and 8 sums to 12; the 8 of another species is 0 against that 1."""
    result = scored(
        Options(num_players=2, species="WPC", hand_size=1),
        [["W1", "W3", "W8", "P8"], ["W7", "P1", "P5"]],
        [{}, {}],
    )
    assert [account["W"].hand_sum for account in result.species] == [12, 7]
    assert [account["P"].hand_sum for account in result.species] == [0, 6]


def test_right_without_a_path_scores_nothing_and_blocks(scored: ScoreTable) -> None:
    path = {(0, 0): "M2", (1, 0): "M3", (2, 0): "M4", (3, 0): "M5"}
    result = scored(OPTIONS, [["M1"], ["M6"], []], [path, {(0, 0): "O1"}, {}])
    assert result.species[0]["M"].path_points == 8
    assert result.species[0]["M"].points == 0
    assert result.species[1]["M"].right
    assert result.species[1]["M"].points == 0
    assert result.totals == [0, 0, 0]


def test_a_shared_right_scores_for_every_holder(scored: ScoreTable) -> None:
    """Seats 0 and 1 tie in hand; each counts its own path, seat 2 none."""
    arboreta = [
        {(0, 0): "M1", (0, 1): "M2"},
        {(0, 0): "M5", (0, 1): "M8"},
        {(0, 0): "O3", (0, 1): "O6"},
    ]
    result = scored(OPTIONS, [["M7"], ["M3", "M4"], ["M6"]], arboreta)
    assert [account["M"].points for account in result.species] == [3, 4, 0]
    assert [account["M"].right for account in result.species] == [True, True, False]


def test_a_species_nobody_holds_scores_once_for_each_player(scored: ScoreTable) -> None:
    arboreta = [{(0, 0): "M1", (0, 1): "M2"}, {(0, 0): "M4", (0, 1): "M8"}, {}]
    result = scored(OPTIONS, [["O1"], ["O2"], ["O3"]], arboreta)
    assert result.totals == [3, 4, 0]
