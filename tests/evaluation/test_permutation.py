"""p-values: by hand, against SciPy's, and their error rate in simulations."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from arboretum_training.evaluation.holm import holm
from arboretum_training.evaluation.permutation import permutation_p_value


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        # Sums of +-1, +-2: 3, 1, -1, -3. Two of four are as far out as 3, all as far as 1.
        ([1.0, 2.0], 2 / 4),
        ([-1.0, 2.0], 1.0),
        ([5.0], 1.0),
        ([0.0, 0.0, 0.0], 1.0),
        # Zeros have no sign: the same as without them.
        ([1.0, 0.0, 2.0, 0.0], 2 / 4),
        # 1/3 + 2/3 and 1 differ by rounding only; |sum| >= 2 of +-1/3, +-2/3, +-1: two of eight.
        ([1 / 3, 2 / 3, 1.0], 2 / 8),
        # A sign test: 9 of 10 up. 2 (1 + 10) / 2^10.
        ([0.5] * 9 + [-0.5], 22 / 1024),
    ],
)
def test_by_hand(values: list[float], expected: float) -> None:
    assert permutation_p_value(values, seed=0) == pytest.approx(expected, abs=1e-12)


def test_many_deals_with_one_size_are_exactly_a_sign_test() -> None:
    values = [0.5] * 5_300 + [-0.5] * 5_000 + [0.0] * 700
    expected = stats.binomtest(5_300, 10_300).pvalue
    assert permutation_p_value(values, seed=0) == pytest.approx(expected, rel=1e-9)


def by_all_patterns(values: NDArray[np.float64]) -> float:
    sums = [np.dot(signs, values) for signs in product((1, -1), repeat=len(values))]
    return float(np.mean([abs(total) >= abs(values.sum()) - 1e-9 for total in sums]))


@pytest.mark.parametrize("seed", range(5))
def test_few_deals_go_through_every_pattern(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for values in (rng.normal(0.4, 1, size=11), rng.integers(-3, 5, size=11) / 2):
        assert permutation_p_value(values, seed=0) == pytest.approx(by_all_patterns(values))


def test_sampled_patterns_agree_with_scipy() -> None:
    values = np.random.default_rng(1).normal(0.25, 1, size=60)
    expected = stats.permutation_test(
        (values,),
        np.mean,
        permutation_type="samples",
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    ).pvalue
    assert 0.02 < expected < 0.2
    assert permutation_p_value(values, seed=3) == pytest.approx(expected, abs=0.01)


def test_sampled_p_values_are_keyed_by_the_seed_and_never_zero() -> None:
    values = np.random.default_rng(9).normal(0.25, 1, size=60)
    assert permutation_p_value(values, seed=3) == permutation_p_value(values, seed=3)
    assert permutation_p_value(values, seed=3) != permutation_p_value(values, seed=4)
    assert permutation_p_value(values + 9, seed=3, resamples=99) == 1 / 100


def test_it_errs_as_often_as_it_says() -> None:
    """Interchangeable agents, exactly (12 deals) and with sampled patterns (40 deals)."""
    for deals, seed in ((12, 1), (40, 2)):
        rng = np.random.default_rng(seed)
        p = [
            permutation_p_value(rng.standard_t(3, size=deals), seed=i, resamples=199)
            for i in range(600)
        ]
        # 600 tables: the standard error of a rate of 5 % is 0.9 %.
        assert 0.03 <= np.mean(np.array(p) <= 0.05) <= 0.07
        assert 0.44 <= np.mean(np.array(p) <= 0.5) <= 0.56


@pytest.mark.parametrize("values", [[], [1.0, np.nan], [np.inf]])
def test_what_is_no_difference_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="expected at least one, and all finite"):
        permutation_p_value(values, seed=0)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        # Sorted 0.02, 0.02, 0.5: times 3, 2, 1; a later one is never below an earlier.
        ([0.5, 0.02, 0.02], [0.5, 0.06, 0.06]),
        ([0.9, 0.8], [1.0, 1.0]),
    ],
)
def test_holm_by_hand(given: list[float], expected: list[float]) -> None:
    assert holm(given) == pytest.approx(expected)


def test_holm_keeps_false_calls_rare_among_ten_comparisons() -> None:
    p = np.random.default_rng(4).random((4_000, 10))
    adjusted = np.array([holm(row) for row in p.tolist()])
    assert 0.04 <= np.mean(adjusted.min(axis=1) <= 0.05) <= 0.06
    assert np.mean(p.min(axis=1) <= 0.05) > 0.35  # without it


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_holm_refuses_what_is_no_p_value(p: float) -> None:
    with pytest.raises(ValueError, match=r"expected 0\.\.1"):
        holm([0.5, p])
