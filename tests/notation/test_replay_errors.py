"""Records whose moves or claims are false: the error names the line and the token."""

from dataclasses import replace
from pathlib import Path

import pytest

from arboretum_env.errors import RecordError
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.json_form import record_from_json, record_to_json
from arboretum_env.records.replay import positions, replay

GAMES = Path(__file__).parents[1] / "data" / "games"
TWO = (GAMES / "anu_game_1.arb").read_text(encoding="utf-8")
THREE = (GAMES / "three_players_reduced.arb").read_text(encoding="utf-8")

# The first move of the two-player game stands on line 13, that of the other one on line 16.
ILLEGAL = [
    # text, old, new, line, token, part of the reason
    (TWO, "1. d d", "1. d p0(C6)", 13, "p0(C6)", "seat 0's discard pile is empty"),
    (TWO, "2. p0(L2)", "2. p0(V1)", 14, "p0(V1)", "top of seat 0's discard pile is L2"),
    (TWO, "2. p0(L2)", "2. p1(L2)", 14, "p1(L2)", "seat 1's discard pile is empty"),
    (TWO, "3. p1(V1) d", "3. p1(V1) p1(V1)", 15, "p1(V1)", "discard pile is empty"),
    (TWO, "1. d d C6@0,0", "1. d d M1@0,0", 13, "M1@0,0", "M1 is not in seat 0's hand"),
    (TWO, "1. d d C6@0,0", "1. d d C4@0,0", 13, "C4@0,0", "C4 is not in seat 0's hand"),
    (TWO, "1. d d C6@0,0", "1. d d C6@1,0", 13, "C6@1,0", "first card of an arboretum stands"),
    (TWO, "D6@0,-1", "D6@0,0", 15, "D6@0,0", "C6 stands at 0,0 already"),
    (TWO, "D6@0,-1", "D6@1,-1", 15, "D6@1,-1", "not next to any card of seat 0's arboretum"),
    # 19 is the side of the two-player torus, on which 0,18 is the cell below the first card.
    (TWO, "D6@0,-1", "D6@0,18", 15, "D6@0,18", "not next to any card of seat 0's arboretum"),
    (TWO, "D6@0,-1", "D6@19,-1", 15, "D6@19,-1", "not next to any card"),
    (TWO, "C6@0,0 xL2", "C6@0,0 xC6", 13, "xC6", "C6 is not in seat 0's hand"),
    (TWO, "C6@0,0 xL2", "C6@0,0 xM8", 13, "xM8", "M8 is not in seat 0's hand"),
    (TWO, "33. p1(J1) d", "33. d d", 45, "d", "the deck is empty"),
    (TWO, "xJ1 {6-16", "xJ1\n34. d {6-16", 46, "d", "the game is over after turn 33"),
    (THREE, "1. p1(D2)", "1. p0(D2)", 16, "p0(D2)", "seat 0's discard pile is empty"),
    (THREE, "1. p1(D2)", "1. p2(D2)", 16, "p2(D2)", "top of seat 2's discard pile is J1"),
]


@pytest.mark.parametrize(("text", "old", "new", "line", "token", "reason"), ILLEGAL)
def test_illegal_moves(text: str, old: str, new: str, line: int, token: str, reason: str) -> None:
    assert text.count(old) == 1
    with pytest.raises(RecordError) as caught:
        replay(read_arb(text.replace(old, new)))
    assert (caught.value.line, caught.value.token) == (line, token)
    assert reason in caught.value.reason


FALSE_CLAIMS = [
    (TWO, '[Result "6-16"]', '[Result "7-16"]', 10, "7-16", "the moves end the game with 6-16"),
    (TWO, '[Result "6-16"]', '[Result "16-6"]', 10, "16-6", "the moves end the game with 6-16"),
    (TWO, '"6-16"]\n[Winners "1"]', '"*"]', 10, "*", "the moves end the game with 6-16"),
    (TWO, '[Winners "1"]', '[Winners "0"]', 11, "0", "the winners are 1"),
    (TWO, '[Winners "1"]', '[Winners "0 1"]', 11, "0 1", "the winners are 1"),
    (THREE, '[Result "6-0-0"]', '[Result "6-0-1"]', 13, "6-0-1", "with 6-0-0"),
    (TWO, " L6@0,-3 xJ1 {", " L6@0,-3 {", 10, "6-16", "moves stop before the end of the game"),
]


@pytest.mark.parametrize(("text", "old", "new", "line", "token", "reason"), FALSE_CLAIMS)
def test_false_claims(text: str, old: str, new: str, line: int, token: str, reason: str) -> None:
    assert text.count(old) == 1
    with pytest.raises(RecordError) as caught:
        replay(read_arb(text.replace(old, new)))
    assert (caught.value.line, caught.value.token) == (line, token)
    assert reason in caught.value.reason


def test_winners_may_be_left_out() -> None:
    game = replay(read_arb(TWO.replace('[Winners "1"]\n', "")))
    assert game.sheet is not None and game.sheet.winners == (1,)


def test_every_single_tampered_score_is_found() -> None:
    record = read_arb(TWO)
    assert record.result == (6, 16)
    for seat, points in ((0, 5), (0, 7), (1, 15), (1, 17), (1, 0)):
        claimed = tuple(points if seat == other else record.result[other] for other in (0, 1))
        with pytest.raises(RecordError, match="the moves end the game with 6-16"):
            replay(replace(record, result=claimed))


def test_positions_before_an_illegal_move_can_be_looked_at() -> None:
    record = read_arb(TWO.replace("D6@0,-1", "D6@5,5"))
    seen: list[int] = []
    with pytest.raises(RecordError, match="not next to any card"):
        seen.extend(len(position.actions) for position in positions(record))
    # Two whole turns, then two draws and the choice of the card.
    assert seen == list(range(14))


def test_errors_of_a_record_without_text_have_no_line() -> None:
    record = record_from_json(record_to_json(read_arb(TWO.replace("D6@0,-1", "D6@5,5"))))
    with pytest.raises(RecordError) as caught:
        replay(record)
    assert (caught.value.line, caught.value.token) == (None, "D6@5,5")
    assert str(caught.value).startswith("'D6@5,5': turn 3: ")


def test_forfeit_names_its_winner() -> None:
    unfinished = (GAMES / "unfinished.arb").read_text(encoding="utf-8")
    end = '[Termination "forfeit seat 1: illegal move"] [Result "*"] [Winners "0"]'
    record = read_arb(unfinished.replace('[Result "*"]', end))
    assert (record.forfeited_by, record.winners) == (1, (0,))
    assert replay(record).finished is False
    with pytest.raises(RecordError, match="a seat that forfeited cannot win"):
        read_arb(unfinished.replace('[Result "*"]', end.replace('"0"', '"1"')))
