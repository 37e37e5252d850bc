"""Sample sizes: by hand, by simulation of what they promise, and a pilot on the engine."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.deal_values import win_shares_of
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.permutation import permutation_p_value
from arboretum_training.evaluation.power import deals_needed, plan_evaluation, power_text

SMALL = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)


def test_by_hand() -> None:
    """A large pilot of 0 and 1: s = 1/2. (1.96 + 0.8416)^2 / 4 / 0.05^2 = 785 deals."""
    pilot = [0.0, 1.0] * 200_000
    assert 785 <= deals_needed(pilot, 0.05, 0.8) <= 787
    assert 1051 <= deals_needed(pilot, 0.05, 0.9) <= 1054
    assert deals_needed(pilot, 0.025, 0.8) == pytest.approx(4 * 785, rel=0.01)


def test_a_short_pilot_is_not_believed_to_the_letter() -> None:
    """Of 10 deals, chi2(20 %, 9) = 5.380 instead of 9 - so 9 / 5.380 times as many deals."""
    pilot = np.array([0.0, 1.0] * 5)
    variance = 10 * 0.25 / 9
    expected = variance * 9 / 5.380 * (1.959964 + 0.841621) ** 2 / 0.1**2
    assert deals_needed(pilot, 0.1, 0.8) == pytest.approx(expected, rel=0.002)


def test_that_many_deals_have_the_power() -> None:
    """A true difference of exactly what is to be seen, at the number of deals that a pilot says."""
    values, chances = np.array([0.0, 0.25, 0.5, 0.75, 1.0]), np.array([0.2, 0.05, 0.4, 0.05, 0.3])
    detect = float(values @ chances) - 0.5
    rng = np.random.default_rng(1)
    asked, found = [], []
    for _ in range(200):
        deals = deals_needed(rng.choice(values, size=128, p=chances), detect, 0.8)
        played = rng.choice(values, size=deals, p=chances) - 0.5
        asked.append(deals)
        found.append(permutation_p_value(played, seed=0, resamples=199) <= 0.05)
    exact = (1.959964 + 0.841621) ** 2 * (chances @ (values - 0.5 - detect) ** 2) / detect**2
    assert (
        0.73 <= np.mean(np.array(asked) >= exact) <= 0.88
    )  # 80 % of all pilots are careful enough
    assert 0.78 <= np.mean(found) <= 0.92


@pytest.mark.parametrize("pilot", [[0.5], [1.0] * 64, [1 / 3, 1 / 3 + 1e-16]])
def test_a_pilot_without_spread_says_nothing(pilot: list[float]) -> None:
    with pytest.raises(EvaluationError, match="came out alike and tell nothing about the spread"):
        deals_needed(pilot, 0.03, 0.8)


def test_pilot_of_two_agents() -> None:
    runs = [
        plan_evaluation(
            ["random", "random"], SMALL, detect=0.03, power=0.8, pilot_deals=100, seed=4, workers=w
        )
        for w in (1, 2)
    ]
    games = evaluate(["random", "random"], SMALL, deals=100, seed=4).games
    shares = win_shares_of(games, 0, 100)
    assert power_text(runs[0]).endswith(" with 1 worker")
    assert power_text(runs[1]).endswith(" with 2 workers")
    for run, workers in zip(runs, (1, 2), strict=True):
        assert run.deal_sd == pytest.approx(shares.std(ddof=1))
        assert run.deals == deals_needed(shares, 0.03, 0.8)
        assert run.games == 2 * run.deals
        assert run.seconds > 0
        assert run.workers == workers
        assert run.to_json().keys() >= {"deals", "games", "seconds", "workers", "level"}
        assert f"{run.deals:,} deals, {run.games:,} games, about " in power_text(run)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"detect": 0.0}, "detect 0: expected a win rate"),
        ({"detect": 1.5}, "detect 1.5: expected a win rate"),
        ({"power": 0.4}, "power 0.4: expected more than 0.5"),
        ({"power": 1.0}, "power 1: expected more than 0.5 and less than 1"),
        ({"pilot_deals": 1}, "pilot of 1 deals: expected at least 2"),
        ({"workers": 0}, "0 workers: expected at least 1"),
        ({"agents": ["random"] * 3}, "3 agents: expected 2"),
    ],
)
def test_bad_numbers(options: dict[str, float], message: str) -> None:
    given = {
        "agents": ["random", "random"],
        "detect": 0.03,
        "power": 0.8,
        "pilot_deals": 4,
        "seed": 1,
        **options,
    }
    with pytest.raises(EvaluationError, match=message):
        plan_evaluation(config=SMALL, **given)  # type: ignore[arg-type]
