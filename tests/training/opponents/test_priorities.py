"""Who is met how often: worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arboretum_training.league_config import Priority
from arboretum_training.opponents.priorities import (
    Tally,
    beaten,
    draw_shares,
    effective_number,
    preferences,
    superfluous,
)


@pytest.mark.parametrize(
    ("priority", "power", "expected"),
    [
        ("uniform", 1.0, [1.0, 1.0, 1.0, 1.0]),
        ("hard", 1.0, [1.0, 0.75, 0.5, 0.0]),
        ("hard", 2.0, [1.0, 0.5625, 0.25, 0.0]),
        ("even", 1.0, [0.0, 0.1875, 0.25, 0.0]),
        ("even", 2.0, [0.0, 0.1875, 0.25, 0.0]),  # the power is of hard alone
    ],
)
def test_preferences_by_hand(priority: Priority, power: float, expected: list[float]) -> None:
    rates = np.array([0.0, 0.25, 0.5, 1.0])
    assert preferences(rates, priority, power).tolist() == expected


def test_the_floor_feeds_everybody() -> None:
    shares = draw_shares(np.array([3.0, 1.0, 0.0, 0.0]), 0.2)
    # 0.8 * 3/4 + 0.2 / 4, 0.8 * 1/4 + 0.2 / 4, 0.2 / 4
    assert shares.tolist() == pytest.approx([0.65, 0.25, 0.05, 0.05])
    assert draw_shares(np.array([3.0, 1.0]), 0.0).tolist() == [0.75, 0.25]
    assert draw_shares(np.array([3.0, 1.0]), 1.0).tolist() == [0.5, 0.5]


def test_if_nobody_is_preferred_all_are_alike() -> None:
    """Every opponent always beaten: even and hard prefer nobody."""
    for priority in ("even", "hard"):
        preferred = preferences(np.ones(4), priority, 1.0)
        assert draw_shares(preferred, 0.2).tolist() == [0.25] * 4


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=20),
    st.sampled_from(["uniform", "hard", "even"]),
    st.floats(0.1, 5),
    st.floats(0, 1),
)
def test_shares_are_shares(
    rates: list[float], priority: Priority, power: float, floor: float
) -> None:
    shares = draw_shares(preferences(np.array(rates), priority, power), floor)
    assert shares.sum() == pytest.approx(1)
    assert (shares >= floor / len(rates) - 1e-12).all()
    assert 1 - 1e-9 <= effective_number(shares) <= len(rates) + 1e-9


def test_effective_number_by_hand() -> None:
    assert effective_number(np.array([0.25] * 4)) == 4
    assert effective_number(np.array([1.0, 0.0])) == 1
    assert effective_number(np.array([0.5, 0.25, 0.25])) == pytest.approx(8 / 3)


def test_a_tally_fades() -> None:
    tally = Tally().after(3.0, 4, 100)
    assert (tally.wins, tally.games) == (3.0, 4)
    assert tally.win_rate == pytest.approx(4 / 6)  # a win and a loss more
    later = tally.after(0.5, 2, 4)  # three quarters stay with each of two games
    assert later.games == pytest.approx(4 * 9 / 16 + 2)
    assert later.wins == pytest.approx(3 * 9 / 16 + 0.5)
    assert Tally().win_rate == 0.5
    assert tally.after(0.0, 0, 4) == tally
    assert tally.after(1.0, 1, 1) == Tally(1.0, 1.0)  # a memory of one game


def test_a_tally_never_holds_more_than_its_memory() -> None:
    tally = Tally()
    for _ in range(1000):
        tally = tally.after(1.0, 1, 50)
    assert tally.games == pytest.approx(50, abs=1e-6)
    assert tally.win_rate == pytest.approx(51 / 52)


def test_who_did_better_by_hand() -> None:
    points = np.array([[30, 10, 20], [30, 10, 20], [7, 7, 3], [7, 7, 3], [7, 7, 3]])
    shares = np.array([[1, 0, 0], [1, 0, 0], [0.5, 0.5, 0], [0, 1, 0], [0.5, 0.5, 0]])
    own = np.array([0, 1, 0, 0, 2])
    other = np.array([1, 2, 1, 1, 0])
    # more points; fewer although both lost; a shared win; as many points, fewer species; fewer
    assert beaten(points, shares, own, other).tolist() == [1, 0, 0.5, 0, 0]
    assert beaten(points, shares, other, own).tolist() == [0, 1, 0.5, 1, 1]


@pytest.mark.parametrize(
    ("steps", "size", "goes"),
    [
        ([1, 2], 2, None),
        ([1, 2], 1, 0),
        ([1, 2, 3], 2, 0),  # the newest one stays; 2 - 0 and 3 - 1 are equal: the oldest
        ([1, 3, 4], 2, 0),
        ([3, 4, 5, 6, 7], 4, 1),  # 6 and 7 stay; 4 - 0, 5 - 3, 6 - 4
        ([2, 4, 6, 7, 8], 4, 2),  # 4, 4, 3
        ([2, 4, 7, 8, 9], 4, 0),  # 4, 5, 4
        ([4, 7, 8, 9, 10], 4, 2),  # 7, 4, 2
    ],
)
def test_which_snapshot_goes_by_hand(steps: list[int], size: int, goes: int | None) -> None:
    assert superfluous(steps, size) == goes


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_old_snapshots_come_to_lie_further_apart(size: int) -> None:
    steps: list[int] = []
    for step in range(1, 201):
        steps.append(step)
        goes = superfluous(steps, size)
        if goes is not None:
            del steps[goes]
        assert steps == sorted(steps)
        assert len(steps) == min(step, size)
        newest = (size + 1) // 2
        assert steps[-newest:] == list(range(max(1, step - newest + 1), step + 1))[-newest:]
    if size >= 5:
        assert 1 < steps[0] <= 120  # far back, but not for ever
