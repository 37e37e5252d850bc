"""Who sits where: shares, seats, and what is remembered of the games."""

from typing import Any

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_training.league_config import HousePoolConfig
from arboretum_training.opponents.pool import Pool
from arboretum_training.opponents.priorities import Tally
from arboretum_training.opponents.seating import LEARNER, Opponents, Target
from tests.agents.positions import random_network

pytestmark = pytest.mark.usefixtures("one_thread")

GAMES = 20_000


def make_pool(players: int = 2, snapshots: int = 3) -> Pool:
    """Numbers 0 and 1 are bots, 2 is main as it is, then come snapshots of main."""
    game = GameConfig(num_players=players)
    pool, network = Pool(game, 1), random_network(game)
    pool.invite(["greedy", "random"])
    pool.enrol("main", network)
    for step in range(snapshots):
        pool.take_snapshot("main", step + 1, network, 99)
    return pool


def opponents(pool: Pool, target: Target | None = None, seed: int = 1, **pools: Any) -> Opponents:
    config = HousePoolConfig(
        **{"latest": 0.5, "bots": ("greedy", "random"), "bot_share": 0.1, **pools}
    )
    name = "main" if target is None else "exploiter1"
    return Opponents(name, pool, config, target, np.random.default_rng(seed))


def near(share: float) -> Any:
    """Within four standard deviations of a share of the games."""
    return pytest.approx(share, abs=4 * (share * (1 - share) / GAMES) ** 0.5 + 1e-9)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_are_shared_out(players: int) -> None:
    them = opponents(make_pool(players), latest=0.6, concurrent=2)
    them.draw()
    assert len(them.slots) == 2 and set(them.slots) <= {3, 4, 5}
    seating = them.seat(GAMES)
    assert seating.shape == (GAMES, players)
    with_bots = np.isin(seating, (0, 1)).any(axis=1)
    with_snapshots = (seating >= 3).any(axis=1)
    assert not (with_bots & with_snapshots).any()
    assert not (seating == 2).any()  # main is not its own opponent
    assert with_bots.mean() == near(0.1)
    assert with_snapshots.mean() == near(0.3)
    assert (seating == LEARNER).all(axis=1).mean() == near(0.6)
    assert set(np.unique(seating[with_snapshots])) == {LEARNER, *them.slots}
    # Each bot equally often, each seat equally often, and the learner has one everywhere.
    bots = seating[with_bots]
    assert (bots == 0).sum() / (bots != LEARNER).sum() == pytest.approx(0.5, abs=0.05)
    mixed = seating[with_bots | with_snapshots]
    own = mixed == LEARNER
    assert own.mean(axis=0) == pytest.approx(np.full(players, own.mean()), abs=0.03)
    numbers = np.bincount(own.sum(axis=1), minlength=players) / len(own)
    assert numbers[0] == 0
    assert numbers[1:players] == pytest.approx(np.full(players - 1, 1 / (players - 1)), abs=0.03)


def test_by_default_the_learner_is_alone_and_nothing_is_drawn() -> None:
    them = Opponents("main", make_pool(), HousePoolConfig(), None, np.random.default_rng(1))
    before = them.rng.bit_generator.state
    assert (them.seat(100) == LEARNER).all()
    assert them.rng.bit_generator.state == before
    assert them.metrics({}) == {}


def test_without_snapshots_the_learner_plays_itself() -> None:
    them = opponents(make_pool(snapshots=0), latest=0.5)
    them.draw()
    assert them.slots == []
    seating = them.seat(GAMES)
    assert (seating == LEARNER).all(axis=1).mean() == near(0.9)
    assert them.metrics({}) == {"pool/snapshots": 0, "pool/effective": 0.0}


@pytest.mark.parametrize("players", [2, 4])
def test_an_exploiter_plays_its_target_alone(players: int) -> None:
    target = Target("main", current=0.7, recent=2)
    pool = make_pool(players)
    pool.take_snapshot("exploiter1", 9, random_network(pool.game), 9)
    them = opponents(pool, target, latest=0.6, concurrent=4)
    assert [member.number for member in them.candidates()] == [4, 5]  # its newest ones
    them.draw()
    seating = them.seat(GAMES)
    assert ((seating == LEARNER).sum(axis=1) == 1).all()
    assert set(np.unique(seating)) == {LEARNER, 2, *them.slots}
    assert (seating == 2).any(axis=1).mean() == near(0.7)
    assert not ((seating == 2).any(axis=1) & (seating > 2).any(axis=1)).any()
    early = opponents(make_pool(players, snapshots=0), target)
    early.draw()
    assert set(np.unique(early.seat(50))) == {LEARNER, 2}


def test_a_game_is_seated_alike_whatever_games_there_are_beside_it() -> None:
    pool = make_pool(3)
    at_once = opponents(pool, latest=0.4)
    one_by_one = opponents(pool, latest=0.4)
    for them in (at_once, one_by_one):
        them.draw()
    together = at_once.seat(60)
    assert np.array_equal(together, np.concatenate([one_by_one.seat(1) for _ in range(60)]))
    assert len(np.unique(together, axis=0)) > 5
    other = opponents(pool, latest=0.4, seed=2)
    other.draw()
    assert not np.array_equal(together, other.seat(60))


def test_snapshots_are_drawn_by_priority() -> None:
    pool = make_pool()
    them = opponents(pool, latest=0.0, bots=(), bot_share=0.0, priority="hard", floor=0.3)
    them.tallies = {3: Tally(8.0, 8.0), 4: Tally(0.0, 8.0), 5: Tally(4.0, 8.0)}
    # Win rates 9/10, 1/10, 5/10, so 0.1, 0.9, 0.5 of 1.5; 0.7 of that and 0.1.
    expected = [0.07 / 1.5 + 0.1, 0.63 / 1.5 + 0.1, 0.35 / 1.5 + 0.1]
    assert them.shares(them.candidates()).tolist() == pytest.approx(expected)
    drawn = np.zeros(6)
    for _ in range(2000):
        them.draw()
        drawn += np.bincount(them.slots, minlength=6)
    assert (drawn / drawn.sum())[3:].tolist() == pytest.approx(expected, abs=0.02)
    metrics = them.metrics({"snapshots": 0.25})
    assert metrics["pool/snapshots"] == 3
    assert metrics["pool/effective"] == pytest.approx(1 / np.square(expected).sum())
    assert metrics["pool/win_rate/snapshots"] == 0.25


def test_what_is_remembered_by_hand() -> None:
    pool = make_pool(3)
    pool.take_snapshot("exploiter1", 9, random_network(pool.game), 9)  # number 6
    them = opponents(pool, memory=2)
    seating = np.array(
        [
            [LEARNER, LEARNER, LEARNER],  # tells nothing
            [LEARNER, 3, LEARNER],  # one seat did better than 3's, one worse
            [4, 0, LEARNER],
            [6, 6, LEARNER],
        ]
    )
    points = np.array([[9, 0, 0], [5, 4, 3], [7, 2, 7], [1, 8, 9]])
    shares = np.array([[1.0, 0, 0], [1, 0, 0], [0.5, 0, 0.5], [0, 0, 1]])
    rates = them.note(seating, points, shares)
    assert rates == {"exploiter1": 1.0, "greedy": 1.0, "snapshots": pytest.approx(0.5)}
    assert list(rates) == sorted(rates)
    assert them.tallies == {
        0: Tally(1.0, 1.0), 3: Tally(1.0, 2.0), 4: Tally(0.5, 1.0), 6: Tally(2.0, 2.0)
    }  # fmt: skip
    them.note(seating[2:3], points[2:3], shares[2:3])
    assert them.tally(0) == Tally(1.5, 1.5)  # half of the first game is forgotten
    assert them.tally(5) == Tally()
    pool.invite([])
    pool.forget([])
    them.forget()
    assert set(them.tallies) == {3, 4, 6}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_learner_that_is_to_have_one_seat_has_each_equally_often(players: int) -> None:
    pool = make_pool(players)
    them = opponents(pool, latest=0.0, bot_share=1.0, seats="one")
    seating = them.seat(GAMES)
    own = seating == LEARNER
    assert (own.sum(axis=1) == 1).all()
    assert own.mean(axis=0).tolist() == [near(1 / players)] * players
    assert set(np.unique(seating[~own])) == {0, 1}
