"""Finished units as files: the same games back, and nothing but whole files counts."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arboretum_training.evaluation.errors import DamagedFileError
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.unit_files import (
    canonical,
    digest,
    games_from_json,
    games_to_json,
    read_unit,
    write_unit,
)
from tests.evaluation.tournaments import REDUCED, made_games

ABOUT = {"settings": "ab" * 32, "table": 3, "block": 0}
GAMES = made_games([0, 0, 7], [[0, 1, 2], [2, 0, 1], [1, 2, 0]], [[5, 5, 5], [1, 9, 9], [4, 0, 2]])


def changed(path: Path, change: Any, *, hash_again: bool) -> None:
    data = json.loads(path.read_bytes())
    change(data)
    if hash_again:
        del data["sha256"]
        data["sha256"] = digest(data)
    path.write_bytes(canonical(data))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_come_back_to_the_bit(players: int, tmp_path: Path) -> None:
    games = evaluate(["random", "random"], REDUCED[players], deals=30, seed=2).games
    write_unit(tmp_path / "unit.json", ABOUT, games)
    back = read_unit(tmp_path / "unit.json", ABOUT)
    for name, values in vars(games).items():
        again = vars(back)[name]
        assert again.dtype == values.dtype, name
        assert again.tobytes() == np.ascontiguousarray(values).tobytes(), name


def test_shared_wins_by_hand() -> None:
    data = games_to_json(GAMES)
    assert data["winners"] == [[0, 1, 2], [1, 2], [0]]
    assert games_from_json(data).win_shares.tolist() == [
        [1 / 3, 1 / 3, 1 / 3],
        [0, 0.5, 0.5],
        [1, 0, 0],
    ]


def test_forfeits_by_hand() -> None:
    assert "forfeits" not in games_to_json(GAMES)
    forfeited = dataclasses.replace(GAMES, forfeits=np.array([-1, 2, 0]))
    data = games_to_json(forfeited)
    assert data["forfeits"] == [[1, 2], [2, 0]]
    assert games_from_json(data).forfeits.tolist() == [-1, 2, 0]


def test_equal_games_are_equal_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_unit(tmp_path / name, ABOUT, GAMES)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("length", [0, 1, 100, -1, -2, -20])
def test_a_file_that_was_cut_short(length: int, tmp_path: Path) -> None:
    path = tmp_path / "unit.json"
    write_unit(path, ABOUT, GAMES)
    whole = path.read_bytes().rstrip(b"\n")
    path.write_bytes(whole[:length])
    with pytest.raises(DamagedFileError, match=r"unit\.json: is no finished unit"):
        read_unit(path, ABOUT)


def test_a_figure_that_was_changed(tmp_path: Path) -> None:
    path = tmp_path / "unit.json"
    write_unit(path, ABOUT, GAMES)
    changed(path, lambda data: data["games"]["points"][0].__setitem__(0, 6), hash_again=False)
    with pytest.raises(DamagedFileError, match="does not have its own hash"):
        read_unit(path, ABOUT)


@pytest.mark.parametrize("key", ["settings", "table", "block", "format"])
def test_a_unit_of_something_else(key: str, tmp_path: Path) -> None:
    path = tmp_path / "unit.json"
    write_unit(path, ABOUT, GAMES)
    changed(path, lambda data: data.__setitem__(key, 8), hash_again=True)
    with pytest.raises(DamagedFileError, match="is of another unit or other settings"):
        read_unit(path, ABOUT)


@pytest.mark.parametrize("text", ["[]", "3", "null", '{"sha256": 3}', "\x00", "{" * 5000])
def test_files_that_are_no_units(text: str, tmp_path: Path) -> None:
    path = tmp_path / "unit.json"
    path.write_text(text)
    with pytest.raises(DamagedFileError):
        read_unit(path, ABOUT)
