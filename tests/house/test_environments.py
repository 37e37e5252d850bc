"""The environments of scripts/integrations.py hold pip to the versions that they are named for."""

import os
import sys
from pathlib import Path

import pytest

from scripts import integrations
from scripts.integrations import ENVIRONMENTS, constraints_of, find_python

KNOWN = {environment.name: environment for environment in ENVIRONMENTS}
TESTED = (integrations.CHECKOUT / "constraints.txt").read_text(encoding="utf-8").split()


def pins(name: str) -> list[str]:
    return [line for line in constraints_of(KNOWN[name]).splitlines() if "==" in line]


def test_the_floor_is_what_pyproject_asks_for_at_least() -> None:
    floor = pins("floor")
    for pin in ("numpy==2.0", "numba==0.61", "gymnasium==1.2", "pettingzoo==1.27", "scipy==1.15"):
        assert any(line.startswith(pin) for line in floor), pin
    assert not any(">" in line for line in floor)
    assert not any(line.startswith("arboretum-lab") for line in floor)


def test_torch_is_the_tested_build_everywhere() -> None:
    [torch] = [pin for pin in TESTED if pin.startswith("torch==")]
    for name in KNOWN:
        assert [pin for pin in pins(name) if pin.startswith("torch==")] == [torch]


def test_the_newest_are_held_to_nothing_else() -> None:
    assert len(pins("newest")) == 1


def test_replaced_pins_take_the_place_of_the_tested_ones() -> None:
    assert [pin for pin in pins("rllib") if pin.startswith("gymnasium==")] == ["gymnasium==1.2.2"]
    assert set(pins("studio")) <= set(TESTED)


def test_a_python_is_found_or_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in = tmp_path / "python3.12"
    stand_in.write_text("#!/bin/sh\nexit 127\n")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path) + os.pathsep + "/usr/bin:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert find_python(None) == sys.executable
    assert find_python("3.12") is None  # one that is there and does not run
    of_pyenv = tmp_path / "versions" / "3.12.1" / "bin" / "python3.12"
    of_pyenv.parent.mkdir(parents=True)
    of_pyenv.symlink_to(sys.executable)
    assert find_python("3.12") == str(of_pyenv)
    monkeypatch.setattr(integrations, "find_python", lambda version: None)
    assert integrations.main(["python313"]) == 0
    assert capsys.readouterr().out == "python313: left out, there is no Python 3.13 here\n"


def test_other_versions_are_asked_for_by_name() -> None:
    assert integrations.VERSIONS == ("floor", "newest", "python312", "python313")
