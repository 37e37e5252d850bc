"""Ratings on a fixed scale: by hand for one rung, and known ratings found again."""

import math

import numpy as np
import pytest

from arboretum_training.evaluation.suite_rating import rate_against

LADDER = np.array([400.0, 1000.0, 1150.0, 1400.0])


def chances_of(rating: float) -> np.ndarray:
    return 1 / (1 + 10 ** ((LADDER - rating) / 400))


@pytest.mark.parametrize(("ahead", "pairs"), [(3.0, 4.0), (5.0, 10.0), (0.0, 20.0), (20.0, 20.0)])
def test_one_rung_is_the_log_odds_with_one_more_drawn_game(ahead: float, pairs: float) -> None:
    rating = rate_against(np.array([[ahead]]), np.array([[pairs]]), np.array([1000.0]), 1)
    odds = (ahead + 0.5) / (pairs - ahead + 0.5)
    assert rating.rating == pytest.approx(1000 + 400 * math.log10(odds), abs=1e-6)
    assert rating.ci95 is None  # one deal


def test_what_the_model_expects_is_rated_at_what_it_was_expected_of() -> None:
    many = 1e9 * np.ones((1, 4))  # the drawn games no longer count
    for truth in (300.0, 1000.0, 1234.0, 2000.0):
        rating = rate_against(many * chances_of(truth), many, LADDER, 1)
        assert rating.rating == pytest.approx(truth, abs=1e-3)


def test_intervals_cover_the_true_rating() -> None:
    """95 % intervals of 200 agents: binomial, so below 0.90 or at 1.0 once in thousands."""
    rng = np.random.default_rng(3)
    inside = 0
    for trial in range(200):
        truth = rng.uniform(900, 1500)
        pairs = np.full((60, 4), 2.0)
        interval = rate_against(rng.binomial(2, chances_of(truth), (60, 4)), pairs, LADDER, trial)
        assert interval.ci95 is not None
        inside += interval.ci95.low <= truth <= interval.ci95.high
    assert 180 <= inside < 200


def test_games_of_a_deal_that_repeat_each_other_do_not_narrow_it() -> None:
    rng = np.random.default_rng(4)
    ahead = rng.binomial(1, chances_of(1200), (80, 4)).astype(float)
    once = rate_against(ahead, np.ones((80, 4)), LADDER, 2)
    often = rate_against(50 * ahead, 50 * np.ones((80, 4)), LADDER, 2)
    assert once.ci95 is not None and often.ci95 is not None
    assert np.ptp(often.ci95) > 0.95 * np.ptp(once.ci95)
