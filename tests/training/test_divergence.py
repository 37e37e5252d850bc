"""Updates that go wrong end a run; accidents of one minibatch do not."""

from typing import Any

import pytest

from arboretum_training.divergence import BOUNDS, FAR, PATIENCE, Watch
from arboretum_training.metrics import check_name

SOUND = {"loss/value": 0.3, "loss/critic": 0.2, "policy/approx_kl": 0.02, "loss/belief": 0.6}
HIGHEST = {bound.metric: bound.highest for bound in BOUNDS}


def test_bounds_are_of_metrics_and_far_from_what_is_sound() -> None:
    assert HIGHEST.keys() == SOUND.keys()
    for metric, highest in HIGHEST.items():
        check_name(metric)
        assert SOUND[metric] < highest / 5


@pytest.mark.parametrize("metric", HIGHEST)
def test_a_number_that_stays_beyond_its_bound_is_a_fault(metric: str) -> None:
    watch = Watch(100)
    beyond = SOUND | {metric: 1.01 * HIGHEST[metric]}
    for _ in range(PATIENCE - 1):
        assert watch.fault(beyond) is None
    fault = watch.fault(beyond)
    assert fault is not None
    assert fault.startswith(f"{metric} {1.01 * HIGHEST[metric]:.4g}, above {HIGHEST[metric]:g} for")
    assert f"{PATIENCE} minibatches in a row" in fault


def test_a_bound_itself_is_within() -> None:
    watch = Watch(100)
    assert all(watch.fault(HIGHEST) is None for _ in range(3 * PATIENCE))


def test_accidents_are_forgiven() -> None:
    watch = Watch(1000)
    rows: list[dict[str, Any]] = [SOUND | {"policy/approx_kl": 50.0}] * (PATIENCE - 1) + [SOUND]
    assert all(watch.fault(row) is None for row in 5 * rows)
    # Two metrics that take turns are each beyond their bound never more than once in a row.
    turns = [SOUND | {"loss/value": 9.0}, SOUND | {"loss/critic": 9.0}]
    assert all(watch.fault(row) is None for row in 20 * turns)


@pytest.mark.parametrize("updates", [1, 3])
def test_a_whole_iteration_is_enough_however_few_updates_it_has(updates: int) -> None:
    watch = Watch(updates)
    beyond = SOUND | {"loss/critic": 7.0}
    faults = [watch.fault(beyond) for _ in range(updates)]
    assert faults[:-1] == [None] * (updates - 1)
    assert faults[-1] is not None


def test_what_is_no_number_is_beyond_every_bound() -> None:
    assert Watch(1).fault(SOUND | {"loss/value": float("nan")}) is not None


@pytest.mark.parametrize("metric", HIGHEST)
def test_an_iteration_that_was_far_off_is_a_fault_although_its_end_looks_sound(metric: str) -> None:
    means = SOUND | {metric: FAR * HIGHEST[metric]}
    assert Watch.fault_of_iteration(means) is None
    fault = Watch.fault_of_iteration(means | {metric: 1.01 * FAR * HIGHEST[metric]})
    assert fault is not None
    assert fault.startswith(f"{metric} ")
    assert f"in the mean of the iteration, above {FAR * HIGHEST[metric]:g} (" in fault
    assert Watch.fault_of_iteration(means | {metric: float("nan")}) is not None


def test_the_worst_minibatch_is_the_one_furthest_beyond_its_bound() -> None:
    watch = Watch(100)
    rows = [
        SOUND,
        SOUND | {"loss/value": 1.0},
        SOUND | {"loss/belief": 4.0},  # 4 of 10, less than 1 of 2
        SOUND | {"policy/approx_kl": 0.9},
        SOUND,
    ]
    assert [watch.is_worst(row) for row in rows] == [True, True, False, True, False]
