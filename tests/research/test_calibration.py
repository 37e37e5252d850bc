"""Log loss, Brier score and calibration by hand; the study of beliefs on whole small games."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_agents.search.fitted_beliefs import FITTED, FittedBeliefs
from arboretum_env.agent import PolicyAgent
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerView
from arboretum_training.research.belief_study import Study, study_beliefs
from arboretum_training.research.calibration import (
    card_losses,
    mean_with_interval,
    reliability,
)
from arboretum_training.research.calibration_chart import calibration_picture
from arboretum_training.research.odds_belief import FactsModel, OddsBelief, UniformModel
from arboretum_training.research.particles import BeliefCollapseError, ParticleModel


def test_losses_by_hand() -> None:
    """Said 0.8, 0.2 and it is the first place; said 0.5, 0.3, 0.2 and it is the last."""
    logs, briers = card_losses(np.array([[0.8, 0.2]]), np.array([0], np.int8))
    assert logs == pytest.approx([0.2231435])
    assert briers == pytest.approx([0.04 + 0.04])
    logs, briers = card_losses(np.array([[0.5, 0.3, 0.2]]), np.array([2], np.int8))
    assert logs == pytest.approx([1.6094379])
    assert briers == pytest.approx([0.25 + 0.09 + 0.64])


def test_the_deal_is_the_unit() -> None:
    """Two deals, of three cards and of one: each counts half."""
    mean, interval = mean_with_interval(np.array([1.0, 2.0, 3.0, 6.0]), np.array([4, 4, 4, 9]))
    assert mean == pytest.approx(4.0)
    assert interval is not None
    assert interval.low == pytest.approx(2.0)
    assert interval.high == pytest.approx(6.0)
    assert mean_with_interval(np.ones(3), np.zeros(3, np.int64))[1] is None


def test_calibration_by_hand() -> None:
    chances = np.array([0.05, 0.1, 0.12, 0.18, 1.0, 1.0])
    true = np.array([False, True, False, False, True, True])
    deals = np.array([0, 0, 1, 1, 0, 1])
    first, second, last = reliability(chances, true, deals)
    assert (first.low, first.high, first.count, first.observed) == (0.0, 0.1, 1, 0.0)
    assert (second.count, second.stated) == (3, pytest.approx(0.4 / 3))
    assert second.observed == pytest.approx(1 / 3)
    # Either deal alone: 1 of 1 came true, or 0 of 2.
    assert second.interval == pytest.approx((0.0, 1.0))
    assert (last.low, last.high, last.observed) == (0.9, 1.0, 1.0)
    assert last.interval == pytest.approx((1.0, 1.0))


def test_intervals_hold_what_is_true_as_often_as_they_say() -> None:
    """Chances that are honest, of cards that come in clusters which share their luck."""
    rng = np.random.default_rng(0)
    inside = 0
    for trial in range(200):
        chances = np.full(400, 0.3)
        luck = np.repeat(rng.random(40) < 0.5, 10)
        came = rng.random(400) < np.where(luck, 0.5, 0.1)
        [found] = reliability(chances, came, np.repeat(np.arange(40), 10), seed=trial)
        assert found.interval is not None
        inside += found.interval.low <= 0.3 <= found.interval.high
    assert 180 <= inside <= 199


def last(studies: object) -> Study:
    *_, study = studies  # type: ignore[misc]
    assert isinstance(study, Study)
    return study


def small_study(model: object, deals: int = 3) -> Study:
    config = GameConfig(species=4, num_ranks=4, hand_size=2)
    models = {"uniform": UniformModel(), "other": model}
    return last(study_beliefs(("greedy", "planner"), config, models, deals=deals, seed=1))  # type: ignore[arg-type]


def test_a_study_of_the_baseline_against_itself_gains_nothing() -> None:
    found = small_study(UniformModel()).to_json()
    assert (found["games"], found["deals"], found["collapsed_positions"]) == (6, 3, 0)
    uniform, other = found["beliefs"]["uniform"], found["beliefs"]["other"]
    assert other == uniform
    assert other["log_loss"]["gain"] == 0.0
    assert other["log_loss"]["gain_interval"] == [0.0, 0.0]
    assert sum(each["count"] for each in other["calibration"]) == found["cards"]
    # Two places: H(share) by position, between 0 and log 2.
    assert 0 < uniform["log_loss"]["mean"] < np.log(2)


def test_a_worse_belief_is_said_to_be_worse() -> None:
    class Stubborn:
        """Thinks that the deck holds high cards, which planners keep."""

        def believe(self, view: PlayerView) -> OddsBelief:
            belief = UniformModel().believe(view)
            odds = belief.log_odds.copy()
            odds[:, -1] = 2.0 * (belief.unseen % view.config.num_ranks)
            return OddsBelief(view, odds)

    found = small_study(Stubborn(), deals=8).to_json()["beliefs"]["other"]
    assert found["log_loss"]["gain_interval"][1] < 0
    assert found["brier"]["gain_interval"][1] < 0


def test_collapsed_positions_are_counted_and_left_out_for_all() -> None:
    class Collapsing:
        def __init__(self) -> None:
            self.asked = 0

        def believe(self, view: PlayerView) -> OddsBelief:
            self.asked += 1
            if self.asked % 3 == 0:
                raise BeliefCollapseError("gone")
            return UniformModel().believe(view)

    whole, study = small_study(UniformModel()), small_study(Collapsing())
    assert study.collapsed == (len(whole.deals)) // 3
    assert len(study.deals) == len(whole.deals) - study.collapsed
    assert len(study.scored["uniform"].briers) == len(study.scored["other"].briers)


def test_particles_of_the_policy_that_is_played_beat_uniform() -> None:
    """In a small game, with the interval: the rivals play by the policy that is believed in."""
    config = GameConfig(species=4, num_ranks=6, hand_size=4)
    spec = "planner:temperature=0.1"
    agent = make_agent(spec, config)
    assert isinstance(agent, PolicyAgent)
    models = {
        "uniform": UniformModel(),
        "particles": ParticleModel(agent, particles=64, slip=0.01),
        "facts": FactsModel(FittedBeliefs(FITTED[2])),
    }
    found = last(study_beliefs((spec, spec), config, models, deals=8, seed=0)).to_json()
    particles = found["beliefs"]["particles"]
    assert particles["log_loss"]["gain_interval"][0] > 0
    assert particles["brier"]["gain_interval"][0] > 0
    assert particles["effective_sample_size"]["median"] > 10
    picture = calibration_picture({k: v["calibration"] for k, v in found["beliefs"].items()})
    drawn = ET.fromstring(picture)
    bins = sum(len(each["calibration"]) for each in found["beliefs"].values())
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}circle"))) == bins
