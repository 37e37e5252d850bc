"""Networks in evaluations: named by their folder, and the same on any number of workers."""

from pathlib import Path

import pytest
import torch

from arboretum_agents.neural.checkpoint_reader import WEIGHTS, Checkpoint
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.registry import Mode, make_agent
from arboretum_env.config import GameConfig
from arboretum_env.errors import CheckpointError
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise


def saved_network(run_folder: Path, game: GameConfig) -> Path:
    """The folder of a run whose network is random, but far from indifferent."""
    sizes = NetworkConfig(species_width=32, global_width=32)
    network = PolicyNetwork(game, sizes)
    generator = torch.Generator().manual_seed(8)
    weights = {
        name: torch.randn(tensor.shape, generator=generator) * 0.4
        for name, tensor in network.state_dict().items()
    }
    config = {"game": game.model_dump(), "network": sizes.model_dump()}
    (run_folder / "checkpoints").mkdir(parents=True)
    save_checkpoint(run_folder, Checkpoint(1, config, {}, {}, {WEIGHTS: weights}), keep=1)
    return run_folder


@pytest.mark.parametrize("mode", ["sample", "greedy"])
def test_the_number_of_workers_and_threads_cannot_be_seen(tmp_path: Path, mode: Mode) -> None:
    game = GameConfig()
    spec = str(saved_network(tmp_path / "run", game))
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        alone = evaluate([spec, "random"], game, deals=70, seed=3, mode=mode, workers=1)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
    spread = evaluate([spec, "random"], game, deals=70, seed=3, mode=mode, workers=2)
    assert (alone.games.points == spread.games.points).all()
    assert (alone.games.turns == spread.games.turns).all()
    assert summarise(alone) == summarise(spread)
    assert list(summarise(alone).agents) == [spec, "random"]


def test_the_mode_reaches_the_network(tmp_path: Path) -> None:
    game = GameConfig(num_players=3)
    spec = str(saved_network(tmp_path / "run", game))
    modes: tuple[Mode, ...] = ("sample", "greedy")
    sampled, greedy = (
        evaluate([spec, spec], game, deals=2, seed=3, mode=mode).games.points for mode in modes
    )
    assert (sampled != greedy).any()
    # A greedy network repeats itself: both copies win every deal exactly as often.
    assert (greedy.reshape(2, 3, 3) == greedy.reshape(2, 3, 3)[:, :1]).all()


def test_a_run_and_its_checkpoint_are_the_same_agent(tmp_path: Path) -> None:
    game = GameConfig()
    run = saved_network(tmp_path / "run", game)
    [checkpoint] = (run / "checkpoints").iterdir()
    results = [
        evaluate([str(path), "random"], game, deals=2, seed=3).games.points
        for path in (run, checkpoint)
    ]
    assert (results[0] == results[1]).all()


def test_a_network_of_another_game_or_no_network_is_refused(tmp_path: Path) -> None:
    run = saved_network(tmp_path / "run", GameConfig())
    with pytest.raises(CheckpointError, match="cannot play 3 players"):
        make_agent(str(run), GameConfig(num_players=3))
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(CheckpointError):
        make_agent(str(empty), GameConfig())
