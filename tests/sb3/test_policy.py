"""The policy for sb3-contrib: the lab's network, over the flat action space."""

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from stable_baselines3.common.utils import obs_as_tensor

from arboretum_agents.neural.categorical import Segments
from arboretum_agents.neural.encoder import encode
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_env.actions import action_slices, num_actions
from arboretum_env.config import GameConfig
from arboretum_env.engine.moves import apply_action
from arboretum_env.errors import ConfigError
from arboretum_env.features.placements import Placements, placements
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews, redact
from arboretum_training.sb3.policy import ArboretumPolicy
from arboretum_training.sb3.vec_env import ArboretumVecEnv
from tests.agents.positions import SMALL, mover_views, random_network
from tests.agents.test_neural import joint_of
from tests.random_games import CONFIGS, random_positions

pytestmark = pytest.mark.usefixtures("one_thread")

MINI = GameConfig(num_players=2, species="CDJV", num_ranks=5, hand_size=3)


def make_policy(config: GameConfig, scale: float = 0.3) -> ArboretumPolicy:
    """With the weights of ``random_network``."""
    environment = ArboretumVecEnv(1, config=config)
    policy = ArboretumPolicy(
        environment.observation_space, environment.action_space, lambda _: 1e-3, config, SMALL
    )
    policy.network.load_state_dict(random_network(config, scale=scale).state_dict())
    return policy


def observed(views: PlayerViews) -> torch.Tensor:
    tensor = obs_as_tensor(views.observation, torch.device("cpu"))
    assert isinstance(tensor, torch.Tensor) and tensor.dtype == torch.int8
    return tensor


@pytest.mark.parametrize("scale", [0.3, 30.0], ids=["mild", "extreme"])
@pytest.mark.parametrize("name", CONFIGS)
def test_the_probabilities_of_the_labs_agent(name: str, scale: float) -> None:
    """In every phase, all mixed; and its values."""
    config = CONFIGS[name]
    views = mover_views(config, 6, seed=81)
    policy = make_policy(config, scale)
    expected, expected_values = NeuralAgent(config, random_network(config, scale=scale)).policy(
        views
    )
    with torch.no_grad():
        log_probs, legal, values = policy.judge(observed(views), views.legal_action_mask())
    assert np.array_equal(legal.numpy(), views.legal_action_mask())
    found = np.where(legal.numpy(), np.exp(log_probs.double().numpy()), 0.0)
    assert found.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert np.abs(found - expected).max() < 1e-5
    assert values.numpy() == pytest.approx(expected_values, rel=1e-5, abs=1e-5)
    assert policy.predict_values(observed(views)).detach().squeeze(1).numpy() == pytest.approx(
        expected_values, rel=1e-5, abs=1e-5
    )


@pytest.mark.parametrize("name", ["2 players", "4 players", "reduced 3"])
def test_play_then_place_is_the_joint_choice(name: str) -> None:
    """The sum of both decisions' log-probabilities is that of the (card, cell)."""
    config = CONFIGS[name]
    policy, network = make_policy(config), random_network(config)
    slices = action_slices(config)
    checked = 0
    for state, _ in random_positions(config, 2, seed=3):
        if state.phase[0] != Phase.PLAY or state.turn[0] % 3:
            continue
        playing = state.select([0])
        views = redact(playing, playing.mover)
        options, joint, _ = joint_of(network, views)
        with torch.no_grad():
            first = policy.judge(observed(views))[0][0]
        for card in np.unique(options.card):
            after = playing.clone()
            apply_action(after, np.array([slices["play_card"].start + card]))
            with torch.no_grad():
                second = policy.judge(observed(redact(after, after.mover)))[0][0]
            ways = np.flatnonzero(options.card == card)
            cells = slices["place_cell"].start + options.cell[ways]
            both = first[slices["play_card"].start + card] + second[torch.from_numpy(cells)]
            assert both.exp().numpy() == pytest.approx(joint[ways], abs=1e-5)
            checked += len(ways)
    assert checked > 40


def test_entropies_and_log_probabilities_by_hand() -> None:
    views = mover_views(MINI, 4, seed=82)
    policy = make_policy(MINI)
    probabilities, _ = NeuralAgent(MINI, random_network(MINI)).policy(views)
    actions = probabilities.argmax(axis=1)
    values, log_probs, entropies = policy.evaluate_actions(
        observed(views).float(), torch.from_numpy(actions).float()
    )
    assert values.shape == (len(views), 1)
    expected = np.log(probabilities[np.arange(len(views)), actions])
    assert log_probs.detach().numpy() == pytest.approx(expected, abs=1e-5)
    positive = np.where(probabilities > 0, probabilities, 1.0)
    assert entropies is not None
    assert entropies.detach().numpy() == pytest.approx(
        -(positive * np.log(positive)).sum(axis=1), abs=1e-5
    )


def test_masks_can_only_forbid() -> None:
    views = mover_views(MINI, 4, seed=83)
    policy = make_policy(MINI)
    probabilities, _ = NeuralAgent(MINI, random_network(MINI)).policy(views)
    rng = np.random.default_rng(1)
    mask = rng.random(probabilities.shape) < 0.5
    mask[np.arange(len(mask)), probabilities.argmax(axis=1)] = True
    with torch.no_grad():
        everything, _, _ = policy.judge(observed(views), np.ones_like(mask, np.float32))
        some, _, _ = policy.judge(observed(views), mask)
    assert everything.exp().numpy() == pytest.approx(probabilities, abs=1e-5)
    left = np.where(mask, probabilities, 0.0)
    assert some.exp().numpy() == pytest.approx(left / left.sum(axis=1, keepdims=True), abs=1e-5)
    mask[3] = False
    with pytest.raises(ValueError, match="decision 3 of the batch has no legal choice"):
        policy.judge(observed(views), mask)


def test_the_gradient_is_that_of_the_joint_choice() -> None:
    """Of log P(card): log of the sum of the joint over the card's cells, computed another way."""
    config = CONFIGS["2 players"]
    views = mover_views(config, 3, seed=84)
    views = views.select(np.flatnonzero(views.phase == Phase.PLAY))
    policy = make_policy(config)
    cards = placements(views)
    first = cards.card[cards.offsets[:-1]]
    actions = torch.from_numpy(action_slices(config)["play_card"].start + first)
    _, log_probs, _ = policy.evaluate_actions(observed(views), actions)
    log_probs.sum().backward()

    network = random_network(config)
    encoded = encode(views)
    z, _ = network.trunk(torch.from_numpy(encoded.species), torch.from_numpy(encoded.scalars))
    total = torch.zeros(())
    for row in range(len(views)):
        span = slice(cards.offsets[row], cards.offsets[row + 1])
        logits = network.placement_logits(z[row : row + 1], *_one(cards, span))
        own = torch.from_numpy(cards.card[span] == first[row])
        total = total + logits[own].logsumexp(0) - logits.logsumexp(0)
    total.backward()
    assert log_probs.detach().sum().item() == pytest.approx(total.item(), rel=1e-5)
    for (name, ours), theirs in zip(
        policy.network.named_parameters(), network.parameters(), strict=True
    ):
        if theirs.grad is None:
            assert ours.grad is None or not ours.grad.any(), name
        else:
            assert ours.grad is not None
            assert torch.allclose(ours.grad, theirs.grad, rtol=1e-3, atol=1e-3), name


def _one(cards: Placements, span: slice) -> tuple[Any, ...]:
    arrays = (cards.card[span], cards.gain[span], cards.features[span])
    segments = Segments.from_lengths(torch.tensor([span.stop - span.start]))
    return segments, *(torch.from_numpy(np.ascontiguousarray(array)) for array in arrays)


def test_draws_follow_the_probabilities() -> None:
    """20,000 draws in one position: no action further off than four standard errors."""
    views = mover_views(MINI, 4, seed=85)
    policy = make_policy(MINI)
    every, _ = NeuralAgent(MINI, random_network(MINI)).policy(views)
    row = int(np.flatnonzero((every > 0.02).sum(axis=1) >= 4)[0])
    probabilities = every[row]
    repeated = views.select(np.full(20_000, row))
    torch.manual_seed(3)
    with torch.no_grad():
        actions, _, log_probs = policy(observed(repeated))
        again, _, _ = policy(observed(repeated))
    frequencies = np.bincount(actions.numpy(), minlength=num_actions(MINI)) / len(actions)
    error = np.sqrt(probabilities * (1 - probabilities) / len(actions))
    assert (np.abs(frequencies - probabilities) <= 4 * error + 1e-9).all()
    assert log_probs.exp().numpy() == pytest.approx(probabilities[actions.numpy()], abs=1e-5)
    assert not torch.equal(actions, again)


def test_the_librarys_ways_to_ask() -> None:
    """predict, get_distribution: legal actions, the same probabilities, the likeliest if asked."""
    views = mover_views(MINI, 4, seed=86)
    policy = make_policy(MINI)
    probabilities, _ = NeuralAgent(MINI, random_network(MINI)).policy(views)
    mask = views.legal_action_mask()
    with torch.no_grad():
        distribution = policy.get_distribution(observed(views), mask)
    categorical: Any = distribution.distribution
    assert isinstance(categorical, MaskableCategorical)
    assert categorical.probs.numpy() == pytest.approx(probabilities, abs=1e-5)
    likeliest, _ = policy.predict(views.observation, deterministic=True, action_masks=mask)
    assert np.array_equal(likeliest, probabilities.argmax(axis=1))
    torch.manual_seed(1)
    drawn, _ = policy.predict(views.observation)
    assert mask[np.arange(len(mask)), drawn].all()
    one, _ = policy.predict(views.observation[0], deterministic=True)
    assert one == likeliest[0]


def test_the_library_can_make_another_one() -> None:
    policy = make_policy(MINI)
    other = ArboretumPolicy(**policy._get_constructor_parameters())
    other.load_state_dict(policy.state_dict())
    views = mover_views(MINI, 2, seed=87)
    with torch.no_grad():
        assert torch.equal(policy.judge(observed(views))[0], other.judge(observed(views))[0])
    assert len(list(policy.parameters())) == len(list(policy.network.parameters()))


def test_another_games_observations_are_refused() -> None:
    environment = ArboretumVecEnv(1)
    with pytest.raises(ConfigError, match=r"of shape \(201,\) and dtype int8: expected .* \(89,\)"):
        ArboretumPolicy(
            environment.observation_space, environment.action_space, lambda _: 1e-3, MINI
        )


def test_sizes_are_the_labs_by_default() -> None:
    environment = ArboretumVecEnv(1, config=MINI)
    policy = ArboretumPolicy(
        environment.observation_space, environment.action_space, lambda _: 1e-3, MINI
    )
    assert policy.sizes == NetworkConfig()
    assert policy.network.mix_species.in_features == 96
