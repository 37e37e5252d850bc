"""Hints name programs so that they can be copied into the shell."""

import sys
from pathlib import Path

import pytest

from arboretum_lab.cli.program import program


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A virtual environment in the current folder, not activated."""
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    for name in ("python", "arboretum"):
        (folder / name).touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    return folder


def test_by_its_path_where_the_shell_does_not_find_it(environment: Path, tmp_path: Path) -> None:
    assert program() == ".venv/bin/arboretum"


def test_by_its_whole_path_from_elsewhere(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (environment / "elsewhere").mkdir()
    monkeypatch.chdir(environment / "elsewhere")
    assert program() == str(environment / "arboretum")


def test_by_its_name_where_the_shell_finds_it(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(environment))
    assert program() == "arboretum"
    assert program("tensorboard") == "tensorboard"  # not there at all
