"""``arboretum train`` with ``trainer: sb3``: the same folder and end, and its own refusals."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, latest_step, read_checkpoint
from arboretum_env.config import GameConfig
from arboretum_lab.cli.main import main
from arboretum_lab.cli.train import Sb3Command, parse
from arboretum_training.config import (
    BudgetConfig,
    CheckpointConfig,
    EvaluationConfig,
    Sb3Config,
    dump_experiment,
    load_experiment,
)
from arboretum_training.league_config import PoolConfig
from tests.cli.interrupted import has_rows, interrupted
from tests.sb3.experiments import experiment

ROOT = Path(__file__).parents[2]
ARBORETUM = Path(sys.executable).parent / "arboretum"

pytestmark = pytest.mark.usefixtures("one_thread")


def write(folder: Path, extra: str = "", **sections: object) -> Path:
    config = experiment(
        **{
            "evaluation": EvaluationConfig(every=2, deals=2, final_deals=3),
            "checkpoint": CheckpointConfig(every=2, keep=2),
            "pool": PoolConfig(every=1, bots=("greedy",), bot_share=0.25),
            **sections,
        }
    )
    path = folder / "tiny.yaml"
    path.write_text(dump_experiment(config) + extra, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder and the printed text of a tiny run, launched as a user does."""
    folder = tmp_path_factory.mktemp("work")
    write(folder)
    words = ["train", "tiny.yaml", "--workers", "1", "--pool.latest", "0.25", "--ppo.epochs", "1"]
    done = subprocess.run(
        [ARBORETUM, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return folder / "runs" / "tiny", done.stdout


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
    assert isinstance(config, Sb3Config)
    assert (config.pool.latest, config.pool.bots) == (0.25, ("greedy",))
    assert config.ppo.epochs == 1
    assert list((run / "tb").iterdir())
    assert len(list((run / "games").glob("game*.arb"))) == 5
    assert latest_step(run) == 720


def test_it_ends_as_other_runs_do(
    finished: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    run, printed = finished
    assert re.search(r"^\d+ %, [\d,]+ decisions, .*decisions/s", printed, re.MULTILINE)
    assert "evaluation at 480 decisions: " in printed
    assert "tiny: 2 players, 3 deals" in printed
    lines = printed.splitlines()
    pairs = [line.split()[:2] for line in lines if re.search(r"\(\d+\.\d\.\.\d", line)]
    assert pairs == [["tiny", "random"], ["tiny", "greedy"], ["greedy", "random"]]
    card = (run / "MODEL_CARD.md").read_text()
    assert (
        "learned by sb3-contrib's MaskablePPO in games against itself and earlier versions of "
        "itself, and 25 % against `greedy`.\n" in card
    )
    assert "stable-baselines3 2." in card and "| `greedy` | 3 | 6 |" in card
    game = ["--species", "4", "--ranks", "5", "--hand-size", "3"]
    small = ["--deals", "2", "--workers", "1", "--json"]
    assert main(["evaluate", str(run), "greedy", *game, *small]) == 0
    assert list(json.loads(capsys.readouterr().out)["agents"]) == [str(run), "greedy"]


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith("arboretum: error: ")
    return line


def test_it_is_not_resumed(finished: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    run, _ = finished
    assert main(["train", "--resume", str(run), "--budget.decisions", "5000"]) == 2
    line = one_line(capsys)
    assert "was trained with sb3, and cannot be resumed" in line and "pickle" in line
    assert len(json.loads((run / "meta.json").read_text())["launches"]) == 1


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("poool: {size: 3}\n", "poool: unknown key, did you mean pool?"),
        ("zzz: 1\n", "zzz: unknown key, expected one of name, trainer, seed"),
    ],
)
def test_unknown_keys(
    tmp_path: Path, extra: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", str(write(tmp_path, extra))]) == 2
    assert message in one_line(capsys)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trainer": "sb4"}, "trainer 'sb4': expected one of house, sb3, rllib"),
        ({"trainer": 3}, "trainer 3: expected one of house, sb3, rllib"),
        ({"trainer": ["sb3"]}, "trainer ['sb3']: expected one of house, sb3, rllib"),
        ({"league": {"exploiters": 1}}, "league: unknown key"),
        ({"ppo": {"critic": "public"}}, "ppo.critic: unknown key"),
        ({"pool": {"sise": 3}}, "pool.sise: unknown key, did you mean size?"),
        (
            {"pool": {"latest": 0.8, "bots": ["greedy"], "bot_share": 0.3}},
            "pool: latest 0.8 and bot_share 0.3: expected at most 1 together",
        ),
        ({"pool": {"bots": ["greedy"]}}, "bots ['greedy'] with bot_share 0: expected both or none"),
        ({"pool": {"bot_share": 0.1}}, "bots [] with bot_share 0.1: expected both or none"),
        (
            {"pool": {"bots": ["random", "random"], "bot_share": 0.1}},
            "bots ['random', 'random']: expected different agents",
        ),
        ({"ppo": {"minibatches": 7}}, "ppo.minibatches 7: expected a divisor of the 240 decisions"),
        ({"ppo": {"minibatches": 240}}, "that leaves at least 2 for each"),
        ({"seed": 2**32}, "seed 4294967296: expected less than 4294967296"),
    ],
)
def test_faults_of_the_file(
    tmp_path: Path, change: dict[str, object], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **change}))
    assert main(["train", str(path), "--runs", str(tmp_path / "runs")]) == 2
    assert message in one_line(capsys)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pool.latest", "2"], "pool.latest 2.0: expected at most 1"),
        (["--pool.bots", "gredy", "random"], "unknown agent 'gredy'"),
        (["--evaluation.opponents", "gredy"], "unknown agent 'gredy'"),
        (["--trainer", "house"], "--trainer"),
        (["--ppo.minibatches", "7"], "expected a divisor"),
    ],
)
def test_faults_of_options_leave_nothing(
    tmp_path: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    assert main(["train", str(path), "--runs", str(tmp_path / "runs"), *words]) == 2
    assert message in one_line(capsys)
    assert not (tmp_path / "runs").exists()


def test_species_follow_the_number_of_players() -> None:
    words = [str(ROOT / "configs" / "sb3_2p.yaml"), "--game.num-players", "3"]
    command = parse([*words, "--pool.bots", "greedy", "--pool.bot-share", "0.2"])
    assert isinstance(command, Sb3Command)
    assert command.experiment.game == GameConfig(num_players=3)
    assert command.experiment.pool.bots == ("greedy",)


def test_without_the_library_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("arboretum_training.sb3")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    assert main(["train", str(write(tmp_path)), "--runs", str(tmp_path / "runs")]) == 2
    line = one_line(capsys)
    assert (
        "this needs sb3_contrib, which is not installed: pip install 'arboretum-lab[sb3]'" in line
    )
    assert not (tmp_path / "runs").exists()


def test_help_shows_the_values_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", str(write(tmp_path)), "--help"]) == 0
    text = capsys.readouterr().out
    for option in ("--pool.latest", "--pool.bots", "--rollout.turns", "--ppo.learning-rate"):
        assert option in text
    assert "700" in text and "MaskablePPO" in text


def test_ctrl_c_saves_and_says_what_to_do(tmp_path: Path) -> None:
    write(
        tmp_path,
        budget=BudgetConfig(decisions=10**9),
        checkpoint=CheckpointConfig(every=10**6),
        evaluation=EvaluationConfig(final_deals=1, opponents=("random",)),
    )
    run = tmp_path / "runs" / "tiny"
    log = run / "metrics.jsonl"
    done = interrupted(["train", "tiny.yaml"], tmp_path, lambda: has_rows(log, 2))
    assert "stopping after this iteration, with a checkpoint" in done.stderr
    step = latest_step(run)
    assert step is not None and step % 240 == 0
    assert f"stopped after {step:,} decisions; measure it with: " in done.stdout
    assert " evaluate runs/tiny greedy" in done.stdout
    assert log.read_text().splitlines()[-1].startswith(f'{{"step": {step},')
    assert read_checkpoint(find_checkpoint(run)).step == step


def test_the_configuration_that_comes_with_it() -> None:
    config = load_experiment(ROOT / "configs" / "sb3_2p.yaml")
    assert isinstance(config, Sb3Config)
    assert config.game.num_players == 2 and config.name == "sb3_2p"
