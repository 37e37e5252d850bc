"""The sequential test: values by hand and by optimisation, and its error rates in simulations."""

from math import exp, log

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize

from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.sprt import (
    SequentialTest,
    SprtSettings,
    Verdict,
    elo_of,
    expected_share,
    log_likelihood_ratio,
    parse_sprt,
)

FIVE = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


@pytest.mark.parametrize(
    ("elo", "players", "share"),
    [
        (0, 2, 1 / 2),
        (0, 3, 1 / 3),
        (400, 2, 10 / 11),
        (-400, 2, 1 / 11),
        (400, 4, 10 / 13),
        (200, 2, 0.759747),
    ],
)
def test_elo_by_hand(elo: float, players: int, share: float) -> None:
    assert expected_share(elo, players) == pytest.approx(share, abs=1e-6)
    assert elo_of(share, players) == pytest.approx(elo, abs=1e-3)


def test_all_or_nothing_has_no_elo() -> None:
    assert elo_of(0.0, 2) is None
    assert elo_of(1.0, 3) is None


def test_bounds_are_walds() -> None:
    low, high = SprtSettings(0, 10).bounds
    assert (low, high) == pytest.approx((-log(19), log(19)))
    low, high = SprtSettings(0, 10, alpha=0.1, beta=0.2).bounds
    assert (exp(low), exp(high)) == pytest.approx((0.2 / 0.9, 0.8 / 0.1))


def test_wins_and_losses_alone_are_walds_own_test() -> None:
    """With two values there is one distribution of every mean: n1 log(s1/s0) + n0 log(...)."""
    expected = 70 * log(0.6 / 0.5) + 30 * log(0.4 / 0.5)
    assert log_likelihood_ratio([0.0, 1.0], [30, 70], 0.5, 0.6) == pytest.approx(expected, abs=1e-3)


def constrained_log_likelihood(counts: NDArray[np.float64], mean: float) -> float:
    """The greatest log-likelihood among the distributions on FIVE with a mean, by a solver."""
    found = optimize.minimize(
        lambda p: -counts @ np.log(p),
        counts / counts.sum(),
        jac=lambda p: -counts / p,
        bounds=[(1e-9, 1.0)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1.0},
            {"type": "eq", "fun": lambda p: p @ FIVE - mean},
        ],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert found.success
    return -float(found.fun)


@pytest.mark.parametrize("counts", [[20, 5, 100, 9, 40], [1, 30, 3, 30, 2], [45, 6, 10, 5, 40]])
def test_likelihoods_are_the_greatest_there_are(counts: list[float]) -> None:
    seen = np.array(counts, np.float64)
    expected = constrained_log_likelihood(seen, 0.55) - constrained_log_likelihood(seen, 0.5)
    assert log_likelihood_ratio(FIVE, seen, 0.5, 0.55) == pytest.approx(expected, abs=2e-3)


def test_the_ratio_is_close_to_the_normal_approximation() -> None:
    """N (s1 - s0) (2 mean - s0 - s1) / (2 variance), for hypotheses close to what was seen."""
    counts = np.array([200.0, 50, 1000, 90, 260])
    mean = counts @ FIVE / counts.sum()
    variance = counts @ (FIVE - mean) ** 2 / counts.sum()
    approximate = counts.sum() * 0.02 * (2 * mean - 1.02) / (2 * variance)
    assert log_likelihood_ratio(FIVE, counts, 0.5, 0.52) == pytest.approx(approximate, rel=0.02)


def test_evidence_does_not_depend_on_how_it_came() -> None:
    shares = np.random.default_rng(1).choice(FIVE, size=256)
    whole, parts = (SequentialTest(SprtSettings(0, 10), 2) for _ in range(2))
    whole.add(shares)
    for part in np.split(shares, 4):
        parts.add(part)
    assert parts.llr == whole.llr != 0.0


@pytest.mark.parametrize(("share", "verdict"), [(1.0, "H1"), (0.0, "H0")])
def test_one_sided_results_are_soon_clear(share: float, verdict: str) -> None:
    assert SequentialTest(SprtSettings(0, 100), 2).add([share] * 64) == verdict


def distribution(base: list[float], mean: float) -> NDArray[np.float64]:
    """``base`` on FIVE, tilted to have a mean."""
    tilt = optimize.brentq(lambda t: weights(base, t) @ FIVE - mean, -30, 30)
    return weights(base, tilt)


def weights(base: list[float], tilt: float) -> NDArray[np.float64]:
    tilted = np.array(base) * np.exp(tilt * FIVE)
    return tilted / tilted.sum()


INDEPENDENT = [0.24, 0.02, 0.48, 0.02, 0.24]  # two games of a deal have nothing to do with another
PAIRED = [0.05, 0.05, 0.8, 0.05, 0.05]  # the cards decide: one game each
CLUSTERED = [0.42, 0.03, 0.1, 0.03, 0.42]  # whoever wins the one game wins the other one too


def simulate(
    settings: SprtSettings, base: list[float], elo: float, tables: int, seed: int
) -> tuple[list[Verdict], float]:
    """Verdicts of many tests, and the mean number of deals that they took."""
    rng = np.random.default_rng(seed)
    chances = distribution(base, expected_share(elo, 2))
    verdicts: list[Verdict] = []
    deals = 0
    for _ in range(tables):
        test, verdict = SequentialTest(settings, 2), "undecided"
        while verdict == "undecided":
            verdict = test.add(rng.choice(FIVE, size=64, p=chances))
            deals += 64
        verdicts.append(verdict)
    return verdicts, deals / tables


@pytest.mark.parametrize("base", [INDEPENDENT, PAIRED, CLUSTERED], ids=["free", "paired", "alike"])
def test_errors_are_as_rare_as_asked_for(base: list[float]) -> None:
    """At both hypotheses, 300 tests each: a rate of 5 % has a standard error of 1.3 %."""
    settings, tables = SprtSettings(0, 40), 300
    for elo, wrong in ((0, "H1"), (40, "H0")):
        verdicts, _ = simulate(settings, base, elo, tables, seed=7)
        assert verdicts.count(wrong) / tables <= 0.05 + 2 * 0.0126  # type: ignore[arg-type]


def test_other_error_rates_are_kept_too() -> None:
    settings, tables = SprtSettings(0, 25, alpha=0.2, beta=0.02), 300
    wrong0 = simulate(settings, INDEPENDENT, 0, tables, seed=3)[0].count("H1") / tables
    wrong1 = simulate(settings, INDEPENDENT, 25, tables, seed=4)[0].count("H0") / tables
    assert 0.08 <= wrong0 <= 0.2 + 2 * 0.023
    assert wrong1 <= 0.02 + 2 * 0.0081


def test_it_has_power_and_stops_earlier_than_a_fixed_number_of_deals() -> None:
    """A test of fixed size with the same errors: ((1.645 + 1.645) s / (s1 - s0))^2 deals."""
    settings = SprtSettings(0, 15)
    chances = distribution(INDEPENDENT, 0.5)
    variance = chances @ (FIVE - 0.5) ** 2
    fixed = (2 * 1.645) ** 2 * variance / (expected_share(15, 2) - 0.5) ** 2
    verdicts, deals = simulate(settings, INDEPENDENT, 15, 100, seed=5)
    assert verdicts.count("H1") >= 90
    assert deals < 0.7 * fixed
    verdicts, deals = simulate(settings, INDEPENDENT, 60, 100, seed=6)
    assert verdicts.count("H1") == 100
    assert deals < 0.2 * fixed


def test_words_become_settings() -> None:
    assert parse_sprt(["elo0=0", "elo1=10"]) == SprtSettings(0.0, 10.0, 0.05, 0.05)
    assert parse_sprt(["beta=.1", "elo1=-2.5", "elo0=-5"]) == SprtSettings(-5, -2.5, 0.05, 0.1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "sprt: elo0 and elo1 missing, expected elo0=... elo1=..."),
        (["elo0=0"], "sprt: elo1 missing"),
        (["elo0=0", "elo=3"], "sprt elo=3: expected elo0=... elo1=... alpha=... beta=..."),
        (["elo0"], "sprt elo0: expected elo0=..."),
        (["elo0=0", "elo0=1"], "sprt elo0=1: elo0 is given twice"),
        (["elo0=zero", "elo1=1"], "sprt elo0=zero: expected a number"),
        (["elo0=5", "elo1=5"], "sprt elo0=5 elo1=5: expected elo0 < elo1"),
        (["elo0=0", "elo1=2000"], "sprt elo1=2000: expected -1000 to 1000"),
        (["elo0=nan", "elo1=2"], "sprt elo0=nan: expected -1000 to 1000"),
        (["elo0=0", "elo1=2", "alpha=0"], "sprt alpha=0: expected more than 0 and less than 0.5"),
        (["elo0=0", "elo1=2", "beta=0.5"], "sprt beta=0.5: expected more than 0"),
    ],
)
def test_words_that_are_no_settings(words: list[str], message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        parse_sprt(words)
    assert str(caught.value).startswith(message)
