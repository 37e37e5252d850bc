"""Intervals: values worked out by hand, and their coverage in simulations."""

import numpy as np
import pytest
from scipy import stats

from arboretum_training.evaluation.statistics import (
    Interval,
    bootstrap_interval,
    effective_games,
    wilson_interval,
    win_rate_interval,
)

# 1.959964 ** 2, the square of the normal quantile of a 95 % interval.
Z2 = 3.841459


@pytest.mark.parametrize(
    ("proportion", "trials", "low", "high"),
    [
        (0.5, 100, 0.4038, 0.5962),
        (0.9, 10, 0.5958, 0.9821),
        # All wins: low = n / (n + z2), and the upper end is exactly 1.
        (1.0, 10, 10 / (10 + Z2), 1.0),
        (1.0, 1, 1 / (1 + Z2), 1.0),
        (0.0, 10, 0.0, Z2 / (10 + Z2)),
    ],
)
def test_wilson_by_hand(proportion: float, trials: float, low: float, high: float) -> None:
    interval = wilson_interval(proportion, trials)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


def test_wilson_agrees_with_scipy_for_whole_counts() -> None:
    for wins, trials, level in [(3, 17, 0.95), (400, 800, 0.9), (799, 800, 0.99)]:
        expected = stats.binomtest(wins, trials).proportion_ci(level, method="wilson")
        assert wilson_interval(wins / trials, trials, level) == pytest.approx(
            (expected.low, expected.high), abs=1e-12
        )


@pytest.mark.parametrize(("proportion", "trials"), [(1.01, 10), (-0.01, 10), (0.5, 0)])
def test_wilson_refuses_what_is_no_proportion(proportion: float, trials: float) -> None:
    with pytest.raises(ValueError, match="expected"):
        wilson_interval(proportion, trials)


@pytest.mark.parametrize(
    ("shares", "games_per_deal", "expected"),
    [
        # mean 1/2, s2 = (1/4 + 1/4) / 3 = 1/6: 4 * 1/4 / (1/6) = 6 of the 8 games count.
        ([1.0, 0.5, 0.0, 0.5], 2, 6.0),
        # A deal's two games always agree: s2 = 1/3 would make 3; never below the 4 deals.
        ([1.0, 0.0, 1.0, 0.0], 2, 4.0),
        # mean 5/8, s2 = 1/16: 4 * 15/64 * 16 = 15, but only 8 games were played.
        ([0.5, 0.5, 0.5, 1.0], 2, 8.0),
        # Nothing varies, so nothing is known of the variance: the deal is one trial.
        ([1.0, 1.0, 1.0], 2, 3.0),
        ([0.5, 0.5, 0.5], 2, 3.0),
        ([1 / 3, 1 / 3 + 1e-16], 3, 2.0),
        ([0.5], 2, 1.0),
    ],
)
def test_effective_games_by_hand(shares: list[float], games_per_deal: int, expected: float) -> None:
    assert effective_games(shares, games_per_deal) == pytest.approx(expected)


def test_degenerate_win_rates_keep_a_width() -> None:
    assert win_rate_interval([1.0] * 100, 2) == pytest.approx((100 / (100 + Z2), 1.0), abs=1e-6)
    assert win_rate_interval([0.0] * 100, 2) == pytest.approx((0.0, Z2 / (100 + Z2)), abs=1e-6)
    assert win_rate_interval([1.0], 2) == pytest.approx((1 / (1 + Z2), 1.0), abs=1e-6)
    low, high = win_rate_interval([0.5], 2)
    assert low < 0.1 and high > 0.9


def test_interval_per_seat_is_the_interval_of_the_game_divided_by_the_seats() -> None:
    shares = np.array([1.0, 0.5, 0.0, 0.5, 1.0, 0.25])
    whole = win_rate_interval(shares, 4)
    low, high = win_rate_interval(1.0 - shares, 4, seats_held=3)
    # One agent in one seat, the other in three: their intervals mirror each other.
    assert (1 - 3 * high, 1 - 3 * low) == pytest.approx(whole)


def simulated_shares(
    rng: np.random.Generator, deals: int, luck: float, *, cancels: bool
) -> np.ndarray:
    """[deals] means of two games, won with .6 + luck and then with .6 + luck or .6 - luck."""
    shift = rng.choice((-luck, luck), size=deals)
    first = rng.random(deals) < 0.6 + shift
    second = rng.random(deals) < 0.6 + (-shift if cancels else shift)
    return (first + second.astype(float)) / 2


def coverage(intervals: list[Interval], truth: float) -> float:
    return float(np.mean([low <= truth <= high for low, high in intervals]))


def test_win_rate_interval_covers_when_games_of_a_deal_depend_on_each_other() -> None:
    rng = np.random.default_rng(1)
    alike = [simulated_shares(rng, 100, 0.4, cancels=False) for _ in range(1000)]
    assert 0.93 <= coverage([win_rate_interval(s, 2) for s in alike], 0.6) <= 0.97
    # Counting every game as independent would be wrong by as much as this:
    naive = [wilson_interval(float(s.mean()), 200) for s in alike]
    assert coverage(naive, 0.6) < 0.88


def test_win_rate_interval_is_never_too_narrow_when_luck_cancels() -> None:
    rng = np.random.default_rng(2)
    paired = [simulated_shares(rng, 100, 0.4, cancels=True) for _ in range(1000)]
    assert coverage([win_rate_interval(s, 2) for s in paired], 0.6) >= 0.95


def test_win_rate_interval_covers_near_one() -> None:
    rng = np.random.default_rng(3)
    wins = [(rng.random((200, 2)) < 0.99).mean(axis=1) for _ in range(1000)]
    assert coverage([win_rate_interval(s, 2) for s in wins], 0.99) >= 0.93


def test_bootstrap_covers_skewed_values() -> None:
    rng = np.random.default_rng(4)
    intervals = [
        bootstrap_interval(rng.exponential(size=40), seed=i, resamples=300) for i in range(300)
    ]
    assert 0.90 <= coverage([i for i in intervals if i is not None], 1.0) <= 0.975
    assert None not in intervals


def test_bootstrap_of_few_deals_is_as_wide_as_student_asks() -> None:
    values = np.array([-3.0, 1.0, 0.0, 2.0, 4.0, -1.0, 2.0, 3.0])
    low, high = bootstrap_interval(values, seed=0) or (0.0, 0.0)
    t_low, t_high = stats.t.interval(
        0.95, len(values) - 1, loc=values.mean(), scale=stats.sem(values)
    )
    assert (low, high) == pytest.approx((t_low, t_high), abs=0.25)


def test_bootstrap_of_many_deals_with_few_values_is_the_same_bootstrap() -> None:
    """Against resampled deals of the same values, told apart by less than matters."""
    values = np.random.default_rng(6).choice([0.0, 0.5, 1.0], p=[0.2, 0.5, 0.3], size=500)
    counted = bootstrap_interval(values, seed=1) or (0.0, 0.0)
    drawn = bootstrap_interval(values + np.arange(500) * 1e-12, seed=1) or (0.0, 0.0)
    t_low, t_high = stats.t.interval(0.95, 499, loc=values.mean(), scale=stats.sem(values))
    assert counted == pytest.approx((t_low, t_high), abs=0.002)
    assert drawn == pytest.approx(counted, abs=0.002)
    assert drawn != counted


def test_bootstrap_is_keyed_by_its_seed_alone() -> None:
    values = np.random.default_rng(5).normal(size=50)
    state = np.random.get_state()[1].copy()  # noqa: NPY002 - proves that it is left alone
    first = bootstrap_interval(values, seed=7)
    assert bootstrap_interval(values, seed=7) == first
    assert bootstrap_interval(values, seed=8) != first
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


def test_bootstrap_of_one_deal_claims_nothing() -> None:
    assert bootstrap_interval([3.0], seed=0) is None
    assert bootstrap_interval([3.0, 3.0], seed=0) == (3.0, 3.0)
