"""Ray by its address: nodes that die, and the command line."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from ray.cluster_utils import Cluster

from arboretum_env.config import GameConfig
from arboretum_lab.cli.main import main
from arboretum_training.evaluation.evaluate import concatenate, plan_units, play_unit
from arboretum_training.evaluation.executor import run_units
from arboretum_training.ray.connection import LOCAL, connected
from arboretum_training.ray.executor import ray_executor
from integrations.rllib.units import Watched, play_or_hang
from integrations.rllib.waiting import wait_for, wait_for_end

GAME = GameConfig(num_players=3, species=4, num_ranks=5, hand_size=3)
NODE = {"num_cpus": 1, "object_store_memory": 80 * 2**20}
ROOT = Path(__file__).parents[2]


def two_nodes() -> tuple[Cluster, Any]:
    """Two nodes of one processor each, and the second of them."""
    head = {**NODE, "include_dashboard": False}
    for left in reversed(range(5)):
        cluster = Cluster()
        try:
            cluster.add_node(**head)
            second = cluster.add_node(**NODE)
            cluster.wait_for_nodes()
        except Exception:  # a bare one: Ray gives its processes half a minute
            cluster.shutdown()
            if not left:
                raise
        else:
            return cluster, second
    raise AssertionError


def test_a_node_that_is_removed_half_way_costs_only_a_retry(tmp_path: Path) -> None:
    """Two nodes. On the second no unit ends; it goes when it has one."""
    units = plan_units(["greedy", "random"], GAME, deals=6 * 64, seed=5)
    expected = [play_unit(unit) for unit in units]
    cluster, second = two_nodes()
    try:
        counted: list[int] = []
        seen: list[tuple[int, int]] = []

        def remove() -> None:
            wait_for(tmp_path, f"*@{second.node_id}")
            cluster.remove_node(second, allow_graceful=False)

        remover = Thread(target=remove)
        with ray_executor(cluster.address, 1) as executor:
            assert executor.workers == 2
            watched = [
                Watched(number, str(tmp_path), second.node_id, unit)
                for number, unit in enumerate(units)
            ]
            remover.start()
            results = run_units(
                play_or_hang,
                watched,
                executor,
                lambda done, total: seen.append((done, total)),
                on_result=lambda index, result: counted.append(index),
            )
            remover.join()
    finally:
        cluster.shutdown()
    lost = {path.name.split("@")[0] for path in tmp_path.glob(f"*@{second.node_id}")}
    assert lost
    for number in lost:
        assert len(list(tmp_path.glob(f"{number}@*"))) == 2, "begun there, and again elsewhere"
    assert sorted(counted) == list(range(6))
    assert seen == [(done, 6) for done in range(1, 7)]
    here, there = vars(concatenate(expected)), vars(concatenate(results))
    for name, values in here.items():
        assert np.array_equal(values, there[name]), name


def test_the_command_line_prints_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def printed(*words: str) -> Any:
        assert main([*words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    small = ["--species", "4", "--ranks", "5", "--hand-size", "3", "--players", "2"]
    with connected(LOCAL, 2):  # what follows joins it, and need not start one each
        evaluate = ["evaluate", "greedy", "random", "--deals", "130", *small]
        assert printed(*evaluate, "--ray") == printed(*evaluate, "--workers", "1")
        meeting = ["tournament", "greedy", "random", "blocker", "--deals", "70", *small]
        here = printed(*meeting, "--workers", "1", "--out", "here")
        there = ["--out", "there", "--save-games", "games", "--ray"]
        assert printed(*meeting, *there) == here
        units = sorted(path.relative_to("here") for path in Path("here/units").rglob("*.json"))
        assert len(units) == 6
        for unit in units:
            assert (Path("here") / unit).read_bytes() == (Path("there") / unit).read_bytes()
        assert len(list(Path("games").rglob("*.arb"))) == 3 * 70 * 2
        card = printed("suite", "random", "--deals", "2", "--players", "3", "--ray")
        assert card["official"] is False and list(card["players"]) == ["3"]
        exploit = ["exploit", "greedy", "--decisions", "300", "--check-decisions", "0", *small]
        exploit += ["--deals", "70", "--select-deals", "2"]
        here = printed(*exploit, "--workers", "1", "--name", "here")
        assert without_places(printed(*exploit, "--name", "there", "--ray")) == without_places(here)


def without_places(report: Any) -> str:
    """A report of ``exploit`` without the name of its folder."""
    return json.dumps(report).replace("runs/there", "runs/here")


@pytest.mark.parametrize(
    ("address", "reason"),
    [("127.0.0.1:1", "Connection refused"), ("nowhere", "no address"), ("a:b", "no address")],
)
def test_nobody_at_the_address(
    address: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "random", "greedy", "--deals", "2", "--ray", address]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"arboretum: error: Ray at '{address}': {reason}: expected HOST:PORT")


@pytest.mark.parametrize("command", ["train", "exploit"])
def test_a_wrong_address_is_found_before_any_training(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    what = str(ROOT / "configs/demo.yaml") if command == "train" else "greedy"
    assert main([command, what, "--ray", "127.0.0.1:1"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("arboretum: error: Ray at '127.0.0.1:1': Connection refused")
    assert not list(tmp_path.iterdir()), "nothing was begun"


def test_rllib_is_not_begun_where_ray_has_too_few_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """RLlib would wait for them for ever."""
    monkeypatch.chdir(tmp_path)
    with connected(LOCAL, 1):
        words = ["train", str(ROOT / "configs/rllib_2p.yaml"), "--rollout.runners", "2"]
        assert main([*words, "--ray", "auto"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line == (
        "arboretum: error: Ray at 'auto' has 1 processors: expected at least 2, one for each of "
        "rollout.runners"
    )
    assert not list(tmp_path.iterdir()), "nothing was begun"


def test_a_ray_without_processors_is_told_of() -> None:
    with (
        connected(LOCAL, 0),
        pytest.warns(UserWarning, match="'auto' has no processors"),
        ray_executor("auto", 1) as executor,
    ):
        assert executor.workers == 1


# What a shell starts in the background ignores the signal, unless it asks for it.
INTERRUPTED = """
import signal

from arboretum_training.evaluation.executor import run_units
from arboretum_training.ray.executor import ray_executor
from integrations.rllib.units import hang

signal.signal(signal.SIGINT, signal.default_int_handler)
with ray_executor("local", 2) as executor:
    run_units(hang, [{folder!r}] * 4, executor)
"""


def test_an_interrupt_ends_ray_and_all_its_workers(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED.format(folder=str(tmp_path))]
    log = tmp_path / "errors"
    with log.open("w") as errors:
        parent = subprocess.Popen(command, cwd=ROOT, stderr=errors)
    try:
        wait_for(tmp_path, "*.pid")
        parent.send_signal(signal.SIGINT)
        parent.wait(120)
    finally:
        parent.kill()
        parent.wait()
    assert parent.returncode not in (0, -signal.SIGKILL)
    assert "KeyboardInterrupt" in log.read_text()
    wait_for_end(tmp_path)
