"""The features extractor: the lab's inputs and species-shared layers, for any policy."""

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from arboretum_agents.neural.encoder import encode
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_training.sb3.extractor import SpeciesExtractor
from arboretum_training.sb3.session import borrowed_randomness
from arboretum_training.sb3.vec_env import ArboretumVecEnv
from tests.agents.positions import SMALL, mover_views, random_network
from tests.agents.test_neural_symmetry import renamed_cards
from tests.random_games import CONFIGS

pytestmark = pytest.mark.usefixtures("one_thread")


def make_extractor(config: GameConfig) -> SpeciesExtractor:
    extractor = SpeciesExtractor(ArboretumVecEnv(1, config=config).observation_space, config, SMALL)
    weights = random_network(config).state_dict()
    extractor.trunk.load_state_dict({n: weights[n] for n in extractor.trunk.state_dict()})
    return extractor


@pytest.mark.parametrize("name", CONFIGS)
def test_features_are_those_of_the_labs_network(name: str) -> None:
    config = CONFIGS[name]
    views = mover_views(config, 4, seed=91)
    extractor = make_extractor(config)
    encoded = encode(views)
    with torch.no_grad():
        features = extractor(torch.from_numpy(views.observation).float())
        z, pooled = random_network(config).trunk(
            torch.from_numpy(encoded.species), torch.from_numpy(encoded.scalars)
        )
    size = config.num_species * SMALL.species_width
    assert extractor.features_dim == features.shape[1] == size + SMALL.global_width
    assert torch.equal(features[:, :size].reshape(z.shape), z)
    assert torch.equal(features[:, size:], pooled)


def test_species_have_no_names() -> None:
    """Renaming the species moves their features and changes nothing else."""
    config = CONFIGS["3 players"]
    views = mover_views(config, 4, seed=92)
    to = renamed_cards(config)
    observation = views.observation.copy()
    cards = observation[:, : 4 * config.num_cards].reshape(len(views), -1, 4)
    cards[:, to] = views.cards
    extractor = make_extractor(config)
    size = config.num_species * SMALL.species_width
    with torch.no_grad():
        before = extractor(torch.from_numpy(views.observation))
        after = extractor(torch.from_numpy(observation))
    moved = before[:, :size].reshape(len(views), config.num_species, -1).roll(1, dims=1)
    assert after[:, :size].numpy() == pytest.approx(moved.flatten(1).numpy(), abs=1e-4)
    assert after[:, size:].numpy() == pytest.approx(before[:, size:].numpy(), abs=1e-4)


def test_a_plain_policy_of_the_library_learns_with_it() -> None:
    """A few updates: every layer of the extractor has moved."""
    config = CONFIGS["reduced 2"]
    environment = ArboretumVecEnv(8, config=config, opponents="greedy")
    with borrowed_randomness():
        model = MaskablePPO(
            "MlpPolicy",
            environment,
            n_steps=20,
            batch_size=40,
            n_epochs=1,
            seed=1,
            device="cpu",
            policy_kwargs={
                "features_extractor_class": SpeciesExtractor,
                "features_extractor_kwargs": {"game": config, "sizes": SMALL},
            },
        )
        extractor = model.policy.features_extractor
        before = {name: weight.clone() for name, weight in extractor.state_dict().items()}
        model.learn(160)
    for name, weight in extractor.state_dict().items():
        assert not torch.equal(weight, before[name]), name
    mask = environment.action_masks()
    chosen, _ = model.predict(environment._games.observe(), action_masks=mask)
    assert mask[np.arange(8), chosen].all()


def test_another_games_observations_are_refused() -> None:
    space = ArboretumVecEnv(1, num_players=3).observation_space
    with pytest.raises(
        ConfigError, match=r"of shape \(265,\) and dtype int8: expected .* \(201,\)"
    ):
        SpeciesExtractor(space, GameConfig())
