"""The examples of docs/records.md are true."""

import json
import re
from pathlib import Path

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.records.arb_headers import OPTIONAL_HEADERS, REQUIRED_HEADERS
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.board_grid import board_from_grid
from arboretum_env.records.board_json import board_from_json
from arboretum_env.records.json_form import record_from_json
from arboretum_env.records.replay import replay
from arboretum_env.records.species_names import OTHER_PRINTING

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_game_is_valid_and_both_forms_are_one_record() -> None:
    [text] = blocks("arb")
    record = read_arb(text)
    game = replay(record)
    assert (game.finished, game.turns) == (True, 4)
    assert record_from_json(json.loads(blocks("json")[0])) == record


def test_both_boards_are_one_board() -> None:
    board = board_from_json(json.loads(blocks("json")[1]))
    [grid] = blocks("text")
    assert board_from_grid(grid) == board
    # C1 D2 C8: three cards, starts with the 1, ends with the 8.
    assert board.score().scores == (6, 0)


def test_every_header_is_explained() -> None:
    rows = re.findall(r"^\| `(\w+)`", PAGE, re.MULTILINE)
    explained = {name for name in rows if name[0].isupper()}
    named = {name for name in REQUIRED_HEADERS + OPTIONAL_HEADERS if not name.startswith("Seat")}
    assert named <= explained
    for name in REQUIRED_HEADERS:
        assert re.search(rf"^\| `{name}` .*\| an error \|$", PAGE, re.MULTILINE)


def test_the_other_printings_names_are_explained() -> None:
    for name, letter in OTHER_PRINTING.items():
        words = " ".join(PAGE.split())
        assert f"**{name} {letter}** ({SPECIES_NAMES[letter]};" in words
