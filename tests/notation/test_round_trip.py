"""Writing a record and reading it gives the same record, as text and as JSON."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from arboretum_env.records.arb_reader import parse_arb, read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.files import load_record, save_record
from arboretum_env.records.json_form import record_from_json, record_to_json
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import replay
from tests.notation.strategies import SOME, cut, random_record, records
from tests.random_games import CONFIGS


@SOME
@given(records())
def test_text_round_trip(record: GameRecord) -> None:
    text = write_arb(record)
    again = read_arb(text)
    assert again == record
    assert write_arb(again) == text


@SOME
@given(records())
def test_json_round_trip(record: GameRecord) -> None:
    document = json.dumps(record_to_json(record))
    assert record_from_json(json.loads(document)) == record


@SOME
@given(records())
def test_both_forms_have_the_same_content(record: GameRecord) -> None:
    through_text = record_to_json(read_arb(write_arb(record)))
    through_json = record_to_json(record_from_json(record_to_json(record)))
    assert through_text == through_json


@SOME
@given(records())
def test_windows_line_ends_read_alike(record: GameRecord) -> None:
    plain = replace(record, turns=tuple(replace(turn, comment="") for turn in record.turns))
    assert read_arb(write_arb(plain).replace("\n", "\r\n")) == plain


@pytest.mark.parametrize("name", CONFIGS)
def test_a_text_may_stop_after_any_token(name: str) -> None:
    record = random_record(name, 3)
    for decisions in range(0, record.num_decisions, 7):  # 7 and 5: every place within a turn
        part = cut(record, decisions)
        assert part.num_decisions == decisions
        text = write_arb(part)
        assert read_arb(text) == part
        game = replay(part)
        assert (game.finished, game.sheet) == (False, None)
        assert game.turns == decisions // 5
        assert len(game.position.actions) == decisions
        # A number whose turn has not begun is a place to stop, too.
        if decisions % 5 == 0:
            assert replay(read_arb(f"{text}\n{decisions // 5 + 1}.")).turns == decisions // 5


def test_a_text_cut_anywhere_gives_its_beginning_or_an_error() -> None:
    record = random_record("reduced 3", 1)
    text = write_arb(record)
    moves = text.index("\n\n") + 2
    for end in range(moves, len(text)):
        parsed = parse_arb(text[:end])
        assert parsed.record is not None
        read = parsed.record.turns
        if parsed.errors:
            [error] = parsed.errors  # half a token, such as "p1(C"
            assert text[:end].endswith(error.token)
        for turn, whole in zip(read[:-1], record.turns, strict=False):
            assert turn == whole


@SOME
@given(records())
def test_files(tmp_path_factory: pytest.TempPathFactory, record: GameRecord) -> None:
    folder: Path = tmp_path_factory.mktemp("records")
    for name in ("game.arb", "game.json"):
        save_record(record, folder / name)
        assert load_record(folder / name) == record
