"""Advantages against arrays worked out by hand; no seat uses another seat's value or reward."""

import numpy as np
import pytest
from numpy.typing import ArrayLike

from arboretum_training.gae import Advantages, generalised_advantages, group_by_trajectory


def gae(
    values: ArrayLike,
    offsets: ArrayLike,
    outcomes: ArrayLike,
    finished: ArrayLike,
    gamma: float = 1.0,
    lam: float = 1.0,
) -> Advantages:
    return generalised_advantages(
        np.array(values, np.float32),
        np.array(offsets),
        np.array(outcomes, np.float32),
        np.array(finished),
        gamma=gamma,
        lam=lam,
    )


def test_one_finished_trajectory_by_hand() -> None:
    # delta = [.9 * .4 - .2, .9 * -.2 - .4, 1 - -.2] = [.16, -.58, 1.2];  gamma lam = .45
    # A2 = 1.2;  A1 = -.58 + .45 * 1.2 = -.04;  A0 = .16 + .45 * -.04 = .142
    result = gae([0.2, 0.4, -0.2], [0, 3], [1.0], [True], gamma=0.9, lam=0.5)
    assert result.advantages == pytest.approx([0.142, -0.04, 1.2], abs=1e-6)
    assert result.returns == pytest.approx([0.342, 0.36, 1.0], abs=1e-6)
    assert result.ready.tolist() == [True, True, True]


def test_lambda_one_is_the_outcome_and_lambda_zero_is_one_step() -> None:
    values = [0.25, -0.5, 0.125]
    everything = gae(values, [0, 3], [-1.0], [True], lam=1.0)
    assert everything.returns.tolist() == [-1.0, -1.0, -1.0]
    one_step = gae(values, [0, 3], [-1.0], [True], lam=0.0)
    assert one_step.returns.tolist() == [-0.5, 0.125, -1.0]


def test_two_seats_interleaved_by_hand() -> None:
    # In time order, with two decisions a turn:
    #   seat   0    0    1    1    0    0    1    1      (seat 1 makes the last move and wins)
    #   value .1   .2  -.3  -.4   .5  -.6   .7   .8
    # seat 0: .1 .2 .5 -.6, outcome -1:   delta = .1, .3, -1.1, -.4
    #   lam .5: A3 = -.4; A2 = -1.3; A1 = .3 - .65 = -.35; A0 = .1 - .175 = -.075
    # seat 1: -.3 -.4 .7 .8, outcome +1:  delta = -.1, 1.1, .1, .2
    #   lam .5: A3 = .2; A2 = .2; A1 = 1.2; A0 = -.1 + .6 = .5
    seats = np.array([0, 0, 1, 1, 0, 0, 1, 1])
    values = np.array([0.1, 0.2, -0.3, -0.4, 0.5, -0.6, 0.7, 0.8])
    order, offsets = group_by_trajectory(seats, 2)
    assert order.tolist() == [0, 1, 4, 5, 2, 3, 6, 7]
    assert offsets.tolist() == [0, 4, 8]
    result = gae(values[order], offsets, [-1.0, 1.0], [True, True], lam=0.5)
    assert result.advantages == pytest.approx(
        [-0.075, -0.35, -1.3, -0.4, 0.5, 1.2, 0.2, 0.2], abs=1e-6
    )
    assert result.ready.all()


def test_three_players_get_their_own_outcomes() -> None:
    # One decision a turn; seat 2 ends the game; seats 0 and 1 made their last decision before.
    seats = np.array([0, 1, 2, 0, 1, 2])
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    order, offsets = group_by_trajectory(seats, 3)
    result = gae(values[order], offsets, [1.0, -0.5, -0.5], [True] * 3, lam=1.0)
    # lambda 1, gamma 1: every own decision's return is the seat's own outcome.
    assert result.returns == pytest.approx([1.0, 1.0, -0.5, -0.5, -0.5, -0.5], abs=1e-6)
    assert result.advantages == pytest.approx([0.9, 0.6, -0.7, -1.0, -0.8, -1.1], abs=1e-6)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_rivals_values_and_outcome_change_nothing(num_players: int) -> None:
    rng = np.random.default_rng(num_players)
    seats = rng.integers(0, num_players, 60)
    order, offsets = group_by_trajectory(seats, num_players)
    values = rng.normal(size=60)
    outcomes = rng.normal(size=num_players)
    finished = np.ones(num_players, bool)
    before = gae(values[order], offsets, outcomes, finished, lam=0.9)
    rival = seats != 0
    values[rival] = 1e6
    outcomes[1:] = -1e6
    finished[1:] = False
    after = gae(values[order], offsets, outcomes, finished, lam=0.9)
    own = slice(offsets[0], offsets[1])
    assert own.stop > 5
    assert before.advantages[own].tolist() == after.advantages[own].tolist()
    assert before.returns[own].tolist() == after.returns[own].tolist()


def test_an_unfinished_tail_is_not_ready_and_ends_the_sum() -> None:
    # delta = [.3 - .1, .7 - .3] = [.2, .4], lam .5: A1 = .4, A0 = .2 + .2 = .4; the third waits.
    # The outcome of an unfinished game is not read, whatever stands there.
    result = gae([0.1, 0.3, 0.7], [0, 3], [np.nan], [False], lam=0.5)
    assert result.ready.tolist() == [True, True, False]
    assert result.advantages == pytest.approx([0.4, 0.4, 0.0], abs=1e-6)
    assert result.returns[:2] == pytest.approx([0.5, 0.7], abs=1e-6)


def test_a_carried_decision_gets_the_outcome_in_the_next_window() -> None:
    # Window 1 sees decisions a, b of a seat; b is carried. The game then ends without another
    # decision of this seat: in window 2 the trajectory is b alone, and it earns the outcome.
    first = gae([0.1, 0.3], [0, 2], [0.0], [False], lam=0.5)
    assert first.ready.tolist() == [True, False]
    second = gae([0.3], [0, 1], [1.0], [True], lam=0.5)
    assert second.ready.tolist() == [True]
    assert second.advantages == pytest.approx([0.7], abs=1e-6)


@pytest.mark.parametrize("lam", [0.0, 0.95])
def test_windows_with_carry_cover_each_decision_once(lam: float) -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=37)
    done = []
    carried: list[int] = []
    one_step = []
    for start in range(0, 37, 8):
        window = carried + list(range(start, min(start + 8, 37)))
        finished = start + 8 >= 37
        result = gae(values[window], [0, len(window)], [2.0], [finished], lam=lam)
        done += [d for d, ready in zip(window, result.ready, strict=True) if ready]
        one_step += result.advantages[result.ready].tolist()
        carried = [d for d, ready in zip(window, result.ready, strict=True) if not ready]
    assert done == list(range(37))
    assert carried == []
    if lam == 0.0:  # without a sum over the future, the window's cut changes nothing at all
        whole = gae(values, [0, 37], [2.0], [True], lam=0.0)
        assert one_step == whole.advantages.tolist()


def test_a_batch_of_ragged_trajectories_equals_each_alone() -> None:
    rng = np.random.default_rng(11)
    lengths = np.array([3, 0, 1, 17, 0, 40, 1, 2])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    values = rng.normal(size=offsets[-1])
    outcomes = rng.normal(size=len(lengths))
    finished = np.array([True, True, False, False, False, True, True, False])
    batch = gae(values, offsets, outcomes, finished, gamma=0.99, lam=0.9)
    for g, length in enumerate(lengths):
        part = slice(offsets[g], offsets[g + 1])
        alone = gae(
            values[part], [0, length], outcomes[g : g + 1], finished[g : g + 1], gamma=0.99, lam=0.9
        )
        assert batch.advantages[part].tolist() == alone.advantages.tolist()
        assert batch.ready[part].tolist() == alone.ready.tolist()
    assert batch.ready.sum() == lengths.sum() - 3  # g = 2, 3, 7 wait; g = 4 has nothing to wait


def test_inputs_are_not_changed() -> None:
    values = np.array([0.1, 0.2], np.float32)
    offsets, outcomes = np.array([0, 2]), np.array([1.0])
    generalised_advantages(values, offsets, outcomes, np.array([True]), gamma=1.0, lam=0.95)
    assert values.tolist() == np.array([0.1, 0.2], np.float32).tolist()
    assert outcomes.tolist() == [1.0]


@pytest.mark.parametrize(
    ("offsets", "outcomes", "finished", "options", "message"),
    [
        ([0, 2], [1.0], [True], {}, "rise from 0 to 3"),
        ([1, 3], [1.0], [True], {}, "rise from 0 to 3"),
        ([0, 2, 1, 3], [1.0] * 3, [True] * 3, {}, "rise from 0 to 3"),
        ([0, 3], [1.0, 1.0], [True], {}, "one a trajectory"),
        ([0, 3], [1.0], [True, False], {}, "one a trajectory"),
        ([0, 3], [1.0], [True], {"lam": 1.5}, "expected both in 0..1"),
        ([0, 3], [1.0], [True], {"gamma": -0.1}, "expected both in 0..1"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(
    offsets: list[int],
    outcomes: list[float],
    finished: list[bool],
    options: dict[str, float],
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        gae([0.1, 0.2, 0.3], offsets, outcomes, finished, **options)
