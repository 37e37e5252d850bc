"""Tournaments in their folders: the same bytes however they came about, other settings refused."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, read_checkpoint
from arboretum_env.config import GameConfig
from arboretum_env.errors import IllegalActionError
from arboretum_env.records.files import load_record
from arboretum_env.records.replay import replay
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.standings import standings
from arboretum_training.evaluation.tournament import (
    Tournament,
    default_folder,
    open_tournament,
)
from arboretum_training.evaluation.tournament_report import to_json
from tests.evaluation.stub_agents import FirstLegal, LastLegal, NeverLegal
from tests.evaluation.test_networks import saved_network
from tests.evaluation.tournaments import every_byte, played, settings_of

ROOT = Path(__file__).parents[2]
AGENTS = ["random", FirstLegal, LastLegal]


def report_of(tournament: Tournament) -> str:
    return json.dumps(to_json(standings(tournament)), allow_nan=False)


@pytest.mark.parametrize(
    ("players", "form"), [(2, "round-robin"), (3, "round-robin"), (3, "mixed"), (4, "round-robin")]
)
def test_every_table_plays_every_deal(players: int, form: str, tmp_path: Path) -> None:
    settings = settings_of(AGENTS, players, form, deals=70)  # type: ignore[arg-type]
    tournament = played(tmp_path, settings)
    games, tables = tournament.games()
    assert tournament.units == 2 * len(settings.tables) == len(tournament.finished)
    assert len(games) == len(settings.tables) * 70 * players
    for table, agents in enumerate(settings.tables):
        seating = games.seating[tables == table]
        assert set(seating.ravel()) == set(agents)
        assert sorted(set(games.deal_id[tables == table])) == list(range(70))


def test_the_number_of_workers_cannot_be_seen(tmp_path: Path) -> None:
    settings = settings_of(AGENTS, deals=70)
    one, two = played(tmp_path / "1", settings), played(tmp_path / "2", settings, workers=2)
    assert every_byte(tmp_path / "1") == every_byte(tmp_path / "2")
    assert report_of(one) == report_of(two)


def test_going_on_plays_only_what_is_missing(tmp_path: Path) -> None:
    settings = settings_of(AGENTS, deals=70)
    played(tmp_path, settings)
    before = every_byte(tmp_path)
    paths = sorted((tmp_path / "units").rglob("*.json"))
    for path in paths[2:]:
        path.unlink()
    kept = [path.stat().st_mtime_ns for path in paths[:2]]
    tournament = open_tournament(tmp_path, settings)
    assert len(tournament.finished) == 2 and not tournament.complete
    calls: list[int] = []
    tournament.play(watch=lambda now: calls.append(len(now.finished)))
    assert calls == [3, 4, 5, 6]
    assert every_byte(tmp_path) == before
    assert [path.stat().st_mtime_ns for path in paths[:2]] == kept


def test_a_damaged_unit_is_told_and_played_again(tmp_path: Path) -> None:
    settings = settings_of(AGENTS, deals=3)
    played(tmp_path, settings)
    before = every_byte(tmp_path)
    first, second, _ = sorted((tmp_path / "units").rglob("*.json"))
    first.write_bytes(first.read_bytes()[:50])
    second.write_bytes(second.read_bytes().replace(b'"points":[[', b'"points":[[1'))
    tournament = open_tournament(tmp_path, settings)
    assert len(tournament.finished) == 1
    assert [str(first) in tournament.damaged[0], str(second) in tournament.damaged[1]] == [True] * 2
    tournament.play()
    assert every_byte(tmp_path) == before


def test_what_a_crash_left_half_written_does_not_count(tmp_path: Path) -> None:
    settings = settings_of(AGENTS, deals=3)
    expected = report_of(played(tmp_path / "whole", settings))
    folder = tmp_path / "crashed"
    open_tournament(folder, settings)
    (folder / "units" / "t0000").mkdir(parents=True)
    (folder / "units" / "t0000" / ".tmp-b00000.json").write_text('{"games":')
    assert report_of(played(folder, settings)) == expected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 5}, "seed 4, not 5"),
        ({"deals": 4}, "deals 3, not 4"),
        ({"agents": ["random", FirstLegal, "greedy"]}, r"LastLegal \([0-9a-f]{12}\), not .*greedy"),
        ({"players": 3}, "game .*'num_players': 2.*, not .*'num_players': 3"),
        ({"form": "mixed"}, "form round-robin, not mixed"),
    ],
)
def test_other_settings_are_refused(
    change: dict[str, object], message: str, tmp_path: Path
) -> None:
    open_tournament(tmp_path, settings_of(AGENTS))
    before = every_byte(tmp_path)
    expected = f"holds a tournament with other settings: .*{message}"
    with pytest.raises(EvaluationError, match=expected):
        open_tournament(tmp_path, settings_of(**{"agents": AGENTS, **change}))  # type: ignore[arg-type]
    assert every_byte(tmp_path) == before


def test_a_run_takes_part_with_the_checkpoint_that_it_had(tmp_path: Path) -> None:
    run = saved_network(tmp_path / "run", GameConfig())
    settings = settings_of(["random", str(run)], config=GameConfig(), deals=2)
    open_tournament(tmp_path / "t", settings)
    # The run goes on: its pointer moves, the old checkpoint stays for a while.
    newer = replace(read_checkpoint(find_checkpoint(run)), step=2)
    save_checkpoint(run, newer, keep=2)
    assert played(tmp_path / "t", settings).complete
    changed = settings_of(["random", str(run)], config=GameConfig(), deals=2)
    with pytest.raises(EvaluationError, match=r"other settings: agents random .*, not random"):
        open_tournament(tmp_path / "t", changed)
    assert default_folder(changed) != default_folder(settings)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(EvaluationError, match="holds something else"):
        open_tournament(tmp_path, settings_of(AGENTS))
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "tournament.json").write_text("{")
    with pytest.raises(EvaluationError, match="is not JSON"):
        open_tournament(tmp_path / "t", settings_of(AGENTS))


def test_a_folder_is_named_by_everything_that_is_played() -> None:
    names = {
        str(default_folder(settings))
        for settings in (
            settings_of(AGENTS),
            settings_of(AGENTS, seed=5),
            settings_of(AGENTS, deals=4),
            settings_of(AGENTS, 3),
            settings_of(AGENTS[::-1]),
        )
    }
    assert len(names) == 5
    assert default_folder(settings_of(AGENTS)) == default_folder(settings_of(AGENTS))
    assert all(name.startswith(("runs/tournaments/2p-", "runs/tournaments/3p-")) for name in names)


def test_saved_games_are_all_there_also_when_asked_for_later(tmp_path: Path) -> None:
    settings = settings_of(AGENTS, deals=3)
    played(tmp_path / "t", settings)
    before = every_byte(tmp_path / "t")
    games = tmp_path / "games"
    tournament = open_tournament(tmp_path / "t", settings)
    tournament.play(save_games=games)
    assert every_byte(tmp_path / "t") == before
    paths = sorted(games.rglob("*.arb"))
    assert len(paths) == 3 * 3 * 2
    all_games, _ = tournament.games()
    for row, path in enumerate(paths):
        record = load_record(path)
        assert replay(record).finished
        assert record.result == tuple(all_games.points[row])
        assert record.seats == tuple(settings.names[agent] for agent in all_games.seating[row])
    saved = every_byte(games)
    paths[4].unlink()
    open_tournament(tmp_path / "t", settings).play(save_games=games)
    assert every_byte(games) == saved
    with pytest.raises(EvaluationError, match="other settings"):
        played(tmp_path / "other", settings_of(AGENTS, seed=9)).play(save_games=games)


def test_time_that_is_over_keeps_what_is_done(tmp_path: Path) -> None:
    settings = settings_of(AGENTS, deals=3)
    tournament = open_tournament(tmp_path / "short", settings)
    assert not tournament.play(minutes=1e-9)
    assert len(tournament.finished) == 1
    assert not standings(tournament).complete
    again = played(tmp_path / "short", settings)
    assert report_of(again) == report_of(played(tmp_path / "long", settings))


def test_an_illegal_move_ends_it(tmp_path: Path) -> None:
    with pytest.raises(IllegalActionError, match="NeverLegal"):
        played(tmp_path, settings_of([FirstLegal, NeverLegal]))


@pytest.mark.parametrize(("deals", "seed"), [(0, 1), (1, -1)])
def test_settings_that_cannot_be(deals: int, seed: int) -> None:
    with pytest.raises(EvaluationError, match="expected"):
        settings_of(AGENTS, deals=deals, seed=seed)


KILLED = """
import sys
import time
from dataclasses import replace
from pathlib import Path
from arboretum_training.evaluation.tournament import open_tournament
from tests.evaluation.test_tournament import AGENTS
from tests.evaluation.tournaments import settings_of

def wait_in_the_end(tournament):
    if len(tournament.finished) == 20:
        time.sleep(600)  # whoever is slow to kill it finds it unfinished all the same

if __name__ == "__main__":
    tournament = open_tournament(Path(sys.argv[1]), settings_of(AGENTS, deals=640))
    tournament.play(workers=int(sys.argv[2]), watch=wait_in_the_end)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_killed_and_gone_on_with(workers: int, tmp_path: Path) -> None:
    script = tmp_path / "main.py"
    script.write_text(KILLED)
    folder = tmp_path / "killed"
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder), str(workers)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    try:
        while len(list(folder.glob("units/*/b*.json"))) < 3:
            if process.poll() is not None:
                pytest.fail(f"ended with {process.returncode} before it was killed")
            time.sleep(0.001)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # the workers too
        process.wait()
    settings = settings_of(AGENTS, deals=640)
    tournament = open_tournament(folder, settings)
    assert 3 <= len(tournament.finished) < tournament.units == 30
    assert tournament.damaged == []
    assert tournament.play()
    whole = played(tmp_path / "whole", settings)
    assert report_of(tournament) == report_of(whole)
    left = {name for name in every_byte(folder) if ".tmp-" in name}
    assert {name: data for name, data in every_byte(folder).items() if name not in left} == (
        every_byte(tmp_path / "whole")
    )
