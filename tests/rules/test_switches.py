"""The rule switches of research games, on boards worked out by hand."""

import pytest

from tests.reference import Options, Score
from tests.rules.conftest import ScoreTable
from tests.table import picture

# Seat 0 planted M2 M3 M4 M5 (8) and O1 O2 (3); seat 1 C1 C4 (3) and M6 M7 (2).
ARBORETA = [picture("M2 M3 M4 M5\n.  O1 O2 ."), picture("C1 C4 M6 M7")]
HANDS = [["M8", "C5", "O3"], ["M1", "O8", "C2"]]


def board(scored: ScoreTable, *, cancel_eights: bool, rights: str) -> Score:
    """The hand-computed board under a pair of switches."""
    options = Options(2, "MOC", 8, 3, cancel_eights=cancel_eights, rights=rights)
    return scored(options, HANDS, ARBORETA)


def sums(result: Score, species: str) -> list[int]:
    return [account[species].hand_sum for account in result.species]


def holders(result: Score, species: str) -> list[int]:
    return [seat for seat, account in enumerate(result.species) if account[species].right]


def test_the_rules_as_they_are(scored: ScoreTable) -> None:
    result = board(scored, cancel_eights=True, rights="highest")
    # M8 is cancelled by seat 1's M1: M 0-1, seat 1. O: 3-8, seat 1 (O1 is planted). C: 5-2, seat 0.
    assert [sums(result, s) for s in "MOC"] == [[0, 1], [3, 8], [5, 2]]
    assert [holders(result, s) for s in "MOC"] == [[1], [1], [0]]
    assert result.totals == [0, 2]
    assert result.winners == [1]


def test_eights_are_never_cancelled(scored: ScoreTable) -> None:
    result = board(scored, cancel_eights=False, rights="highest")
    # Now M 8-1 goes to seat 0, whose four maples count 8; all else as before.
    assert [sums(result, s) for s in "MOC"] == [[8, 1], [3, 8], [5, 2]]
    assert [holders(result, s) for s in "MOC"] == [[0], [1], [0]]
    assert result.totals == [8, 0]
    assert result.winners == [0]


@pytest.mark.parametrize("cancel_eights", [True, False])
def test_everybody_has_every_right(cancel_eights: bool, scored: ScoreTable) -> None:
    result = board(scored, cancel_eights=cancel_eights, rights="all")
    # The sums are told as they are, but decide nothing: 8 + 3 against 3 + 2.
    assert sums(result, "M") == ([0, 1] if cancel_eights else [8, 1])
    assert [holders(result, s) for s in "MOC"] == [[0, 1]] * 3
    assert result.totals == [11, 5]
    assert result.winners == [0]


@pytest.mark.parametrize(
    ("num_ranks", "hands", "expected"),
    [
        # The top rank of the game is what a 1 cancels; an ordinary 3 or 5 is not.
        (3, [["M3"], ["M1"]], [0, 1]),
        (4, [["M3"], ["M1"]], [3, 1]),
        (4, [["M4", "M2"], ["M1"]], [2, 1]),
        (5, [["M5"], ["M1", "M2"]], [0, 3]),
        (8, [["M5"], ["M1", "M2"]], [5, 3]),
    ],
)
def test_the_top_rank_takes_the_eights_part(
    num_ranks: int, hands: list[list[str]], expected: list[int], scored: ScoreTable
) -> None:
    for cancel in (True, False):
        options = Options(2, "MOC", num_ranks, 1, cancel_eights=cancel)
        result = scored(options, hands, [{}, {}])
        uncancelled = [sum(int(card[1]) for card in hand) for hand in hands]
        assert sums(result, "M") == (expected if cancel else uncancelled)
