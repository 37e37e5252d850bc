"""An agent is pinned: by name and version, or by the content of its checkpoint."""

from pathlib import Path

import pytest

from arboretum_agents.registry import AgentSpecError
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.evaluation.agent_identity import identify
from tests.evaluation.stub_agents import FirstLegal, LastLegal
from tests.resume.tiny_run import make_checkpoint


def test_a_bare_name_means_a_frozen_one() -> None:
    assert identify("greedy") == identify("greedy@1", "greedy")
    assert identify("greedy").pinned == identify("greedy").agent == "greedy@1"
    assert identify("greedy").source == "arboretum-lab"
    assert identify("greedy").digest != identify("random").digest
    assert identify("planner:mode=greedy").pinned == "planner@1:mode=greedy"


def test_factories_are_told_apart() -> None:
    first, last = identify(FirstLegal), identify(LastLegal, "other")
    assert (first.name, last.name) == ("FirstLegal", "other")
    assert first.digest != last.digest
    assert first.pinned.endswith("stub_agents:FirstLegal")


def test_a_run_that_goes_on_is_another_agent(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "checkpoints").mkdir(parents=True)
    save_checkpoint(run, make_checkpoint(1), keep=3)
    first = identify(str(run))
    assert first.name == str(run)
    assert first.agent == str(run / "checkpoints" / "000000000001")
    assert first == identify(str(run / "checkpoints" / "000000000001"), str(run))
    assert identify(f"{run}:mode=greedy").agent == f"{first.agent}:mode=greedy"
    save_checkpoint(run, make_checkpoint(2), keep=3)
    second = identify(str(run))
    assert second.digest != first.digest
    assert second.pinned == f"checkpoint@{second.digest[:12]}"
    assert identify(str(first.agent)).digest == first.digest


def test_a_copy_elsewhere_is_the_same_agent(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "checkpoints").mkdir(parents=True)
        save_checkpoint(tmp_path / name, make_checkpoint(7), keep=3)
    one, two = identify(str(tmp_path / "one"), "a"), identify(str(tmp_path / "two"), "a")
    assert one.to_json() == two.to_json()


def test_what_is_no_agent() -> None:
    with pytest.raises(AgentSpecError, match="unknown agent"):
        identify("grady")
