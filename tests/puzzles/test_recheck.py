"""The recheck tells answers that stand from answers that do not."""

import pytest

from arboretum_lab.puzzles.puzzle import MovePuzzle, shipped_puzzles
from arboretum_lab.puzzles.recheck import main, recheck

CLEAR = "discard-2p-7-0-16"  # a lead of a quarter of a game


def shipped() -> MovePuzzle:
    puzzle = shipped_puzzles()[CLEAR]
    assert isinstance(puzzle, MovePuzzle)
    return puzzle


def test_a_clear_answer_stands_and_a_wrong_one_does_not() -> None:
    puzzle = shipped()
    found = recheck(puzzle, worlds=40, seed=5)
    assert found.stands and found.best == puzzle.options[0].move == "xV4"
    assert found.lead is not None and found.lead.clear
    wrong = puzzle.model_copy(update={"options": puzzle.options[::-1]})
    other = recheck(wrong, worlds=40, seed=5)
    assert not other.stands and other.lead is None and other.best == "xV4"
    # The worlds are those of the seed, whatever the puzzle says.
    assert (found.measured.worths == other.measured.worths).all()


def test_bad_input_gives_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-puzzle"]) == 2
    assert "no puzzle no-such-puzzle: expected some of discard-2p-7-0-16" in capsys.readouterr().err
    assert main(["--worlds", "1"]) == 2
    assert "--worlds 1: expected 20 or more" in capsys.readouterr().err
