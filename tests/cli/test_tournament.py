"""``arboretum tournament`` as a user calls it."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arboretum_lab.cli.main import main
from arboretum_lab.cli.tournament_watch import live_ratings, watching
from arboretum_training.evaluation.tournament import open_tournament
from tests.cli.interrupted import interrupted
from tests.evaluation.tournaments import settings_of

ARBORETUM = Path(sys.executable).parent / "arboretum"
SMALL = ["--deals", "3", "--seed", "7", "--workers", "1"]


def printed_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["tournament", *words, "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return json.loads(printed.out)


@pytest.mark.parametrize(
    ("players", "form", "games"), [(2, "round-robin", 18), (3, "mixed", 9), (4, "round-robin", 72)]
)
def test_json(
    players: int, form: str, games: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["greedy", "random", "random", "--players", str(players), "--format", form, *SMALL]
    report = printed_json(capsys, *words, "--out", str(tmp_path / "t"))
    assert (report["players"], report["format"], report["games"]) == (players, form, games)
    assert report["complete"] is True
    assert set(report["agents"]) == {"greedy", "random", "random#2"}
    assert next(iter(report["agents"])) == "greedy"
    ratings = [agent["rating"] for agent in report["agents"].values()]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) / 3 == pytest.approx(1000)
    for agent in report["agents"].values():
        low, high = agent["rating_ci95"]
        assert low <= agent["rating"] <= high
        assert len(agent["seat_win_rates"]) == players
    assert len(report["pairings"]) == 6
    ahead = {(pair["agent"], pair["against"]): pair["ahead"] for pair in report["pairings"]}
    for (one, other), share in ahead.items():
        assert share + ahead[other, one] == pytest.approx(1)
    assert (tmp_path / "t" / "results.json").read_text() == json.dumps(report, indent=2) + "\n"


def test_again_is_the_same_from_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["greedy", "random", *SMALL, "--out", str(tmp_path / "t"), "--anchor", "random"]
    first = printed_json(capsys, *words)
    assert first["agents"]["random"]["rating"] == 1000
    [unit] = (tmp_path / "t" / "units").rglob("*.json")
    before = unit.stat().st_mtime_ns
    assert printed_json(capsys, *words) == first
    assert unit.stat().st_mtime_ns == before


def test_table_page_and_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, games = tmp_path / "t", tmp_path / "games"
    words = ["greedy", "random", *SMALL, "--out", str(folder), "--save-games", str(games)]
    assert main(["tournament", *words]) == 0
    printed = capsys.readouterr()
    assert "greedy" in printed.out and "rating" in printed.out
    assert str(folder / "report.html") in printed.out.replace("\n", "")
    assert printed.err == ""
    assert (folder / "report.html").read_text().startswith("<!doctype html>")
    assert len(list(games.rglob("*.arb"))) == 6


def test_without_a_folder_the_settings_name_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed_json(capsys, "greedy", "random", *SMALL)
    [folder] = (tmp_path / "runs" / "tournaments").iterdir()
    assert folder.name.startswith("2p-")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "1 agents: expected 2 to 100 for a tournament"),
        (["randon"], "unknown agent 'randon'; did you mean 'random'?"),
        (["no/such/run"], "agent 'no/such/run': expected a run or checkpoint folder"),
        (["random", "--players", "5"], "game options: num_players 5: expected at most 4"),
        (["random", "--deals", "0"], "0 deals: expected at least 1"),
        (["random", "--seed", "-3"], "seed -3: expected"),
        (["random", "--workers", "0"], "--workers 0: expected"),
        (
            ["random", "--anchor", "bob"],
            "--anchor bob: expected one of the agents, random, random#2",
        ),
        (["random", "--max-minutes", "0"], "--max-minutes 0: expected more than 0"),
        (["random", "--format", "swiss"], "--format swiss: expected one of ('round-robin', 'mix"),
        (["random", "--players", "3", "--format", "mixed"], "2 agents at mixed tables of 3"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_made(
    words: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", "random", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith(f"arboretum: error: {message}")
    assert list(tmp_path.iterdir()) == []


def test_time_that_is_over_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "t"
    words = ["tournament", "greedy", "random", "blocker", *SMALL, "--out", str(folder)]
    assert main([*words, "--max-minutes", "1e-9"]) == 0
    printed = capsys.readouterr()
    assert "not complete" in printed.out
    assert "the same command goes on from there" in printed.err
    assert main(words) == 0
    printed = capsys.readouterr()
    assert "not complete" not in printed.out and printed.err == ""


def test_a_damaged_unit_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "greedy", "random", *SMALL, "--out", str(tmp_path)]
    assert main(words) == 0
    results = (tmp_path / "results.json").read_bytes()
    [unit] = (tmp_path / "units").rglob("*.json")
    unit.write_bytes(b"{}")
    capsys.readouterr()
    assert main(words) == 0
    assert "its games are played again" in capsys.readouterr().err
    assert (tmp_path / "results.json").read_bytes() == results


def test_ratings_are_refitted_while_it_runs(tmp_path: Path) -> None:
    tournament = open_tournament(tmp_path, settings_of(["greedy", "random", "blocker"], deals=70))
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=90)
    seen: list[str] = []
    with watching(tournament, "random", console) as watch:

        def look(now: object) -> None:
            watch(tournament)
            view = Console(file=io.StringIO(), width=90)
            view.print(live_ratings(tournament, None))
            assert isinstance(view.file, io.StringIO)
            seen.append(view.file.getvalue())

        tournament.play(watch=look)
    assert len(seen) == 6 and len(set(seen)) == 6
    assert "rating so far" in screen.getvalue() and "6/6" in screen.getvalue()
    assert all("greedy" in view and "random" in view for view in seen)


def test_nobody_looks_where_there_is_no_terminal(tmp_path: Path) -> None:
    tournament = open_tournament(tmp_path, settings_of(["greedy", "random"]))
    screen = io.StringIO()
    with watching(tournament, None, Console(file=screen)) as watch:
        tournament.play(watch=watch)
    assert screen.getvalue() == ""


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    words = ["tournament", "greedy", "random", "--deals", "64000", "--workers", "1"]
    done = interrupted(
        [*words, "--out", "t"], tmp_path, lambda: any(tmp_path.glob("t/units/*/b*.json"))
    )
    assert "the same command goes on from there" in " ".join(done.stderr.split())
    assert done.stderr.splitlines()[-1] == "arboretum: interrupted"
