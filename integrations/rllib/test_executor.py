"""Work units by a Ray of one node: the same results, and each of them counted once."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arboretum_env.errors import ConfigError
from arboretum_training.code_versions import code_versions
from arboretum_training.evaluation.errors import WorkerError
from arboretum_training.evaluation.executor import iterate_units, run_units
from arboretum_training.ray import executor as ray_module
from arboretum_training.ray.connection import LOCAL, RayError
from arboretum_training.ray.executor import RayExecutor, ray_executor
from integrations.rllib.units import die, die_once, hang_after_first, refuse, where
from integrations.rllib.waiting import PATIENCE, wait_for, wait_for_end

LACKING = """
import sys

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "arboretum_training":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Lacking())
"""
"""A ``sitecustomize`` under which Python does not find the package."""


@pytest.fixture(scope="module")
def local() -> Iterator[RayExecutor]:
    """A Ray of these tests' own with two processors."""
    with ray_executor(LOCAL, 2) as executor:
        yield executor


def test_a_worker_that_dies_costs_only_a_retry(
    local: RayExecutor, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    units = [(number, str(tmp_path)) for number in range(4)]
    counted: list[int] = []
    results = run_units(
        die_once, units, local, on_result=lambda index, result: counted.append(index)
    )
    assert results == [0, 1, 2, 3] and sorted(counted) == [0, 1, 2, 3]
    assert [path.name for path in tmp_path.iterdir()] == ["1"], "it has died"
    told = ""  # by Ray, when it gets to it: not where results are printed
    deadline = time.monotonic() + PATIENCE
    while "will be retried" not in told and time.monotonic() < deadline:
        time.sleep(0.05)
        printed = capfd.readouterr()
        told += printed.err
        assert printed.out == ""
    assert "will be retried" in told


def test_a_unit_whose_worker_always_dies_is_reported(local: RayExecutor) -> None:
    with pytest.raises(WorkerError, match="lost 4 times with its worker"):
        run_units(die, [1], local)


def test_errors_come_as_they_are(local: RayExecutor) -> None:
    with pytest.raises(ConfigError) as error:
        run_units(refuse, range(3), local)
    assert str(error.value) == "7 players: expected 2, 3 or 4"
    results = iterate_units(refuse, range(3), local)
    assert next(results) == 0, "what comes before the error comes"
    with pytest.raises(ConfigError):
        next(results)


def test_workers_are_where_the_command_is(
    local: RayExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_units(where, [1], RayExecutor()) == [str(tmp_path)]


@pytest.mark.parametrize("part", ["numpy", "code"])
def test_a_node_of_another_version_is_refused(
    part: str, local: RayExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = {**code_versions(), part: "0.0"}
    monkeypatch.setattr(ray_module, "code_versions", lambda: other)
    here = RayExecutor()
    with pytest.raises(RayError, match=rf"node .* has {part} \w.*, not 0\.0: expected the same"):
        run_units(where, [1], here)


def test_a_node_without_the_package_is_said_in_a_line(local: RayExecutor, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LACKING)
    bare = RayExecutor()
    variables = {"PYTHONPATH": str(tmp_path)}
    bare._compute = bare._compute.options(runtime_env={"env_vars": variables})
    expected = "a node cannot compute: No module named 'arboretum_training': expected arboretum-lab"
    with pytest.raises(RayError, match=expected) as told:
        run_units(where, [1], bare)
    assert "\n" not in str(told.value)


def test_a_caller_that_has_seen_enough_stops_the_rest(local: RayExecutor, tmp_path: Path) -> None:
    units = [(number, str(tmp_path)) for number in range(5)]
    with closing(iterate_units(hang_after_first, units, local)) as results:
        assert next(results) == 0
        wait_for(tmp_path, "*.pid")
    wait_for_end(tmp_path)
