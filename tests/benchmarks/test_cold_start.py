"""The programs that the cold start is measured with play a whole game, and from an empty cache."""

import runpy
from pathlib import Path

import pytest

from benchmarks import cold_start


@pytest.mark.parametrize("title", cold_start.PROGRAMS)
def test_programs_play_to_the_end(title: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(cold_start.PROGRAMS[title], encoding="utf-8")
    left = runpy.run_path(str(path))
    assert left["env"].agents == [] if "env" in left else left["state"].done.all()


def test_the_package_is_copied_without_compiled_kernels(tmp_path: Path) -> None:
    root = cold_start.copy_of_package(tmp_path)
    assert (root / "arboretum_env" / "engine" / "moves.py").is_file()
    assert list(root.rglob("__pycache__")) == []


def test_a_start_is_a_process_of_its_own(tmp_path: Path) -> None:
    package = tmp_path / "arboretum_env"
    package.mkdir()
    (package / "__init__.py").write_text("HERE = True", encoding="utf-8")
    (tmp_path / "kernels").mkdir()
    program = """
import os, pathlib, arboretum_env
assert arboretum_env.HERE
pathlib.Path(os.environ["NUMBA_CACHE_DIR"], "was_here").touch()
"""
    assert cold_start.start(program, tmp_path / "kernels", tmp_path) > 0
    assert (tmp_path / "kernels" / "was_here").is_file()
