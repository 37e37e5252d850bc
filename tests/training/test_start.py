"""Beginning with the weights of another run, of as many players or of others."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, read_checkpoint
from arboretum_agents.neural.encoder import (
    RIVAL_SCALARS,
    rival_species_features,
    scalar_features,
    species_features,
)
from arboretum_agents.neural.network import with_more_rivals
from arboretum_agents.shipped import WEIGHTS_FOLDER
from arboretum_env.config import GameConfig
from arboretum_env.errors import CheckpointError, RunError
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.config import ExperimentConfig, PPOConfig
from arboretum_training.league import League
from arboretum_training.league_config import HousePoolConfig, LeagueConfig
from arboretum_training.privileged import truth_features
from arboretum_training.runs import create_run
from arboretum_training.snapshot import from_checkpoint, to_checkpoint
from arboretum_training.start import critic_with_more_rivals, read_start
from tests.resume.run_state import through_the_disk
from tests.training.experiments import NETWORK, experiment, random_model

pytestmark = pytest.mark.usefixtures("one_thread")

SMALL = {
    players: GameConfig(num_players=players, species=4, num_ranks=5, hand_size=2)
    for players in (2, 3, 4)
}


def random_inputs(players: int, batch: int = 3) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(players)
    species = torch.randn(batch, 4, species_features(players, 5), generator=generator)
    return species, torch.randn(batch, scalar_features(players), generator=generator)


def with_rivals_swapped(inputs: Tensor, own: int, block: int, first: int, other: int) -> Tensor:
    """Inputs in which two rivals' blocks have changed places."""
    swapped = inputs.clone()
    a, b = (slice(own + k * block, own + (k + 1) * block) for k in (first, other))
    swapped[..., a], swapped[..., b] = inputs[..., b], inputs[..., a]
    return swapped


@pytest.mark.parametrize(("known", "players"), [(2, 3), (2, 4), (3, 4)])
def test_new_rivals_are_seen_as_the_last_known_one(known: int, players: int) -> None:
    model = random_model(SMALL[players])
    network = model.network
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    network.load_state_dict(with_more_rivals(before, network, known))
    species, scalars = random_inputs(players)
    last, new = known - 2, players - 2
    with torch.no_grad():
        z, pooled = network.trunk(species, scalars)
        swapped = network.trunk(
            with_rivals_swapped(
                species, species_features(1, 5), rival_species_features(5), last, new
            ),
            with_rivals_swapped(scalars, scalar_features(1), RIVAL_SCALARS, last, new),
        )
        beliefs = network.belief_logits(z)
    assert torch.allclose(z, swapped[0], atol=1e-5)
    assert torch.allclose(pooled, swapped[1], atol=1e-5)
    assert torch.equal(beliefs[:, last], beliefs[:, new])
    piles = network.draw_pile.weight
    assert torch.equal(piles[known - 1], piles[players - 1])
    assert torch.equal(network.draw_pile.bias[known - 1], network.draw_pile.bias[players - 1])
    if known == 3:  # those that were known are as they were, and not alike
        assert not torch.equal(beliefs[:, 0], beliefs[:, last])
        assert not torch.equal(piles[1], piles[2])


@pytest.mark.parametrize("known", [2, 3])
def test_what_was_known_is_unchanged(known: int) -> None:
    """With as many players as before the network does what it did; its weights are not touched."""
    model = random_model(SMALL[known])
    network = model.network
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    more = with_more_rivals(network.state_dict(), network, known)
    assert all(torch.equal(before[name], network.state_dict()[name]) for name in before)
    assert any(not torch.equal(before[name], more[name]) for name in before)
    species, scalars = random_inputs(known)
    tops = torch.zeros(3, known, dtype=torch.int64)
    outputs = []
    for weights in (before, more):
        network.load_state_dict(weights)
        with torch.no_grad():
            z, pooled = network.trunk(species, scalars)
            outputs.append((z, network.draw_logits(z, pooled, tops), network.belief_logits(z)))
    assert all(torch.equal(a, b) for a, b in zip(*outputs, strict=True))
    if known == 3:
        four = with_more_rivals(before, network, 4)
        assert all(torch.equal(before[name], four[name]) for name in before)


@pytest.mark.parametrize(("known", "players"), [(2, 3), (2, 4), (3, 4)])
def test_the_critic_sees_new_rivals_alike_too(known: int, players: int) -> None:
    model = random_model(SMALL[players])
    critic = model.critic
    assert critic is not None
    before = {name: tensor.clone() for name, tensor in critic.state_dict().items()}
    critic.load_state_dict(critic_with_more_rivals(before, critic, known))
    generator = torch.Generator().manual_seed(1)
    truth = torch.randn(3, 4, truth_features(players, 5), generator=generator)
    scalars = torch.randn(3, players - 1, generator=generator)
    last, new = known - 2, players - 2
    block = truth_features(1, 5)
    with torch.no_grad():
        z, pooled = model.network.trunk(*random_inputs(players))
        value = critic(z, pooled, truth, scalars)
        swapped = critic(
            z,
            pooled,
            with_rivals_swapped(truth, block, block, last, new),
            with_rivals_swapped(scalars, 0, 1, last, new),
        )
        own = critic(z, pooled, with_rivals_swapped(truth, 0, block, last, new), scalars)
    assert torch.allclose(value, swapped, atol=1e-5)
    assert not torch.allclose(value, own, atol=1e-2)
    fewer = truth[:, :, : truth_features(known, 5)], scalars[:, : known - 1]
    with torch.no_grad():
        after = critic(z, pooled, *fewer)
        critic.load_state_dict(before)
        assert torch.equal(after, critic(z, pooled, *fewer))


def learned(folder: Path, players: int, **other: Any) -> tuple[Path, League]:
    """The folder of a run of an iteration, and what was learned."""
    league = League(experiment(SMALL[players], games=4, turns=4, seed=5, **other))
    league.iterate()
    (folder / "checkpoints").mkdir(parents=True)
    save_checkpoint(folder, to_checkpoint(league), keep=1)
    return folder, league


def starting(players: int, folder: Path, **other: Any) -> ExperimentConfig:
    return experiment(SMALL[players], games=4, turns=4, seed=6, start_from=folder, **other)


@pytest.mark.parametrize(("known", "players"), [(2, 2), (3, 2), (2, 4), (3, 4)])
def test_a_run_begins_with_policy_and_critic(tmp_path: Path, known: int, players: int) -> None:
    folder, before = learned(tmp_path / "before", known)
    league = League(
        starting(
            players,
            folder,
            pool=HousePoolConfig(latest=0.5),
            league=LeagueConfig(mains=2, exploiters=1, exploiter_share=0.2),
        )
    )
    network, critic = before.network.state_dict(), before.main.model.critic_state()
    if known < players:
        model = league.main.model
        assert model.critic is not None
        network = with_more_rivals(network, model.network, known)
        critic = critic_with_more_rivals(critic, model.critic, known)
    for learner in league.learners:  # an exploiter begins as main, and so with them, too
        now = learner.network.state_dict()
        assert all(torch.equal(tensor, now[name]) for name, tensor in network.items())
        judging = learner.model.critic_state()
        assert all(torch.equal(tensor, judging[name]) for name, tensor in critic.items())
        assert len(learner.optimizer.state) == 0
    assert league.decisions == 0
    league.iterate()


def test_a_critic_that_does_not_fit_begins_anew(tmp_path: Path) -> None:
    public = PPOConfig(minibatches=4, critic="public")
    folder, before = learned(tmp_path / "public", 2, ppo=public)
    league = League(starting(2, folder))
    fresh = League(experiment(SMALL[2], games=4, turns=4, seed=6))
    judging = fresh.main.model.critic_state()
    assert judging
    now = league.main.model.critic_state()
    assert all(torch.equal(tensor, now[name]) for name, tensor in judging.items())
    weights = before.network.state_dict()
    assert all(torch.equal(t, league.network.state_dict()[name]) for name, t in weights.items())
    folder, before = learned(tmp_path / "privileged", 2)
    assert League(starting(2, folder, ppo=public)).main.model.critic is None


def test_a_network_that_ships_is_started_from_by_its_name() -> None:
    shipped = read_checkpoint(WEIGHTS_FOLDER / "league-2p@2")
    config = ExperimentConfig(name="on", game=GameConfig(num_players=4), start_from="league-2p")
    start = read_start(config)
    assert start is not None
    assert (start.players, start.digest) == (2, shipped.digest)
    assert start.critic.keys() == shipped.tensors["critic"].keys()


def test_the_run_notes_the_weights(tmp_path: Path) -> None:
    folder, _ = learned(tmp_path / "before", 2)
    run = create_run(tmp_path / "runs", starting(3, folder), ["arboretum"])
    [launch] = json.loads(run.meta_file.read_text())["launches"]
    digest = read_checkpoint(find_checkpoint(folder)).digest
    assert launch["start_from"] == {"path": str(folder), "weights": digest}
    plain = experiment(SMALL[2]).model_copy(update={"name": "plain"})
    [launch] = create_run(tmp_path / "runs", plain, []).load_launches()
    assert "start_from" not in launch


def test_a_resumed_run_no_longer_needs_them(tmp_path: Path) -> None:
    folder, _ = learned(tmp_path / "before", 2)
    config = starting(2, folder)
    league = League(config)
    league.iterate()
    halfway = through_the_disk(league, tmp_path / "run")
    (folder / "LATEST").unlink()
    resumed = from_checkpoint(config, halfway)
    now = resumed.network.state_dict()
    assert all(torch.equal(t, now[name]) for name, t in league.network.state_dict().items())


def test_what_does_not_fit_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    folder, _ = learned(tmp_path / "before", 2)
    other_ranks = GameConfig(num_players=2, species=4, num_ranks=6, hand_size=2)
    wider = NETWORK.model_copy(update={"global_width": 8})
    fits = starting(2, folder)
    for change, message in (
        ({"game": other_ranks}, "learned a game of 5 ranks: expected 6"),
        ({"network": wider}, "a network of .*'global_width': 16.*: expected .*'global_width': 8"),
        ({"start_from": tmp_path / "none"}, "expected a checkpoint folder"),
    ):
        with pytest.raises(CheckpointError, match=message):
            create_run(tmp_path / "runs", fits.model_copy(update=change), [])
        with pytest.raises(CheckpointError, match=message):
            read_start(fits.model_copy(update=change))
    assert not (tmp_path / "runs").exists()


def test_a_run_cannot_overwrite_what_it_starts_from(tmp_path: Path) -> None:
    config = experiment(SMALL[2], games=4, turns=4)
    run = create_run(tmp_path, config, [])
    league = League(config)
    league.iterate()
    save_checkpoint(run.path, to_checkpoint(league), keep=1)
    for folder in (run.path, find_checkpoint(run.path)):
        again = config.model_copy(update={"start_from": folder})
        with pytest.raises(RunError, match=r"cannot start from .*, which lies in it"):
            create_run(tmp_path, again, [], overwrite=True)
    assert read_checkpoint(find_checkpoint(run.path)).step == league.decisions
