"""What a ``GameRecord`` refuses to hold: the writer can write every record that exists."""

from dataclasses import replace
from pathlib import Path

import pytest

from arboretum_env.config import GameConfig
from arboretum_env.errors import CardError, RecordError
from arboretum_env.records.files import load_record
from arboretum_env.records.record import Draw, GameRecord, TurnRecord

GAMES = Path(__file__).parents[1] / "data" / "games"


@pytest.fixture(scope="module")
def record() -> GameRecord:
    return load_record(GAMES / "anu_game_1.arb")


@pytest.mark.parametrize("field", ["deal", "termination", "seats"])
@pytest.mark.parametrize("character", ['"', "\n", "\t", "\0", "\x85", "\ud800"])
def test_header_values_that_cannot_be_written(
    record: GameRecord, field: str, character: str
) -> None:
    value = f"a{character}b"
    change = {field: (value, "") if field == "seats" else value}
    with pytest.raises(RecordError, match="no double quote or control character"):
        replace(record, **change)


@pytest.mark.parametrize("comment", ["}", "a } b", "\udfff"])
def test_comments_that_cannot_be_written(record: GameRecord, comment: str) -> None:
    turns = (replace(record.turns[0], comment=comment), *record.turns[1:])
    with pytest.raises(RecordError, match="turn 1: the comment holds a character"):
        replace(record, turns=turns)


def with_turn(record: GameRecord, turn: TurnRecord) -> GameRecord:
    return replace(record, turns=(turn,), result=None, winners=None)


TWO_DRAWS = (Draw(), Draw())


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        (TurnRecord((Draw(),), card=3), "expected two draws, a plant and a discard"),
        (TurnRecord(TWO_DRAWS, cell=(0, 0)), "expected two draws, a plant and a discard"),
        (TurnRecord(TWO_DRAWS, card=3, discard=4), "expected two draws, a plant and a discard"),
        (TurnRecord((*TWO_DRAWS, Draw())), "expected two draws, a plant and a discard"),
        (TurnRecord((Draw(2, 3),)), "pile 2, expected a seat 0..1"),
        (TurnRecord((Draw(-2, 3),)), "pile -2, expected a seat 0..1"),
        (TurnRecord((Draw(card=3),)), "the card of a draw from the deck stands in the deck"),
        (TurnRecord((Draw(0, 3, seen=False),)), "a card taken from a pile is seen by all"),
        (TurnRecord(TWO_DRAWS, card=3, cell=(0, 100)), "coordinates within"),
    ],
)
def test_turns_that_cannot_be(record: GameRecord, turn: TurnRecord, reason: str) -> None:
    with pytest.raises(RecordError, match=f"turn 1: .*{reason}"):
        with_turn(record, turn)


def test_cards_of_moves_are_cards_in_play(record: GameRecord) -> None:
    for turn in (TurnRecord((Draw(0, 48),)), TurnRecord(TWO_DRAWS, card=-1)):
        with pytest.raises(CardError, match="is not in play"):
            with_turn(record, turn)


def test_only_the_last_turn_may_be_incomplete(record: GameRecord) -> None:
    turns = (replace(record.turns[0], discard=None), *record.turns[1:])
    with pytest.raises(RecordError, match="turn 1 is not complete, but another turn follows"):
        replace(record, turns=turns)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"result": (6, -1)}, "expected 2 scores of 0 or more"),
        ({"result": (6,)}, "expected 2 scores of 0 or more"),
        ({"winners": ()}, "expected seats of 0..1, ascending"),
        ({"winners": (1, 0)}, "expected seats of 0..1, ascending"),
        ({"winners": (-1,)}, "expected seats of 0..1, ascending"),
        ({"takebacks": -1}, "expected 0 or more"),
        ({"seats": ("A",)}, "1 seats given, expected 2"),
        ({"deck": ()}, "0 cards, expected the 34 left"),
        ({"discards": ((), (3,))}, "seat 1 starts with 1 cards, expected 0"),
    ],
)
def test_parts_that_contradict_each_other(
    record: GameRecord, change: dict[str, object], reason: str
) -> None:
    with pytest.raises(RecordError, match=reason):
        replace(record, **change)  # type: ignore[arg-type]


def test_defaults_follow_the_number_of_players() -> None:
    config = GameConfig(num_players=3, species=3, num_ranks=3, hand_size=2)
    record = GameRecord(config, hands=((0, 1), (2, 3), (4, 5)), deck=(6, 7, 8))
    assert record.seats == ("", "", "")
    assert record.discards == ((), (), ())
    assert (record.result_text, record.winners_text, record.num_decisions) == ("*", "", 0)
