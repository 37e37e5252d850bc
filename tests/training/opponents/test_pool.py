"""Who is in a pool: members that come, stay as they are, leave, and are gone."""

from pathlib import Path

import numpy as np
import pytest
import torch

from arboretum_agents.bots.greedy import GreedyAgent
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_env.config import GameConfig
from arboretum_env.errors import ArboretumError, ConfigError
from arboretum_training.opponents.pool import Pool
from arboretum_training.opponents.saved_pool import pool_state, pool_tensors, restore_pool
from tests.agents.positions import mover_views, random_network
from tests.training.opponents.folders import save_network

pytestmark = pytest.mark.usefixtures("one_thread")

GAME = GameConfig()


def names(pool: Pool) -> list[str]:
    return [member.name for member in pool.members.values()]


def test_a_snapshot_stays_as_it_was() -> None:
    pool, network = Pool(GAME, 1), random_network(GAME)
    before = network.draw_deck.weight.clone()
    pool.take_snapshot("main", 100, network, 3)
    with torch.no_grad():
        network.draw_deck.weight.add_(1.0)
    [snapshot] = pool.snapshots()
    assert snapshot.name == "main@100"
    assert snapshot.network is not None
    assert torch.equal(snapshot.network.draw_deck.weight, before)
    assert not any(weight.requires_grad for weight in snapshot.network.parameters())
    assert all(weight.requires_grad for weight in network.parameters())


def test_a_learner_is_as_it_is_now() -> None:
    pool, network = Pool(GAME, 1), random_network(GAME)
    pool.enrol("main", network)
    number = pool.learner("main").number
    assert pool.learner("main").network is network
    other = random_network(GAME)
    pool.enrol("main", other)
    assert pool.learner("main").number == number
    assert pool.learner("main").network is other
    with pytest.raises(KeyError):
        pool.learner("main2")


def test_each_owner_has_room_of_its_own_and_nobody_goes_from_a_game() -> None:
    pool, network = Pool(GAME, 1), random_network(GAME)
    pool.invite(["greedy"])
    pool.take_snapshot("exploiter1", 5, network, 1)
    for step in (10, 20, 30):
        pool.take_snapshot("main", step, network, 2)
    assert [member.step for member in pool.snapshots("main")] == [20, 30]
    assert [member.name for member in pool.snapshots()] == ["exploiter1@5", "main@20", "main@30"]
    gone = 2
    assert pool[gone].name == "main@10"  # it still sits somewhere
    pool.forget([gone, 0])
    assert gone in pool.members
    pool.forget([-1, 0])
    assert names(pool) == ["greedy", "exploiter1@5", "main@20", "main@30"]
    pool.take_snapshot("main", 40, network, 9)
    assert pool.snapshots()[-1].number == 5  # nobody gets a number twice


def test_bots_come_and_go_by_their_specs() -> None:
    pool = Pool(GAME, 1)
    pool.invite(["greedy", "blocker@1"])
    greedy = pool.bots[0]
    assert isinstance(greedy.agent, GreedyAgent)
    assert greedy.network is None
    pool.invite(["greedy", "random"])
    assert [bot.name for bot in pool.bots] == ["greedy", "random"]
    assert pool.bots[0] is greedy
    pool.invite([])
    assert pool.bots == []
    pool.forget([])
    assert pool.members == {}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("human", "its moves come from outside"),
        ("process:./bot", "its moves come from outside"),
        ("nobody", "unknown agent 'nobody'"),
        ("no/such/run", "expected a run or checkpoint folder"),
    ],
)
def test_bots_that_may_not_sit_in_a_pool(spec: str, message: str) -> None:
    pool = Pool(GAME, 1)
    with pytest.raises(ArboretumError, match=message):
        pool.invite([spec])
    assert pool.members == {}


def test_a_bot_that_asks_for_the_past_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GreedyAgent, "wants_history", True, raising=False)
    with pytest.raises(ConfigError, match="asks for the course of the game"):
        Pool(GAME, 1).invite(["greedy"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_folder_is_copied_and_a_pool_restored_without_it(tmp_path: Path, players: int) -> None:
    game = GameConfig(num_players=players)
    network = random_network(game)
    folder = save_network(tmp_path / "old", game, network)
    pool = Pool(game, 7)
    pool.invite([f"{folder}:mode=greedy", str(folder), "planner@1"])
    pool.enrol("main", random_network(game))
    pool.take_snapshot("main", 10, network, 1)
    pool.take_snapshot("main", 20, network, 1)
    (folder / "LATEST").unlink()
    state = pool_state(pool)
    again = restore_pool(game, 7, state, pool_tensors(pool))
    assert pool_state(again) == state
    assert again.left == pool.left == {4}
    assert [bot.name for bot in again.bots] == [f"{folder}:mode=greedy", str(folder), "planner@1"]
    greedy, sampled, planner = again.bots
    assert isinstance(greedy.agent, NeuralAgent) and greedy.agent.mode == "greedy"
    assert greedy.network is None  # it takes the likeliest move, and is asked for it
    assert sampled.network is not None
    views = mover_views(game, 2, 1, every=7)
    for before, after in zip(pool.bots, again.bots, strict=True):
        assert np.array_equal(before.agent.act(views), after.agent.act(views))
    for name, tensor in network.state_dict().items():
        assert torch.equal(sampled.network.state_dict()[name], tensor)
    again.invite([str(folder), "planner@1"])  # those that are there are not read again
    assert again.bots == [sampled, planner]


def test_a_weakened_network_stays_one_over_a_resume(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves drawn from its network alone would be those of its full strength."""
    weak = NeuralAgent(GAME, random_network(GAME), temperature=2.5)
    monkeypatch.setattr("arboretum_training.opponents.pool.make_bot", lambda spec, game: weak)
    pool = Pool(GAME, 1)
    pool.invite(["league-2p:level=1"])
    assert pool.bots[0].network is None
    again = restore_pool(GAME, 1, pool_state(pool), pool_tensors(pool)).bots[0].agent
    assert isinstance(again, NeuralAgent)
    assert (again.temperature, again.mode) == (2.5, "sample")
    views = mover_views(GAME, 4, 1)
    for agent in (weak, again):
        agent.reset(np.arange(len(views), dtype=np.uint64), 3)
    assert again.policy(views)[0].tolist() == weak.policy(views)[0].tolist()
