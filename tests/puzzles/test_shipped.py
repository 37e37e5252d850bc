"""The puzzles that ship: their answers stand, and no question tells what its seat cannot see."""

import json

import pytest

from arboretum_env.notation import legal_moves
from arboretum_env.phase import Phase
from arboretum_lab.puzzles.find import LEAST_GAP, LEAST_WINS, RECHECK, is_tricky
from arboretum_lab.puzzles.puzzle import MovePuzzle, Puzzle, RightPuzzle, shipped_puzzles
from arboretum_lab.puzzles.searched import RUNS
from arboretum_lab.studio.puzzles import judge, puzzle_json

PUZZLES = list(shipped_puzzles().values())


def each(kind: type[Puzzle]) -> pytest.MarkDecorator:
    found = [puzzle for puzzle in PUZZLES if isinstance(puzzle, kind)]
    return pytest.mark.parametrize("puzzle", found, ids=[puzzle.id for puzzle in found])


def test_there_are_some_of_every_kind_and_number_of_players() -> None:
    kinds = {(puzzle.kind, len(puzzle.source.agents)) for puzzle in PUZZLES}
    assert kinds == {(kind, p) for kind in ("right", "discard", "plant") for p in (2, 3, 4)}
    assert len({puzzle.id for puzzle in PUZZLES}) == len(PUZZLES)


@each(RightPuzzle)
def test_rights_are_exact(puzzle: RightPuzzle) -> None:
    board = puzzle.read_board()
    sheet = board.score()
    index = board.species.index(puzzle.species)
    assert puzzle.answer == [
        seat for seat, player in enumerate(sheet.players) if player.rows[index].right
    ]
    assert is_tricky(sheet, index)
    answer = [str(seat) for seat in puzzle.answer]
    assert judge(puzzle, answer)["right"]
    others = [str(seat) for seat in range(len(board.hands)) if seat not in puzzle.answer]
    assert not judge(puzzle, [*answer, *others[:1]][bool(not others) :])["right"]


@each(MovePuzzle)
def test_the_best_choice_is_best_beyond_its_interval(puzzle: MovePuzzle) -> None:
    assert puzzle.gap > puzzle.gap_half and puzzle.first_gap > puzzle.first_gap_half
    assert puzzle.search_gap > puzzle.search_gap_half and puzzle.search_gap >= LEAST_GAP
    assert (puzzle.searches, puzzle.simulations) == (RUNS, puzzle.worlds)
    assert puzzle.gap >= LEAST_GAP and puzzle.worlds == RECHECK * puzzle.first_worlds
    worths = [option.worth for option in puzzle.options]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] - worths[1] == pytest.approx(puzzle.gap, abs=2e-4)
    best = puzzle.options[0]
    assert best.wins == max(option.wins for option in puzzle.options) >= LEAST_WINS
    view = puzzle.read_view()
    assert sorted(legal_moves(view)) == sorted(option.move for option in puzzle.options)
    assert view.phase is (Phase.DISCARD if puzzle.kind == "discard" else Phase.PLACE)
    assert view.mover == view.seat
    assert len(set(puzzle.others.values()) - {option.move for option in puzzle.options}) == 0
    assert judge(puzzle, [best.move])["right"]
    missed = judge(puzzle, [puzzle.options[-1].move])
    assert not missed["right"] and missed["answer"] == [best.move]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=[puzzle.id for puzzle in PUZZLES])
def test_a_question_holds_no_answer_and_no_hidden_card(puzzle: Puzzle) -> None:
    question = json.dumps(puzzle_json(puzzle))
    for key in ("answer", "worth", "wins", "right_to", "others", 'class=\\"path'):
        assert key not in question
    if isinstance(puzzle, MovePuzzle):
        view = puzzle.read_view()
        table = puzzle_json(puzzle)["table"]
        shown = {card for hand in table["known"] for card in hand}
        seen = {*view.hand}.union(*view.known_hands)
        assert shown == set(map(view.config.card_text, seen))
        moves = puzzle_json(puzzle)["choices"]
        assert moves == list(legal_moves(view))  # in an order that tells nothing
