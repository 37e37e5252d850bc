"""``arboretum train`` with ``trainer: rllib``: an ordinary run, and an ordinary agent comes out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch
import yaml
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, latest_step, read_checkpoint
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_lab.cli.main import main
from arboretum_training.library_run import save_policy
from arboretum_training.ray.connection import LOCAL, connected
from arboretum_training.ray.policy_module import PolicyModule
from arboretum_training.ray.self_play import SelfPlayGames

GAME = GameConfig(num_players=3, species=4, num_ranks=5, hand_size=3)
SIZES = NetworkConfig(
    species_width=16, global_width=16, placement_hidden=8, placement_width=4
).model_dump()
EXPERIMENT = {
    "name": "tiny",
    "trainer": "rllib",
    "seed": 3,
    "game": GAME.model_dump(mode="json"),
    "network": SIZES,
    "rollout": {"games": 8, "turns": 6},
    "ppo": {"minibatches": 4},
    "pool": {"every": 1, "size": 2, "bots": ["greedy"], "bot_share": 0.2},
    "budget": {"decisions": 700},
    "evaluation": {"every": 2, "deals": 2, "final_deals": 3},
    "checkpoint": {"every": 2, "keep": 2},
}


def games(runner: int = 0, num_envs: int = 4, **changes: Any) -> SelfPlayGames:
    pool = {"latest": 0.5, "every": 1, "size": 2, **changes}
    plain = GAME.model_dump(mode="json")
    env = SelfPlayGames(
        {"num_envs": num_envs, "game": plain, "reward": "win", "pool": pool, "seed": 3}
    )
    env.runner = runner
    return env


def module() -> PolicyModule:
    env = games()
    torch.manual_seed(1)
    made = RLModuleSpec(
        module_class=PolicyModule,
        observation_space=env.single_observation_space,
        action_space=env.single_action_space,
        model_config={"game": GAME.model_dump(mode="json"), "network": SIZES},
    ).build()
    with torch.no_grad():
        for weight in made.network.parameters():
            weight.copy_(torch.randn_like(weight) * 0.3)  # far from indifferent
    assert isinstance(made, PolicyModule)
    return made


def as_tensors(seen: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return {key: torch.as_tensor(np.array(part)) for key, part in seen.items()}


def test_the_module_is_the_agent_that_is_exported(tmp_path: Path) -> None:
    """The same probabilities and values at every decision of some games, and nothing illegal."""
    learner = module()
    config = {"game": GAME.model_dump(mode="json"), "network": SIZES}
    save_policy(learner.network, tmp_path, 5, config=config)
    agent = make_agent(str(tmp_path), GAME)
    assert isinstance(agent, NeuralAgent)
    env = games()
    env.meet(learner.network, [])
    seen, _ = env.reset(seed=1)
    for _ in range(40):
        playing = seen["action_mask"].any(axis=1)  # where a game has ended, actions are ignored
        observations = as_tensors({key: part[playing] for key, part in seen.items()})
        with torch.no_grad():
            log_probs, legal, values = learner.judge(observations)
        mask = seen["action_mask"][playing]
        assert np.array_equal(legal.numpy(), mask > 0)
        expected, expected_values = agent.policy(learner._views(observations))
        assert np.allclose(log_probs.exp().numpy(), expected, atol=1e-5)
        assert np.allclose(values.numpy(), expected_values, atol=1e-5)
        acted = learner.forward_exploration({"obs": observations})
        chosen = acted["actions"].numpy()
        rows = np.arange(len(chosen))
        assert (mask[rows, chosen] == 1).all()
        assert np.allclose(acted["action_logp"].numpy(), log_probs.numpy()[rows, chosen])
        actions = np.zeros(4, np.int64)
        actions[playing] = chosen
        seen, *_ = env.step(actions)


def test_masks_forbid_and_finished_games_have_a_value() -> None:
    learner = module()
    env = games()
    env.meet(learner.network, [])
    seen, _ = env.reset(seed=1)
    only = np.zeros_like(seen["action_mask"])
    chosen = seen["action_mask"].argmax(axis=1)
    only[np.arange(4), chosen] = 1
    acted = learner.forward_exploration({"obs": as_tensors({**seen, "action_mask": only})})
    assert acted["actions"].tolist() == chosen.tolist()
    none = as_tensors({**seen, "action_mask": np.zeros_like(only)})  # RLlib's additional step
    trained = learner.forward_train({"obs": none})
    assert torch.isfinite(trained["action_dist_inputs"]).all()
    values = learner.compute_values({"obs": none})
    assert torch.allclose(values, trained["embeddings"])


def test_runners_have_deals_of_their_own_and_those_of_training() -> None:
    def first(runner: int, seed: int) -> list[bytes]:
        env = games(runner)
        env.meet(module().network, [])
        seen, infos = env.reset(seed=seed)
        assert infos == {}
        return [row.tobytes() for row in seen["observation"]]

    # RLlib gives copy i of runner w the seed ``seed + w + i``.
    assert len({*first(0, 3), *first(1, 4), *first(2, 5)}) == 12
    assert first(1, 4) == first(1, 4)
    assert games()._games.purpose is Purpose.TRAIN


def test_games_that_end_are_counted_and_opponents_come_from_the_pool() -> None:
    env = games(size=1)
    network = module().network
    env.meet(network, [module().network, module().network])
    assert env.pool is not None
    assert len(env.pool.snapshots) == 1 and env.pool.latest.network is network
    seen, _ = env.reset(seed=1)
    ended = 0
    for _ in range(120):
        seen, rewards, ends, _, infos = env.step(seen["action_mask"].argmax(axis=1))
        ended += int(ends.sum())
        assert infos == {} and not rewards[~ends].any()
    assert ended == len(env.ended) >= 4
    for info in env.ended:
        assert set(info) == {"seat", "turns", "scores", "winners"}
        assert len(info["scores"]) == 3 and all(0 <= seat < 3 for seat in info["winners"])


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A tiny run whose games are collected by a process of its own, by the command line."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "tiny.yaml").write_text(yaml.safe_dump(EXPERIMENT))
    words = [str(folder / "tiny.yaml"), "--runs", str(folder / "runs"), "--rollout.runners", "1"]
    with connected(LOCAL, 3):  # which the command joins
        assert main(["train", *words, "--workers", "1"]) == 0
    yield folder / "runs" / "tiny"
    ray.shutdown()


def test_the_run_folder_is_that_of_every_run(finished: Path) -> None:
    names = {path.name for path in finished.iterdir()}
    assert names == {
        "config.yaml", "meta.json", "metrics.jsonl", "tb", "checkpoints", "LATEST", "eval", "games",
        "past", "MODEL_CARD.md",
    }  # fmt: skip
    suffixes = {path.suffix for path in finished.rglob("*") if path.is_file()}
    assert not suffixes & {".pkl", ".pickle", ".pt"}
    rows = [json.loads(line) for line in (finished / "metrics.jsonl").read_text().splitlines()]
    trained = [row for row in rows if "loss/policy" in row]
    assert [row["progress/iteration"] for row in trained] == [1, 2, 3]
    # Three iterations of 8 games x 6 turns x 5 decisions; a step over all games may add some.
    assert 720 <= trained[-1]["step"] <= 720 + 3 * 8
    assert [row["pool/snapshots"] for row in trained] == [1, 2, 2]
    assert sum(row["rollout/decisions"] for row in trained) == trained[-1]["step"]
    assert trained[-1]["progress/games"] > 8
    rate = [row["schedule/learning_rate"] for row in trained]
    assert 2.5e-3 > rate[0] > rate[1] > rate[2] >= 0.05 * 2.5e-3 - 1e-9
    card = (finished / "MODEL_CARD.md").read_text()
    assert (
        "learned by RLlib's PPO in games against itself and earlier versions of itself, and 20 % "
        "against `greedy`.\n" in card
    )
    assert "ray 2." in card


def test_it_is_an_agent_of_the_lab(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkpoint = read_checkpoint(find_checkpoint(finished))
    assert checkpoint.step == latest_step(finished)
    assert list(checkpoint.tensors) == ["weights"]
    ids = np.arange(6, dtype=np.uint64)
    agents = [make_agent(str(finished), GAME), make_agent("random", GAME)]
    for agent in agents:
        agent.reset(ids, 1)
    seating = np.tile([0, 1, 1], (6, 1))
    result = play_match(deal(GAME, root_from_seed(1, Purpose.EVALUATE), ids), agents, seating, ids)
    assert result.scores.points.shape == (6, 3)
    assert main(["train", "--resume", str(finished), "--budget.decisions", "5000"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "was trained with rllib, and cannot be resumed" in line and "pickle" in line
