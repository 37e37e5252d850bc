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
    taken = cold_start.start(program, tmp_path / "kernels", tmp_path)
    assert taken.wall > 0 and taken.processor > 0
    assert (tmp_path / "kernels" / "was_here").is_file()


def test_the_table_judges_the_least_time() -> None:
    cold = [cold_start.Taken(21.0, 9.0), cold_start.Taken(19.0, 10.0), cold_start.Taken(30.0, 11.0)]
    warm = [cold_start.Taken(1.5, 1.0)]
    lines = cold_start.table({"x": {"cold": cold, "warm": warm}})
    assert lines[2:] == [
        "| x | cold | 19.00 | 21.00 | 9.00 | < 20: met |",
        "| x | warm | 1.50 | 1.50 | 1.00 | < 1.5: MISSED |",
    ]
