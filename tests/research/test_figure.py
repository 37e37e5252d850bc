"""Figures: their intervals by hand, and sums that are exact."""

import json

import numpy as np
import pytest

from arboretum_training.research.figure import (
    GRID,
    Figure,
    combined,
    exact,
    mean_figure,
    on_grid,
    share_figure,
)


def test_a_mean_and_its_interval_by_hand() -> None:
    """1, 2, 3, 4: mean 2.5, deviation 1.291, so 1.96 * 1.291 / 2 on either side."""
    figure = mean_figure(np.array([1.0, 2.0, 3.0, 4.0]))
    assert (figure.value, figure.source, figure.n) == (2.5, "monte_carlo", 4)
    assert figure.interval == pytest.approx((2.5 - 1.2652, 2.5 + 1.2652), abs=1e-4)
    whole = mean_figure(np.array([1.0, 2.0, 3.0, 4.0]), enumerated=True)
    assert whole.to_json() == {"value": 2.5, "source": "exact"}


def test_a_share_keeps_a_width_at_the_ends() -> None:
    """Wilson's interval of 16 of 16: 1 / (1 + z^2 / 16) at the low end."""
    figure = share_figure(np.ones(16))
    assert figure.interval == (pytest.approx(1 / (1 + 3.8415 / 16), abs=1e-4), 1.0)


def test_parts_add_up_after_a_journey() -> None:
    rng = np.random.default_rng(1)
    values = [on_grid(float(value)) for value in rng.normal(0, 9, 200)]
    sent = json.loads(json.dumps(values))
    steps = np.diff(sent)
    assert float(sum(steps)) == sent[-1] - sent[0]
    assert all((value * GRID).is_integer() for value in sent)


def test_a_difference_has_the_intervals_of_both() -> None:
    first = Figure(5.0, "monte_carlo", 64, (2.0, 8.0))
    second = Figure(1.0, "monte_carlo", 64, (-3.0, 5.0))
    found = combined(4.0, first, second)
    assert found == Figure(4.0, "monte_carlo", 64, (-1.0, 9.0))  # 3 and 4 make 5
    assert combined(4.0, first, exact(1.0)).interval == (1.0, 7.0)
    assert combined(4.0, exact(5.0), exact(1.0)) == Figure(4.0, "exact")
