"""The console script: help, exit codes, one-line errors, and torch left alone."""

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Literal

import pydantic
import pytest
import yaml
from tyro.conf import Positional

from arboretum_env.errors import CacheWarning, CardError, RecordError
from arboretum_lab.cli.commands import COMMANDS
from arboretum_lab.cli.main import main

ARBORETUM = Path(sys.executable).parent / "arboretum"
CORE_COMMANDS = ("score", "replay", "render", "analyse", "bench", "play", "engine")


@dataclass(frozen=True)
class Command:
    """Scores a board."""

    board: Positional[Path]
    """Board file."""
    json: bool = False
    players: Literal[2, 3, 4] = 2


class Options(pydantic.BaseModel):
    clip: float = pydantic.Field(gt=0)
    name: str


RunCommand = Callable[[Command], int]
Install = Callable[[RunCommand], ModuleType]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a command with a given ``run`` in the place of ``score``."""

    def put(run: RunCommand) -> ModuleType:
        module = ModuleType("arboretum_lab.cli.score")
        module.Command = Command  # type: ignore[attr-defined]
        module.run = run  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return module

    return put


def raising(error: BaseException) -> RunCommand:
    def run(command: Command) -> int:
        raise error

    return run


def error_line(capsys: pytest.CaptureFixture[str]) -> str:
    """The single line on stderr; nothing on stdout."""
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith("arboretum: error: ")
    return line.removeprefix("arboretum: error: ")


def test_help_lists_every_command_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for entry in COMMANDS:
        [line] = [line for line in lines if line.split()[:1] == [entry.name]]
        assert line.split(maxsplit=1)[1] == entry.summary
    assert main([]) == 0
    assert capsys.readouterr().out.splitlines() == lines


def test_console_script_prints_the_version() -> None:
    done = subprocess.run([ARBORETUM, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == "arboretum-lab 0.1.0\n"
    module = [sys.executable, "-m", "arboretum_lab", "--version"]
    assert subprocess.run(module, capture_output=True, text=True, check=True).stdout == done.stdout


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_help_of_every_command(entry: object) -> None:
    name = entry.name  # type: ignore[attr-defined]
    probe = (
        "import sys; from arboretum_lab.cli.main import main;"
        f"code = main([{name!r}, '--help']);"
        "print('torch loaded:', 'torch' in sys.modules); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: arboretum {name} ")
    assert done.stderr == ""
    if name in (*CORE_COMMANDS, "agents"):
        assert done.stdout.endswith("torch loaded: False\n")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("trian", "unknown command 'trian': did you mean 'train'?"),
        ("qqq", "unknown command 'qqq': arboretum --help lists the commands"),
        ("--players", "unknown command '--players': arboretum --help lists the commands"),
        ("main", "unknown command 'main': did you mean 'train'?"),  # a module, but no command
    ],
)
def test_unknown_command(word: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word]) == 2
    assert error_line(capsys) == message


def test_arguments_reach_run_and_its_exit_code_comes_back(install: Install) -> None:
    seen: list[Command] = []

    def run(command: Command) -> int:
        seen.append(command)
        return 2

    install(run)
    assert main(["score", "b.json", "--players", "3", "--json"]) == 2
    assert seen == [Command(Path("b.json"), json=True, players=3)]


def test_a_command_may_parse_its_own_arguments(install: Install) -> None:
    seen: list[object] = []

    def run(command: object) -> int:
        seen.append(command)
        return 0

    install(run).parse = tuple  # type: ignore[attr-defined]
    assert main(["score", "a", "--b"]) == 0
    assert seen == [("a", "--b")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected BOARD: Board file"),
        (["b", "extra"], "Unrecognized options: extra"),
        (["b", "--jsn"], "Unrecognized options: --jsn, perhaps --json?"),
        (
            ["b", "--players", "7"],
            "--players 7: expected one of ('2', '3', '4')",
        ),
    ],
)
def test_bad_arguments_are_one_line(
    install: Install, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    install(lambda command: 0)
    assert main(["score", *arguments]) == 2
    assert error_line(capsys) == f"{message} (see arboretum score --help)"


def bad_options() -> pydantic.ValidationError:
    with pytest.raises(pydantic.ValidationError) as caught:
        Options.model_validate({"clip": -1})
    return caught.value


def bad_yaml() -> yaml.YAMLError:
    with pytest.raises(yaml.YAMLError) as caught:
        yaml.safe_load("a: [1")
    return caught.value


def bad_json() -> json.JSONDecodeError:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads("{")
    return caught.value


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (CardError("M9: expected\n a rank 1..8"), "M9: expected a rank 1..8"),
        (RecordError("no such card", line=3, token="Z9"), "line 3: 'Z9': no such card"),
        (FileNotFoundError(2, "No such file or directory", "x.arb"), "x.arb: No such file or dir"),
        (IsADirectoryError(21, "Is a directory", "games"), "games: Is a directory"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "not UTF-8 text: inv"),
        (
            bad_options(),
            "clip -1: expected more than 0; name: missing, expected a value",
        ),
        (bad_yaml(), "not valid YAML: while parsing a flow sequence"),
        (bad_json(), "not valid JSON: Expecting property name"),
        (
            ModuleNotFoundError("No module named 'torch'", name="torch.nn"),
            "this needs torch.nn, which is not installed: pip install 'arboretum-lab[train]'",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_bad_input_is_one_line(
    install: Install, error: Exception, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    install(raising(error))
    assert main(["score", "b"]) == 2
    assert error_line(capsys).startswith(message)


@pytest.mark.parametrize(
    "error",
    [ValueError("ours"), KeyError("seat"), ModuleNotFoundError("x", name="nonsense"), OSError("?")],
    ids=lambda error: type(error).__name__,
)
def test_a_fault_of_ours_keeps_its_traceback(install: Install, error: Exception) -> None:
    install(raising(error))
    with pytest.raises(type(error)) as caught:
        main(["score", "b"])
    assert caught.value is error


def test_a_warning_is_one_line(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    def run(command: Command) -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("always")  # tests make errors of them
            warnings.warn("nothing can be\nkept", CacheWarning, stacklevel=1)
        return 0

    install(run)
    before = warnings.showwarning
    assert main(["score", "b"]) == 0
    assert capsys.readouterr().err == "arboretum: warning: nothing can be kept\n"
    assert warnings.showwarning is before


def test_interrupt(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(raising(KeyboardInterrupt()))
    assert main(["score", "b"]) == 130
    assert capsys.readouterr().err == "arboretum: interrupted\n"


def test_a_reader_that_went_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [ARBORETUM, "--help"], stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")
