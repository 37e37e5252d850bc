"""``arboretum dataset``: the command, its refusals, and Ctrl-C in the middle of a run."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from arboretum_lab.cli.main import main
from tests.cli.interrupted import interrupted

TINY = ("--species", "3", "--ranks", "4", "--hand-size", "2", "--workers", "1")


def test_it_writes_and_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.parquet"
    arguments = ["dataset", "greedy", "random", "--games", "5", "--out", str(path), *TINY]
    assert main([*arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {
        "file": str(path),
        "rows": pq.read_metadata(path).num_rows,
        "games": 5,
        "bytes": path.stat().st_size,
        "resumed_parts": 0,
    }
    assert main(["dataset", "--verify", str(path)]) == 0
    assert capsys.readouterr().out == (
        f"{path}: {answer['rows']:,} rows of 5 games are what a replay gives\n"
    )
    assert main(arguments) == 2
    assert capsys.readouterr().err == (
        f"arboretum: error: {path} is there already: expected a new file\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["greedy"], "expected --out FILE"),
        (["--out", "{}/x.parquet"], "no agents: expected at least one"),
        (["gredy", "--out", "{}/x.parquet"], "gredy"),
        (["greedy", "--out", "{}/x.parquet", "--games", "0"], "0 games: expected at least 1"),
        (["greedy", "--out", "{}/x.parquet", "--rows", "moves"], "--rows moves: expected one of"),
        (["greedy", "--out", "{}/x.parquet", "--seed", "-1"], "seed -1: expected a non-negative"),
        (["--verify", "{}/x.parquet"], "x.parquet: No such file"),
        (["greedy", "--verify", "{}/x.parquet"], "--verify FILE stands alone"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dataset", *(word.format(tmp_path) for word in arguments)]) == 2
    printed = capsys.readouterr()
    [line] = printed.err.splitlines()
    assert message in line and printed.out == ""
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
def test_interrupted_it_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.parquet"
    words = ["dataset", "greedy", "--games", "20000", "--out", str(path), *TINY]
    parts = tmp_path / "games.parquet.parts"
    done = interrupted(words, tmp_path, lambda: len(list(parts.glob("part*.parquet"))) >= 2)
    kept = len(list(parts.glob("part*.parquet")))
    assert 2 <= kept < 79 and not path.exists()
    assert f"{kept} of 79 parts are kept in {parts}: the same command goes on" in done.stderr
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["resumed_parts"] == kept
    assert not parts.exists()
