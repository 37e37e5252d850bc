"""Methods compared over seeds: trained once each, resumed bit for bit, reported seed by seed."""

import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, read_checkpoint
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError, RunError
from arboretum_training import algorithm_run
from arboretum_training.algorithm_report import GRID_POINTS, make_report, to_table, write_page
from arboretum_training.algorithm_run import (
    TRACKS,
    YARDSTICKS,
    AlgorithmSettings,
    curve_matches,
    default_folder,
    make_settings,
    settle,
    train_seed,
)
from arboretum_training.config import BudgetConfig, Experiment, PPOConfig
from arboretum_training.dashboard import Dashboard
from arboretum_training.evaluation.curve_chart import Curve, curve_chart
from arboretum_training.evaluation.suite import game_of
from arboretum_training.session import Session
from tests.training.experiments import experiment

BUDGET = BudgetConfig(decisions=2_000)


def method(name: str, **other: object) -> Experiment:
    return experiment(game_of(2), games=8, turns=4, **other).model_copy(update={"name": name})


def small(*methods: Experiment, seeds: int = 2) -> AlgorithmSettings:
    return make_settings(
        methods or [method("one")],
        track="2000 decisions",
        budget=BUDGET,
        seeds=seeds,
        final_deals=3,
        curve_deals=2,
    )


class Stopping(Dashboard):
    """Presses Ctrl-C after the third iteration."""

    seen = 0

    def update(self, step: int, progress: float, metrics: Mapping[str, float]) -> None:
        super().update(step, progress, metrics)
        self.seen += 1
        if self.seen == 3:
            os.kill(os.getpid(), signal.SIGINT)


def test_a_seed_that_was_stopped_goes_on_bit_for_bit(tmp_path: Path, one_thread: None) -> None:
    config = small().methods["one"]
    with Stopping("one") as dashboard:
        assert not train_seed(tmp_path / "stopped", config, 1001, [], dashboard)
    for folder in ("stopped", "whole"):
        with Dashboard("one") as dashboard:
            assert train_seed(tmp_path / folder, config, 1001, [], dashboard)
    stopped, whole = (
        read_checkpoint(find_checkpoint(tmp_path / folder / "one" / "seed1001"))
        for folder in ("stopped", "whole")
    )
    assert stopped.step == whole.step >= 2_000
    assert stopped.digest == whole.digest


def test_a_seed_that_is_over_is_not_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_thread: None
) -> None:
    config = small().methods["one"]
    with Dashboard("one") as dashboard:
        assert train_seed(tmp_path, config, 1001, [], dashboard)
        monkeypatch.setattr(Session, "train", lambda *_: pytest.fail("trained again"))
        assert train_seed(tmp_path, config, 1001, [], dashboard)


def test_seeds_are_other_trainings_and_have_curves(tmp_path: Path, one_thread: None) -> None:
    settings = small()
    config = settings.methods["one"]
    digests = set()
    for seed in settings.seeds:
        with Dashboard("one") as dashboard:
            train_seed(tmp_path, config, seed, [], dashboard)
        digests.add(read_checkpoint(find_checkpoint(tmp_path / "one" / f"seed{seed}")).digest)
        matches = curve_matches(tmp_path, settings, "one", seed)
        steps = sorted({step for step, _ in matches})
        assert {rung for _, rung in matches} == set(YARDSTICKS)
        assert 4 <= len(steps) <= algorithm_run.CURVE_POINTS
        assert steps[-1] >= 2_000
        assert {matches[step, "greedy@1"].deals for step in steps[:-1]} == {2}
        assert matches[steps[-1], "planner@1"].deals == 3
    assert len(digests) == 2


def test_methods_stand_on_one_track() -> None:
    fast = method("two", ppo=PPOConfig(learning_rate=0.1, minibatches=4), threads=4)
    settings = small(method("one"), fast, seeds=5)
    assert settings.seeds == (1001, 1002, 1003, 1004, 1005)
    for config in settings.methods.values():
        assert config.budget == BUDGET
        assert config.threads == 1
        assert config.evaluation.every == 0
    assert settings.methods["two"].ppo.learning_rate == 0.1
    assert default_folder(settings) != default_folder(small(method("one"), seeds=5))


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ([method("one"), method("one")], "method 'one': given twice"),
        (
            [method("one").model_copy(update={"game": GameConfig(species=4)})],
            "another game than the suite's",
        ),
        (
            [method("one"), method("two").model_copy(update={"game": game_of(3)})],
            "method 'two': 3 players, expected 2 as in 'one'",
        ),
    ],
)
def test_what_cannot_be_compared(methods: list[Experiment], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        small(*methods)


def test_a_folder_has_one_comparison(tmp_path: Path) -> None:
    settle(tmp_path / "a", small())
    settle(tmp_path / "a", small())
    with pytest.raises(RunError, match="other settings"):
        settle(tmp_path / "a", small(seeds=3))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "thesis.tex").touch()
    with pytest.raises(RunError, match="holds something else"):
        settle(tmp_path / "b", small())


def made_report(track: str = "decisions-1m", seeds: int = 5, deals: int = 512) -> dict[str, object]:
    """Two methods; seed k of the first ends at .5 + k/100, of the second at .3 + k/100."""
    settings = make_settings(
        [method("one"), method("two")],
        track=track,
        budget=TRACKS["decisions-1m"],
        seeds=seeds,
        final_deals=deals,
        curve_deals=64,
    )
    measured = {
        name: {
            seed: {
                (step, rung): np.full(8, level * step / 1000 + (seed - 1001) / 100)
                for step in (200, 1000)
                for rung in YARDSTICKS
            }
            for seed in settings.seeds
        }
        for name, level in (("one", 0.5), ("two", 0.3))
    }
    return make_report(settings, measured)


def test_a_report_by_hand(tmp_path: Path) -> None:
    report: dict[str, object] = made_report()
    methods = report["methods"]
    assert isinstance(methods, dict)
    one, two = methods["one"]["greedy@1"], methods["two"]["greedy@1"]
    assert one["by_seed"] == pytest.approx([0.5, 0.51, 0.52, 0.53, 0.54])
    assert one["mean"] == pytest.approx(0.52) and two["mean"] == pytest.approx(0.32)
    low, high = one["ci95"]
    assert 0.5 <= low < 0.52 < high <= 0.54
    assert one["curve"]["decisions"][0] == 200 and one["curve"]["decisions"][-1] == 1000
    assert len(one["curve"]["mean"]) == GRID_POINTS
    assert one["curve"]["mean"][0] == pytest.approx(0.12)
    differences = report["differences"]
    assert isinstance(differences, list)
    assert [(gap["method"], gap["less"], gap["against"]) for gap in differences] == [
        ("two", "one", "greedy@1"),
        ("two", "one", "planner@1"),
    ]
    assert differences[0]["mean"] == pytest.approx(-0.2)
    assert differences[0]["p_value"] == pytest.approx(2 / 252)
    json.dumps(report, allow_nan=False)
    page = write_page(tmp_path, report, "arboretum suite").read_text()
    assert "50.0 · 51.0 · 52.0 · 53.0 · 54.0" in page and "-20.0 (" in page
    assert to_table(report)


def test_what_is_official() -> None:
    assert made_report()["official"] is True
    assert made_report(seeds=4)["official"] is False
    assert made_report(deals=100)["official"] is False
    assert made_report(track="2000 decisions")["official"] is False


def test_curves_are_drawn_to_scale() -> None:
    curves = [
        Curve("one", (100, 400), (0.25, 0.75), ((0.2, 0.3), (0.7, 0.8))),
        Curve("two", (400,), (1.0,), ((1.0, 1.0),)),
    ]
    svg = curve_chart(curves, fair=0.5)
    first, second = svg.findall("g")
    line = first.find("polyline")
    assert line is not None
    (x1, y1), (x2, y2) = (map(float, p.split(",")) for p in line.get("points", "").split())
    left, right, top, bottom = 58, 980 - 20, 44, 400 - 44
    assert (x1, x2) == pytest.approx((left + (right - left) / 4, right), abs=0.1)
    assert (y1, y2) == pytest.approx(
        (top + 0.75 * (bottom - top), top + 0.25 * (bottom - top)), abs=0.1
    )
    assert [group.findtext("title") for group in (first, second)] == ["one", "two"]
    ET.fromstring(ET.tostring(svg))
