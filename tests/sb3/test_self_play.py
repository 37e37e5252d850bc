"""Opponents from the learner's own past: who is in the pool, how often, and from when on."""

from typing import Any

import numpy as np
import pytest
import torch

from arboretum_agents.bots.greedy import GreedyAgent
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import AgentSpecError
from arboretum_env.config import GameConfig
from arboretum_training.league_config import PoolConfig
from arboretum_training.opponents.drawn_pool import OpponentPool
from arboretum_training.sb3.self_play import SelfPlay
from arboretum_training.sb3.vec_env import ArboretumVecEnv
from tests.agents.positions import mover_views, random_network
from tests.api.learner_play import hashed_actions

pytestmark = pytest.mark.usefixtures("one_thread")

GAME = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)


def make_pool(game: GameConfig = GAME, seed: int = 1, **config: Any) -> OpponentPool:
    return OpponentPool(game, PoolConfig(**config), random_network(game), seed)


def drift(pool: OpponentPool) -> None:
    """Learning, as far as the pool can tell."""
    with torch.no_grad():
        for weight in pool.latest.network.parameters():
            weight.add_(0.1)


def test_a_snapshot_stays_as_it_was_and_the_latest_learns_on() -> None:
    pool = make_pool()
    views = mover_views(GAME, 3, seed=1)
    before, _ = pool.latest.policy(views)
    pool.take_snapshot()
    drift(pool)
    [snapshot] = pool.snapshots
    assert isinstance(snapshot, NeuralAgent) and snapshot.mode == "sample"
    assert np.array_equal(snapshot.policy(views)[0], before)
    assert not np.allclose(pool.latest.policy(views)[0], before, atol=1e-3)
    assert not any(weight.requires_grad for weight in snapshot.network.parameters())
    assert all(weight.requires_grad for weight in pool.latest.network.parameters())


def test_beyond_its_size_the_oldest_goes() -> None:
    pool = make_pool(size=2)
    taken = []
    for _ in range(4):
        pool.take_snapshot()
        taken.append(pool.snapshots[-1])
        drift(pool)
    assert pool.snapshots == taken[2:]


@pytest.mark.parametrize(
    ("config", "snapshots", "shares"),
    [
        ({"latest": 0.5}, 0, [1.0]),
        ({"latest": 0.5}, 1, [0.5, 0.5]),
        ({"latest": 0.4}, 3, [0.4, 0.2, 0.2, 0.2]),
        ({"latest": 1.0}, 2, [1.0, 0.0, 0.0]),
        ({"latest": 0.0}, 2, [0.0, 0.5, 0.5]),
        ({"latest": 0.5, "bots": ("greedy", "random"), "bot_share": 0.3}, 0, [0.7, 0.15, 0.15]),
        ({"latest": 0.5, "bots": ("greedy",), "bot_share": 0.1}, 2, [0.5, 0.2, 0.2, 0.1]),
        ({"latest": 0.7, "bots": ("greedy",), "bot_share": 0.3}, 1, [0.7, 0.0, 0.3]),
    ],
)
def test_shares(config: dict[str, Any], snapshots: int, shares: list[float]) -> None:
    pool = make_pool(**config)
    for _ in range(snapshots):
        pool.take_snapshot()
    assert pool.shares.tolist() == pytest.approx(shares, abs=1e-12)
    assert pool.agents == [pool.latest, *pool.snapshots, *pool.bots]
    assert len(pool.agents) == len(shares)


def invited(environment: ArboretumVecEnv) -> list[list[Any]]:
    """[B][P - 1] the agents of each row's next game."""
    lineups = environment._games._batch.lineups
    return [[lineups.agents[k] for k in row] for row in lineups._next]


def test_opponents_are_drawn_by_their_shares() -> None:
    """4,000 seats; a share is off by more than four standard errors once in 16,000 seeds."""
    game = GameConfig(num_players=3, species=3, num_ranks=4, hand_size=1)
    pool = make_pool(game, latest=0.5, size=2, bots=("greedy",), bot_share=0.1)
    for _ in range(2):
        pool.take_snapshot()
    environment = ArboretumVecEnv(2000, config=game)
    pool.seat(environment)
    drawn = invited(environment)
    assert {len(row) for row in drawn} == {2}
    seats = [id(agent) for row in drawn for agent in row]
    for agent, share in zip(pool.agents, pool.shares, strict=True):
        error = np.sqrt(share * (1 - share) / len(seats))
        assert seats.count(id(agent)) / len(seats) == pytest.approx(share, abs=4 * error)
    # Every seat by itself: both alike about as often as chance has it.
    alike = np.mean([row[0] is row[1] for row in drawn])
    assert alike == pytest.approx((pool.shares**2).sum(), abs=0.05)
    assert isinstance(pool.bots[0], GreedyAgent)


def test_draws_come_from_the_seed_alone() -> None:
    def kinds(seed: int) -> list[list[int]]:
        pool = make_pool(seed=seed, latest=0.5)
        pool.take_snapshot()
        environment = ArboretumVecEnv(64, config=GAME)
        found = []
        for _ in range(2):
            pool.seat(environment)
            found.append([pool.agents.index(row[0]) for row in invited(environment)])
        return found

    first = kinds(5)
    assert kinds(5) == first
    assert kinds(6) != first and first[0] != first[1]


def test_they_change_between_games_and_not_within() -> None:
    """A game goes on against whom it began with, even one that has left the pool."""
    pool = make_pool(latest=0.0, size=1)
    environment = ArboretumVecEnv(16, config=GAME, opponents=pool.latest)
    environment.seed(1)
    seen = environment.reset()
    pool.take_snapshot()
    [first] = pool.snapshots
    pool.seat(environment)

    def sitting() -> list[Any]:
        batch = environment._games._batch
        own = batch.lineups.seating[np.arange(16), 1 - batch.seat]
        return [batch.lineups.agents[k] for k in own]

    assert sitting() == [pool.latest] * 16
    since_first = np.zeros(16, np.bool_)
    while not since_first.all():
        seen, _, dones, _ = environment.step(hashed_actions(seen, environment.action_masks()))
        since_first |= dones
        expected = [first if begun else pool.latest for begun in since_first]
        assert all(now is then for now, then in zip(sitting(), expected, strict=True))
    pool.take_snapshot()
    assert first not in pool.snapshots
    pool.seat(environment)
    assert sitting() == [first] * 16


class Model:
    """As much of a model as the callback looks at."""

    num_timesteps = 0


def test_the_callback_seats_and_grows_the_pool() -> None:
    pool = make_pool(every=3, size=5)
    environment = ArboretumVecEnv(4, config=GAME)
    callback = SelfPlay(pool, environment)
    callback.init_callback(Model())  # type: ignore[arg-type]
    sizes = []
    for _ in range(8):
        callback.on_rollout_start()
        assert callback.on_step()
        sizes.append(len(pool.snapshots))
        assert all(row[0] in pool.agents for row in invited(environment))
        drift(pool)
    assert sizes == [0, 0, 0, 1, 1, 1, 2, 2]


def test_bots_that_do_not_exist() -> None:
    with pytest.raises(AgentSpecError, match="unknown agent 'gredy'"):
        make_pool(bots=("gredy",), bot_share=0.1)
