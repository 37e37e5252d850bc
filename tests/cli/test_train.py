"""``arboretum train``: a tiny run from end to end, what it leaves, and what is refused."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml

from arboretum_agents.neural.checkpoint_reader import (
    find_checkpoint,
    latest_step,
    read_checkpoint,
    step_name,
)
from arboretum_env.config import GameConfig
from arboretum_env.records.files import load_record
from arboretum_lab.cli.main import main
from arboretum_lab.cli.train import parse
from arboretum_training.config import (
    BudgetConfig,
    CheckpointConfig,
    EvaluationConfig,
    ExperimentConfig,
    dump_experiment,
    load_experiment,
)
from arboretum_training.metrics import check_name
from tests.training.experiments import experiment

ROOT = Path(__file__).parents[2]
ARBORETUM = Path(sys.executable).parent / "arboretum"
TINY = experiment(
    GameConfig(num_players=2, species=4, num_ranks=5, hand_size=3),
    games=12,
    turns=4,
    seed=2,
    budget=BudgetConfig(decisions=900),
    evaluation=EvaluationConfig(every=2, deals=2, final_deals=3),
    checkpoint=CheckpointConfig(every=2, keep=2),
)

pytestmark = pytest.mark.usefixtures("one_thread")


def write(folder: Path, config: ExperimentConfig = TINY, extra: str = "") -> Path:
    path = folder / "tiny.yaml"
    path.write_text(dump_experiment(config) + extra, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder and the printed text of a tiny run, launched as a user does."""
    folder = tmp_path_factory.mktemp("work")
    write(folder)
    done = subprocess.run(
        [ARBORETUM, "train", "tiny.yaml", "--workers", "1", "--ppo.learning-rate", "3e-3"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return folder / "runs" / "tiny", done.stdout


def rows(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def test_the_run_folder(finished: tuple[Path, str]) -> None:
    run, _ = finished
    assert {path.name for path in run.iterdir()} == {
        "config.yaml",
        "meta.json",
        "metrics.jsonl",
        "tb",
        "checkpoints",
        "LATEST",
        "eval",
        "games",
        "past",
        "MODEL_CARD.md",
    }
    config = load_experiment(run / "config.yaml")
    ppo = TINY.ppo.model_copy(update={"learning_rate": 3e-3})
    assert config == TINY.model_copy(update={"ppo": ppo})
    [launch] = json.loads((run / "meta.json").read_text())["launches"]
    assert launch["command"][:3] == ["arboretum", "train", "tiny.yaml"]
    assert list((run / "tb").iterdir())


def test_its_log_holds_defined_metrics_only(finished: tuple[Path, str]) -> None:
    run, _ = finished
    logged = rows(run)
    for row in logged:
        for name, value in row.items():
            if name != "step":
                check_name(name)
            assert value is None or isinstance(value, int | float)
    steps = [row["step"] for row in logged]
    assert steps == sorted(steps)
    iterations = [row for row in logged if "progress/iteration" in row]
    assert [row["progress/iteration"] for row in iterations] == list(range(1, len(iterations) + 1))
    assert iterations[-1]["progress/budget"] >= 1 > iterations[-2]["progress/budget"]
    measured = [row for row in logged if "evaluation/win_rate/greedy" in row]
    assert len(measured) == len(iterations) // 2
    assert all("evaluation/win_rate/random" in row for row in measured)


def test_its_checkpoints(finished: tuple[Path, str]) -> None:
    run, _ = finished
    last = rows(run)[-1]["step"]
    assert latest_step(run) == last
    saved = sorted(path.name for path in (run / "checkpoints").iterdir())
    assert len(saved) == 2
    assert saved[-1] == step_name(last)
    checkpoint = read_checkpoint(find_checkpoint(run))
    assert checkpoint.step == last
    assert checkpoint.game == TINY.game
    assert {"weights", "critic", "optimizer", "games", "carried"} <= set(checkpoint.tensors)


def test_its_measurement_and_model_card(finished: tuple[Path, str]) -> None:
    run, printed = finished
    [file] = (run / "eval").iterdir()
    assert file.stem == step_name(rows(run)[-1]["step"])
    reports = json.loads(file.read_text())
    assert [list(report["agents"])[1] for report in reports] == ["random", "greedy"]
    for report in reports:
        assert (report["deals"], report["games"]) == (3, 6)
        assert {"agents", "margin", "margin_ci95", "denied_points"} <= report.keys()
    card = (run / "MODEL_CARD.md").read_text()
    digest = read_checkpoint(find_checkpoint(run)).digest
    assert digest is not None
    assert card.startswith("# tiny\n")
    assert digest[:12] in card
    assert "| `greedy` | 3 | 6 |" in card
    assert "tiny: 2 players, 3 deals" in printed
    # One row a pairing, the bots among themselves too.
    lines = printed.splitlines()
    pairs = [line.split()[:2] for line in lines if re.search(r"\(\d+\.\d\.\.\d", line)]
    assert pairs[:2] == [["tiny", "random"], ["tiny", "greedy"]]
    assert sorted(pairs[2]) == ["greedy", "random"]
    assert len(pairs) == 3


def test_its_games(finished: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    run, _ = finished
    records = sorted((run / "games").glob("game*.arb"))
    assert [path.name for path in records] == [f"game{number}.arb" for number in range(1, 6)]
    policy_seats = []
    for path in records:
        assert main(["replay", str(path), "--json"]) == 0
        replay = json.loads(capsys.readouterr().out)
        assert replay["valid"] is True
        assert len(replay["scores"]) == 2
        assert replay["winners"]
        seats = load_record(path).seats
        policy_seats.append(seats.index("runs/tiny"))
        assert set(seats) == {"runs/tiny", "greedy"}
    assert policy_seats == [0, 1, 0, 1, 0]
    [picture] = (run / "games").glob("*.svg")
    assert ET.parse(picture).getroot().tag.endswith("svg")


def test_its_games_on_the_way(
    finished: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Two a measurement, of the same deal, by the policy as it was then."""
    run, _ = finished
    measured = [row["step"] for row in rows(run) if "evaluation/rating" in row]
    assert len(measured) >= 2
    records = sorted((run / "games").glob("0*.arb"))
    assert [path.name for path in records] == [
        f"{step_name(step)}-{number}.arb" for step in measured for number in (1, 2)
    ]
    for path, step in zip(records, (step for step in measured for _ in range(2)), strict=True):
        assert main(["replay", str(path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["valid"] is True
        record = load_record(path)
        seats = [f"tiny@{step}", "greedy"]
        assert list(record.seats) == (seats if path.name.endswith("-1.arb") else seats[::-1])
        assert record.deal == "evaluate seed 2 deal 0"
        assert record.hands == load_record(records[0]).hands


def test_the_commands_it_suggests_work(
    finished: tuple[Path, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, printed = finished
    monkeypatch.chdir(run.parents[1])
    _, _, suggestions = printed.partition("try next:\n")
    lines = [line.split() for line in suggestions.splitlines()]
    commands = [words for program, *words in lines if Path(program).name == "arboretum"]
    assert [words[0] for words in commands] == ["replay", "render", "evaluate", "train"]
    few = {"1000": "2"}
    for words in commands[:3]:
        assert main([few.get(word, word) for word in words]) == 0
    assert (ROOT / commands[3][1]).is_file()
    capsys.readouterr()


def test_the_policy_is_an_agent(
    finished: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    run, _ = finished
    game = ["--species", "4", "--ranks", "5", "--hand-size", "3"]
    small = ["--deals", "2", "--workers", "1", "--json"]
    assert main(["evaluate", str(run), "greedy", *game, *small]) == 0
    assert list(json.loads(capsys.readouterr().out)["agents"]) == [str(run), "greedy"]
    assert main(["evaluate", str(run), "greedy", *small]) == 2
    assert "cannot play 2 players with 6 species" in capsys.readouterr().err


@pytest.mark.parametrize("players", [3, 4])
def test_other_numbers_of_players(
    tmp_path: Path, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """By an option; the species in play follow."""
    config = TINY.model_copy(update={"game": GameConfig()})
    words = [str(write(tmp_path, config)), "--runs", str(tmp_path / "runs"), "--workers", "1"]
    words += ["--game.num-players", str(players), "--budget.decisions", "100"]
    assert main(["train", *words]) == 0
    run = tmp_path / "runs" / "tiny"
    game = load_experiment(run / "config.yaml").game
    assert game == GameConfig(num_players=players)
    assert game.num_species == {3: 8, 4: 10}[players]
    assert f"tiny: {players} players, 3 deals" in capsys.readouterr().out
    for number in range(1, 6):
        assert main(["replay", str(run / "games" / f"game{number}.arb"), "--json"]) == 0
        replay = json.loads(capsys.readouterr().out)
        assert replay["valid"] is True
        assert len(replay["scores"]) == players
    [file] = (run / "eval").iterdir()
    for report in json.loads(file.read_text()):
        assert report["games"] == 3 * players


def test_a_run_is_overwritten_only_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(write(tmp_path)), "--runs", str(tmp_path / "runs"), "--workers", "1"]
    words += ["--budget.decisions", "1", "--evaluation.opponents", "random"]
    run = tmp_path / "runs" / "tiny"
    assert main(["train", *words]) == 0
    (run / "mine.txt").write_text("a note")
    capsys.readouterr()
    assert main(["train", *words]) == 2
    line = one_line(capsys)
    assert f"{run}: exists already: " in line
    for option in ("another --name", f"--resume {run}", "--overwrite"):
        assert option in line
    assert (run / "mine.txt").exists()
    assert main(["train", *words, "--overwrite", "--seed", "3"]) == 0
    assert not (run / "mine.txt").exists()
    assert load_experiment(run / "config.yaml").seed == 3


def test_a_budget_of_the_other_kind_replaces_that_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(write(tmp_path)), "--runs", str(tmp_path / "runs"), "--workers", "1"]
    words += ["--budget.minutes", "0.0001", "--evaluation.opponents", "random"]
    assert main(["train", *words]) == 0
    config = load_experiment(tmp_path / "runs" / "tiny" / "config.yaml")
    assert (config.budget.minutes, config.budget.decisions) == (0.0001, None)
    capsys.readouterr()


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith("arboretum: error: ")
    assert "errors.pydantic.dev" not in line
    return line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected either a configuration file, first of all, or --resume RUN"),
        (["--overwrite"], "expected either a configuration file, first of all, or --resume RUN"),
        (["gone.yaml"], "gone.yaml: cannot be read: No such file or directory"),
        (["tiny.yaml", "--resume", "runs/tiny"], "expected either a configuration file"),
        (["--resume", "nowhere"], "nowhere: is no run folder: expected config.yaml in it"),
        (["--resume=."], ".: is no run folder: expected config.yaml in it"),
        (["--resume"], "error: --resume: expected the folder of a run"),
        (["--resume="], "error: --resume: expected the folder of a run"),
        (["--resume", "--overwrite"], "error: --resume: expected the folder of a run"),
        (["tiny.yaml", "--resume"], "error: --resume: expected the folder of a run"),
        (["tiny.yaml", "more"], "Unrecognized options: more"),
        (["tiny.yaml", "--ppo.learning-rat", "1"], "perhaps --ppo.learning-rate?"),
        (["tiny.yaml", "--ppo.clip", "-1"], "error: ppo.clip -1.0: expected more than 0 (see"),
        (["tiny.yaml", "--ppo.lam", "nan"], "error: ppo.lam nan: expected a finite number (see"),
        (
            ["tiny.yaml", "--budget.decisions", "many"],
            "error: --budget.decisions many: expected an integer or None (see",
        ),
        (
            ["tiny.yaml", "--budget.decisions", "5", "--budget.minutes", "5"],
            "expected either decisions or minutes",
        ),
        (
            ["tiny.yaml", "--game.num-players", "7"],
            "error: game options: num_players 7: expected at most 4 (see",
        ),
        (["tiny.yaml", "--game.hand-size", "7", "--game.num-ranks", "3"], "leave a deck of"),
        (["tiny.yaml", "--rollout.games", "0"], "error: rollout.games 0: expected at least 1 (see"),
        (
            ["tiny.yaml", "--rollout.reward", "best"],
            "--rollout.reward best: expected one of ('win', 'margin', 'mixed')",
        ),
        (["tiny.yaml", "--threads", "0"], "error: threads 0: expected at least 1"),
        (["tiny.yaml", "--seed", "-1"], "error: seed -1: expected at least 0"),
        (
            ["tiny.yaml", "--name", "../up"],
            "error: name '../up': expected a text of the form ^[A-Za-z0-9]",
        ),
        (["tiny.yaml", "--workers", "0"], "--workers 0: expected at least 1"),
        (["tiny.yaml", "--evaluation.opponents", "a", "a"], "opponents ['a', 'a']: expected"),
        (["tiny.yaml", "--evaluation.opponents", "gredy"], "did you mean 'greedy'?"),
        (["tiny.yaml", "--runs", "tiny.yaml"], "tiny.yaml/tiny: cannot be made: Not a directory"),
    ],
)
def test_bad_input_is_one_line_before_anything_is_made(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    assert main(["train", *words]) == 2
    assert message in one_line(capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.yaml"]


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("pp0: {clip: 0.1}\n", "pp0: unknown key, did you mean ppo?"),
        ("rollouts: {}\n", "rollouts: unknown key, did you mean rollout?"),
        ("zzz: 1\n", "zzz: unknown key, expected one of name, trainer, seed"),
    ],
)
def test_unknown_keys_of_the_file_are_named_with_what_was_meant(
    tmp_path: Path, extra: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, extra=extra)
    assert main(["train", str(path)]) == 2
    assert f"{path}: {message}" in one_line(capsys)


@pytest.mark.parametrize(("option", "kept"), [("cancel", True), ("no-cancel", False)])
def test_a_switch_has_an_option_for_either_way(
    tmp_path: Path, option: str, kept: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    game = GameConfig(species=4, num_ranks=5, hand_size=3, cancel_eights=not kept)
    path = write(tmp_path, TINY.model_copy(update={"game": game}))
    command = parse([str(path), f"--game.{option}-eights"])
    assert command.experiment.game.cancel_eights is kept
    assert main(["train", str(path), "--help"]) == 0
    assert "--game.cancel-eights, --game.no-cancel-eights" in capsys.readouterr().out


def test_help_shows_the_values_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", str(write(tmp_path)), "--help"]) == 0
    text = capsys.readouterr().out
    for option in ("--ppo.learning-rate", "--game.num-players", "--budget.minutes", "--resume"):
        assert option in text
    assert "900" in text  # the budget of this file, in no other


@pytest.fixture
def resumable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A finished run of few decisions."""
    words = [str(write(tmp_path)), "--runs", str(tmp_path / "runs"), "--workers", "1"]
    assert main(["train", *words, "--budget.decisions", "1"]) == 0
    capsys.readouterr()
    return tmp_path / "runs" / "tiny"


def test_a_finished_run_goes_on_with_a_longer_budget_only(
    resumable: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = latest_step(resumable)
    assert first is not None

    def resume(*words: str) -> int:
        return main(["train", "--resume", str(resumable), "--workers", "1", *words])

    for option, part in (
        (["--seed", "5"], "seed 5"),
        (["--game.num-players", "3"], "game "),
        (["--network.species-width", "8"], "network "),
        (["--rollout.turns", "5"], "rollout "),
    ):
        before = (resumable / "meta.json").read_bytes()
        assert resume(*option) == 2
        line = one_line(capsys)
        assert line.startswith(f"arboretum: error: {part}")
        assert "was changed since the run began, expected " in line
        assert (resumable / "meta.json").read_bytes() == before

    assert resume("--budget.decisions", str(first + 1)) == 0
    second = latest_step(resumable)
    assert second is not None
    assert second > first
    assert [row["step"] for row in rows(resumable) if "loss/policy" in row] == [first, second]
    kept = yaml.safe_load((resumable / "config.yaml").read_text())
    assert kept["budget"]["decisions"] == first + 1
    launches = json.loads((resumable / "meta.json").read_text())["launches"]
    assert [launch["resumed_step"] for launch in launches] == [None, first]
    assert len(list((resumable / "games").glob("game*.arb"))) == 5


@pytest.mark.parametrize("name", ["demo", "selfplay_2p", "selfplay_3p", "selfplay_4p"])
def test_the_shipped_experiments_are_whole(name: str) -> None:
    config = load_experiment(ROOT / "configs" / f"{name}.yaml")
    assert config.name == name
    assert config.game == GameConfig(num_players=config.game.num_players)
    assert name == "demo" or name.endswith(f"_{config.game.num_players}p")
    yardsticks = ("random", "greedy") if name == "demo" else ("greedy", "planner@1")
    assert config.evaluation.opponents == yardsticks
