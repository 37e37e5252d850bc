"""Starting the whole package: with no place for machine code, and with all of it in place."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.cold_start import copy_of_package

GAME = """
import json, random, sys
import numpy as np
import arboretum_env

env = arboretum_env.raw_env()
env.reset(seed=5)
rng = random.Random(5)
actions = []
for agent in env.agent_iter():
    observation, _, termination, truncation, info = env.last()
    if termination or truncation:
        env.step(None)
        continue
    legal = np.flatnonzero(observation["action_mask"])
    actions.append(int(legal[int(rng.random() * len(legal))]))
    env.step(actions[-1])
game = {"actions": actions, "scores": info["scores"], "hands": info["hands"]}
"""

REPORT = """
compiler = "numba.np.arraymath" in sys.modules
print(json.dumps({"game": game, "file": arboretum_env.__file__, "compiler": compiler}))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A file that plays a game and prints it."""
    path = tmp_path / "program.py"
    path.write_text(GAME + REPORT, encoding="utf-8")
    return path


def run(program: Path, **environment: str) -> tuple[dict[str, Any], str]:
    """What a process printed, and its standard error."""
    done = subprocess.run(
        [sys.executable, program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed, done.stderr


@pytest.mark.slow
def test_a_right_game_and_one_warning_where_nothing_can_be_written(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files stand where folders would have to be made, so that root cannot write either."""
    root = copy_of_package(tmp_path / "packages")
    for module in root.rglob("__init__.py"):
        (module.parent / "__pycache__").write_text("no folder", encoding="utf-8")
    wall = tmp_path / "wall"
    wall.write_text("no folder", encoding="utf-8")
    printed, errors = run(
        program,
        PYTHONPATH=str(root),
        HOME=str(wall / "home"),
        XDG_CACHE_HOME=str(wall / "cache"),
        NUMBA_CACHE_DIR=str(wall / "named"),
    )
    assert printed["file"] == str(root / "arboretum_env" / "__init__.py")
    [warning] = [line for line in errors.splitlines() if "Warning" in line]
    assert "CacheWarning: compiled kernels cannot be kept" in warning
    for refused in ("named", "cache"):
        assert f"{wall / refused}" in warning
    assert "Traceback" not in errors

    game = runpy.run_path(str(program))["game"]
    capsys.readouterr()
    assert printed["game"] == json.loads(json.dumps(game))


def test_a_warm_start_sets_up_no_compiler(program: Path) -> None:
    run(program)  # compiles what is not there yet
    printed, errors = run(program)
    assert (printed["compiler"], errors) == (False, "")
