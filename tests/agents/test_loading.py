"""Networks from checkpoint and run folders: the same agent, or a clear refusal."""

from pathlib import Path

import numpy as np
import pytest
import torch

from arboretum_agents.neural.checkpoint_reader import WEIGHTS, Checkpoint
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import NeuralAgent, load_agent
from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.errors import CheckpointError
from arboretum_env.match import play_match
from arboretum_training.checkpoint import save_checkpoint
from tests.agents.positions import SMALL, mover_views, random_network
from tests.random_games import CONFIGS


def saved(folder: Path, game: GameConfig, network: PolicyNetwork | None = None) -> Path:
    """A run folder with one checkpoint of a network."""
    (folder / "checkpoints").mkdir(parents=True)
    config = {"game": game.model_dump(), "network": SMALL.model_dump()}
    weights = (network or random_network(game)).state_dict()
    save_checkpoint(folder, Checkpoint(7, config, {}, {}, {WEIGHTS: weights}), keep=1)
    return folder


def played(game: GameConfig, mode: Mode) -> NeuralAgent:
    """The agent of the same network, never saved."""
    agent = NeuralAgent(game, random_network(game), mode)
    agent.reset(np.zeros(1, np.uint64), 3)
    return agent


@pytest.mark.parametrize("mode", ["sample", "greedy"])
def test_a_loaded_agent_plays_as_the_saved_one(tmp_path: Path, mode: Mode) -> None:
    game = CONFIGS["3 players, starting discards"]
    run = saved(tmp_path / "run", game)
    views = mover_views(game, 3, seed=68)
    expected = played(game, mode).policy(views)
    for path in (run, run / "checkpoints" / "000000000007"):
        agent = load_agent(path, game, mode)
        agent.reset(views.game_id, 3)
        assert np.array_equal(agent.act(views), played(game, mode).act(views))
        for mine, other in zip(agent.policy(views), expected, strict=True):
            assert mine.tobytes() == other.tobytes()
        assert not agent.network.training


def test_loading_leaves_the_global_generator_alone(tmp_path: Path) -> None:
    game = GameConfig()
    run = saved(tmp_path / "run", game)
    before = torch.get_rng_state()
    load_agent(run, game)
    assert torch.equal(torch.get_rng_state(), before)


LEARNED = GameConfig(num_players=3, species=5, num_ranks=6, hand_size=4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"num_players": 2}, "cannot play 2 players with 5 species of 6 ranks and hands of 4"),
        ({"species": "CDJVLG"}, "cannot play 3 players with 6 species"),
        ({"num_ranks": 7}, "cannot play 3 players with 5 species of 7 ranks"),
        ({"hand_size": 3}, "cannot play 3 players with 5 species of 6 ranks and hands of 3"),
    ],
)
def test_another_game_is_refused(tmp_path: Path, change: dict[str, int], message: str) -> None:
    run = saved(tmp_path / "run", LEARNED)
    with pytest.raises(CheckpointError) as error:
        load_agent(run, LEARNED.model_copy(update=change))
    assert "learned 3 players with 5 species of 6 ranks and hands of 4" in str(error.value)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_other_names_and_rule_switches_of_the_same_size_are_played(tmp_path: Path) -> None:
    run = saved(tmp_path / "run", LEARNED)
    game = GameConfig(
        num_players=3,
        species="WOPML",
        num_ranks=6,
        hand_size=4,
        starting_discards=True,
        cancel_eights=False,
    )
    agent = load_agent(run, game)
    ids = np.arange(4, dtype=np.uint64)
    agent.reset(ids, 1)
    result = play_match(deal(game, 1, ids), [agent], np.zeros((4, 3), np.int64), ids)
    assert result.final.done.all()


def test_a_folder_without_a_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"gone: expected a checkpoint folder"):
        load_agent(tmp_path / "gone", LEARNED)
    with pytest.raises(CheckpointError, match=r"expected a checkpoint folder"):
        load_agent(tmp_path, LEARNED)


@pytest.mark.parametrize("part", ["missing", "renamed", "reshaped"])
def test_weights_of_another_network_are_refused(tmp_path: Path, part: str) -> None:
    network = random_network(LEARNED)
    weights = dict(network.state_dict())
    if part == "missing":
        del weights["draw_deck.bias"]
    elif part == "renamed":
        weights["draw_deck.offset"] = weights.pop("draw_deck.bias")
    else:
        weights["draw_deck.bias"] = torch.zeros(3)
    (tmp_path / "checkpoints").mkdir()
    config = {"game": LEARNED.model_dump(), "network": SMALL.model_dump()}
    save_checkpoint(tmp_path, Checkpoint(7, config, {}, {}, {WEIGHTS: weights}), keep=1)
    with pytest.raises(CheckpointError, match=r"draw_deck\.(bias|offset)") as error:
        load_agent(tmp_path, LEARNED)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("network", [None, {}, {"width": 3}, {"species_width": 0}, 5])
def test_a_checkpoint_that_does_not_describe_its_network_is_refused(
    tmp_path: Path, network: object
) -> None:
    run = saved(tmp_path / "run", LEARNED)
    config = {"game": LEARNED.model_dump()} | ({} if network is None else {"network": network})
    weights = random_network(LEARNED).state_dict()
    save_checkpoint(run, Checkpoint(8, config, {}, {}, {WEIGHTS: weights}), keep=1)
    with pytest.raises(CheckpointError) as error:
        load_agent(run, LEARNED)
    assert "\n" not in str(error.value)
