"""``arboretum train``: a small run from end to end, what it leaves behind, and what it refuses."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from arboretum_lab.cli.main import main
from arboretum_training.metrics import check_name

TINY = [
    "--game.num-ranks=4",
    "--game.hand-size=3",
    "--rollout.games=16",
    "--rollout.turns=6",
    "--ppo.minibatches=4",
    "--evaluation.every=2",
    "--evaluation.deals=2",
    "--evaluation.final-deals=3",
    "--network.species-width=16",
    "--network.global-width=16",
    "--workers=1",
]
CONFIG = "name: tiny\nbudget: {decisions: 1500}\nthreads: 1\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("train")
    (folder / "tiny.yaml").write_text(CONFIG)
    return folder


def train(folder: Path, *more: str) -> int:
    return main(["train", str(folder / "tiny.yaml"), "--runs", str(folder), *TINY, *more])


@pytest.fixture(scope="module")
def run(folder: Path) -> Path:
    """A run of two players, with an option on the command line over one of the file."""
    assert train(folder, "--ppo.learning-rate", "1e-3", "--seed", "3") == 0
    return folder / "tiny"


def test_the_configuration_is_kept_resolved(run: Path) -> None:
    config = yaml.safe_load((run / "config.yaml").read_text())
    assert config["ppo"]["learning_rate"] == 1e-3
    assert config["ppo"]["clip"] == 0.2
    assert config["seed"] == 3
    assert config["budget"] == {"decisions": 1500, "minutes": None}
    launches = json.loads((run / "meta.json").read_text())["launches"]
    assert len(launches) == 1
    assert launches[0]["resumed_step"] is None


def test_the_log_has_defined_metrics_and_ends_with_the_budget(run: Path) -> None:
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    for row in rows:
        for name in row.keys() - {"step"}:
            check_name(name)
    trained = [row for row in rows if "progress/budget" in row]
    assert [row["progress/iteration"] for row in trained] == list(range(1, len(trained) + 1))
    assert trained[-2]["progress/budget"] < 1 <= trained[-1]["progress/budget"]
    assert any("evaluation/win_rate/greedy" in row for row in rows)
    assert int((run / "LATEST").read_text()) == trained[-1]["step"]


def test_the_end_is_measured_and_described(run: Path) -> None:
    step = (run / "LATEST").read_text().strip()
    reports = json.loads((run / "eval" / f"{step}.json").read_text())
    assert [list(report["agents"]) for report in reports] == [
        [str(run), "random"],
        [str(run), "greedy"],
    ]
    assert all(report["deals"] == 3 and report["games"] == 6 for report in reports)
    card = (run / "MODEL_CARD.md").read_text()
    assert "| `greedy` | 3 | 6 |" in card
    assert (run / "games" / "game5.svg").read_text().startswith("<")


def test_five_games_are_valid_records_with_the_policy_in_every_seat(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = sorted((run / "games").glob("*.arb"))
    assert [game.name for game in games] == [f"game{number}.arb" for number in range(1, 6)]
    for index, game in enumerate(games):
        assert main(["replay", str(game), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["valid"] is True
        assert f'[Seat{index % 2} "{run}"]' in game.read_text()


def test_the_result_plays(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", str(run), "random", "--deals", "2", "--ranks", "4", "--hand-size", "3"]
    assert main([*words, "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4
    assert main(["evaluate", str(run), "random", "--deals", "2", "--workers", "1"]) == 2
    assert "cannot play 2 players with 6 species of 8 ranks" in capsys.readouterr().err


@pytest.mark.parametrize("players", [3, 4])
def test_more_players(players: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"players{players}"
    assert train(folder, "--name", name, f"--game.num-players={players}") == 0
    assert f"{players} players, 3 deals" in capsys.readouterr().out
    config = yaml.safe_load((folder / name / "config.yaml").read_text())
    assert len(config["game"]["species"]) == {3: 8, 4: 10}[players]


def test_an_earlier_run_is_not_overwritten_unasked(
    run: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (run / "metrics.jsonl").read_bytes()
    assert train(folder) == 2
    assert "exists already: choose another name, resume it" in capsys.readouterr().err
    assert (run / "metrics.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected either a configuration file, first of all, or --resume RUN"),
        (["nowhere.yaml"], "nowhere.yaml: cannot be read: No such file or directory"),
        (["--resume", "nowhere"], "nowhere: is no run folder: expected config.yaml in it"),
        (["TINY", "--ppo.clip", "0"], "clip"),
        (["TINY", "--ppo.clipp", "0.1"], "--ppo.clip"),
        (["TINY", "--workers", "0"], "0 workers: expected at least 1"),
        (["TINY", "--evaluation.opponents", "greddy"], "unknown agent 'greddy'"),
        (["TINY", "--game.num-players", "5"], "num_players"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    words: list[str],
    message: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    line = [str(folder / "tiny.yaml") if word == "TINY" else word for word in words]
    assert main(["train", *line]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x\nbudget: {minutes: 1}\npppo: {}\n", "pppo: unknown key, did you mean ppo?"),
        ("name: x\n", "budget: missing, expected a value"),
        ("name: [", "is not YAML"),
    ],
)
def test_a_bad_file_is_explained(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    assert main(["train", str(file)]) == 2
    assert message in capsys.readouterr().err


def test_ctrl_c_saves_and_the_run_goes_on(folder: Path) -> None:
    words = [str(folder / "tiny.yaml"), "--runs", str(folder), *TINY, "--name=stopped"]
    script = "import sys; from arboretum_lab.cli.main import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "train", *words, "--budget.decisions=100000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    log = folder / "stopped" / "metrics.jsonl"
    deadline = time.monotonic() + 120
    while not (log.exists() and log.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=120)
    assert process.returncode == 130, error
    assert f"arboretum train --resume {folder / 'stopped'}" in out
    assert "Traceback" not in error
    step = int((folder / "stopped" / "LATEST").read_text())
    assert step > 0

    wanted = step + 1
    assert (
        main(
            [
                "train",
                "--resume",
                str(folder / "stopped"),
                f"--budget.decisions={wanted}",
                "--workers=1",
            ]
        )
        == 0
    )
    assert int((folder / "stopped" / "LATEST").read_text()) >= wanted
    assert (folder / "stopped" / "MODEL_CARD.md").exists()
