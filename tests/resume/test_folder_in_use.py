"""Two commands in one folder: the second is refused in a line, and changes nothing."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from arboretum_env.config import GameConfig
from arboretum_lab.cli.main import main
from arboretum_training.config import dump_experiment
from arboretum_training.evaluation.tournament import open_tournament
from arboretum_training.files import FolderInUseError, working_in
from tests.evaluation.tournaments import every_byte, settings_of
from tests.training.experiments import experiment

GAME = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)
HOLDER = """
import sys
from pathlib import Path
from arboretum_training.files import working_in

with working_in(Path(sys.argv[1])):
    print("in", flush=True)
    sys.stdin.read()
"""


def test_a_process_keeps_others_out_until_it_ends_even_by_a_kill(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"in\n"
        with (
            pytest.raises(FolderInUseError, match="another command is at work in it: expected"),
            working_in(tmp_path),
        ):
            pytest.fail("it is in use")
        process.kill()
    with working_in(tmp_path), pytest.raises(FolderInUseError), working_in(tmp_path):
        pytest.fail("it is in use here")
    with working_in(tmp_path / "nowhere"):
        pass


def test_a_tournament_is_played_by_one_command(tmp_path: Path) -> None:
    tournament = open_tournament(tmp_path / "t", settings_of(["random", "random"], deals=4))
    before = every_byte(tmp_path)
    with working_in(tournament.folder), pytest.raises(FolderInUseError):
        tournament.play()
    assert every_byte(tmp_path) == before
    assert tournament.play(), "it is free again"


@pytest.mark.parametrize(
    "words", [["--resume", "runs/tiny"], ["tiny.yaml", "--overwrite"]], ids=["resume", "overwrite"]
)
def test_a_run_is_trained_by_one_command(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    tiny = yaml.safe_load(dump_experiment(experiment(GAME))) | {"name": "tiny"}
    tiny["budget"] = {"decisions": 300}
    tiny["evaluation"] |= {"final_deals": 2, "opponents": ["random"]}
    Path("tiny.yaml").write_text(yaml.safe_dump(tiny))
    assert main(["train", "tiny.yaml", "--workers", "1"]) == 0
    before = every_byte(tmp_path)
    capsys.readouterr()
    with working_in(Path("runs/tiny")):
        assert main(["train", *words, "--budget.decisions", "600", "--workers", "1"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("arboretum: error: runs/tiny: another command is at work in it")
    assert every_byte(tmp_path) == before
