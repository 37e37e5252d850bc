"""``--ray`` without the extra, or with what is no address; what Ray computes is in integrations."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from arboretum_lab.cli.main import main
from arboretum_lab.cli.workers import workers_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "random", "greedy", "--deals", "2", "--ray"],
        ["tournament", "random", "greedy", "--deals", "2", "--ray"],
        ["suite", "random", "--ray", "127.0.0.1:6379"],
        ["exploit", "greedy", "--ray"],
        ["train", str(ROOT / "configs/demo.yaml"), "--ray"],
        ["train", str(ROOT / "configs/rllib_2p.yaml")],
    ],
)
@pytest.mark.skipif(find_spec("ray") is not None, reason="the extra is there")
def test_without_the_extra_one_line_says_what_is_needed(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        "arboretum: error: this needs ray, which is not installed: pip install 'arboretum-lab[ray]'"
    ]
    assert not list(tmp_path.iterdir()), "nothing was begun"


@pytest.mark.parametrize("command", ["evaluate", "tournament"])
def test_two_addresses(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "random", "greedy", "--ray", "a:1", "b:2"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("arboretum: error: --ray a:1 b:2: expected one address")


def test_without_the_option_processes_compute() -> None:
    with workers_of(3, None) as workers:
        assert workers == 3
