"""The policy as tensor operations says what the kernels say, in all kinds of games."""

import numpy as np
import pytest
import torch

from arboretum_agents.neural.encoder import encode
from arboretum_agents.neural.graph.boards import Board, Boards
from arboretum_agents.neural.graph.gains import CellGains, Gains
from arboretum_agents.neural.graph.inputs import Inputs
from arboretum_agents.neural.graph.paths import Paths, Ways
from arboretum_agents.neural.graph.policy import GraphOutputs, PolicyGraph
from arboretum_agents.neural.graph.rights import HandRights
from arboretum_agents.neural.graph.table import read_table
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_env.config import GameConfig
from arboretum_env.features.outlook import outlook
from arboretum_env.features.placements import placements
from arboretum_env.features.rights import rights
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews
from tests.agents.positions import mover_views, random_network
from tests.export.games import GAMES, views_of_all_seats, views_of_planters

pytestmark = pytest.mark.usefixtures("one_thread")


def features(config: GameConfig, views: PlayerViews) -> tuple[Board, Ways, Gains]:
    table = read_table(torch.from_numpy(views.observation), config)
    board = Boards(config)(table)
    ways = Paths(config)(table, board)
    return board, ways, CellGains(config)(board, ways)


@torch.inference_mode()
def outputs(config: GameConfig, views: PlayerViews, scale: float = 0.3) -> GraphOutputs:
    graph = PolicyGraph(config, random_network(config, scale=scale))
    result: GraphOutputs = graph(torch.from_numpy(views.observation))
    return result


@pytest.mark.parametrize("name", GAMES)
def test_paths_and_gains_of_all_seats_are_those_of_the_kernels(name: str) -> None:
    config = GAMES[name]
    views = views_of_all_seats(config, seed=71)
    expected = outlook(views)
    _, ways, gains = features(config, views)
    assert np.array_equal(ways.best.numpy(), expected.best)
    assert np.array_equal(gains.total.flatten(2).numpy(), expected.total_gain)
    assert np.array_equal(gains.own.flatten(2).numpy(), expected.own_gain)
    assert (expected.best > 0).any() or name == "one turn"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_long_paths_of_one_species_count_double_here_too(players: int) -> None:
    config = GameConfig(num_players=players)
    views = views_of_planters(config, 5, seed=78)
    expected = outlook(views)
    assert expected.best.max() > 8
    _, ways, gains = features(config, views)
    assert np.array_equal(ways.best.numpy(), expected.best)
    assert np.array_equal(gains.total.flatten(2).numpy(), expected.total_gain)
    assert np.array_equal(gains.own.flatten(2).numpy(), expected.own_gain)
    compare_placements(config, views)


@pytest.mark.parametrize("name", GAMES)
def test_placements_are_those_of_the_kernel_in_its_order(name: str) -> None:
    config = GAMES[name]
    views = mover_views(config, 2, seed=72, every=1)
    compare_placements(config, views.select(np.isin(views.phase, (Phase.PLAY, Phase.PLACE))))


def compare_placements(config: GameConfig, views: PlayerViews) -> None:
    """Cells, features and gains of the views' placements."""
    expected = placements(views)
    board, _, gains = features(config, views)
    row = np.repeat(np.arange(len(views)), expected.counts)
    cells, legal = board.cells[:, 0].numpy(), board.legal[:, 0].numpy()
    for b in range(len(views)):
        rows = slice(expected.offsets[b], expected.offsets[b + 1])
        count = legal[b].sum()
        assert np.array_equal(expected.cell[rows].reshape(-1, count)[0], cells[b, legal[b]])
        assert legal[b, :count].all()
    place = (cells[row] == expected.cell[:, None]).argmax(axis=1)
    species, rank = np.divmod(expected.card, config.num_ranks)
    assert np.allclose(gains.features.numpy()[row, place, rank, species], expected.features)
    gain = gains.through.numpy()[row, place, rank]
    of_own = gains.of_own.numpy()[row, place, rank]
    at_own = np.arange(len(row)), species
    gain[at_own] = of_own[at_own]
    assert np.array_equal(gain, expected.gain)


@pytest.mark.parametrize("name", GAMES)
def test_chances_of_rights_are_those_of_the_kernel(name: str) -> None:
    config = GAMES[name]
    views = views_of_all_seats(config, seed=73)
    expected = rights(views)
    found = HandRights(config)(read_table(torch.from_numpy(views.observation), config))
    assert np.array_equal(found.hand_sum.numpy(), expected.hand_sum)
    assert np.allclose(found.chances[:, 0].numpy(), expected.own, atol=3e-6, rtol=0)
    assert np.allclose(found.chances[:, 1:].numpy(), expected.rival[:, 1:], atol=3e-6, rtol=0)
    assert np.allclose(found.cancelled.numpy(), expected.top_cancelled, atol=1e-6, rtol=0)
    assert (expected.top_cancelled > 0).any() == config.cancel_eights


@pytest.mark.parametrize("name", GAMES)
def test_the_network_sees_what_the_encoder_says(name: str) -> None:
    config = GAMES[name]
    views = views_of_all_seats(config, seed=74)
    expected = encode(views)
    table = read_table(torch.from_numpy(views.observation), config)
    _, ways, gains = features(config, views)
    species, scalars = Inputs(config)(table, ways.best, gains, HandRights(config)(table))
    assert np.allclose(species.numpy(), expected.species, atol=3e-6, rtol=0)
    assert np.allclose(scalars.numpy(), expected.scalars, atol=3e-6, rtol=0)


@pytest.mark.parametrize("name", GAMES)
def test_the_graph_decides_as_the_agent(name: str) -> None:
    config = GAMES[name]
    views = mover_views(config, 3, seed=75, every=1 if config.max_turns < 5 else 3)
    agent = NeuralAgent(config, random_network(config))
    probabilities, value = agent.policy(views)
    found = outputs(config, views)
    assert np.allclose(found.probabilities.numpy(), probabilities, atol=1e-5, rtol=0)
    assert (found.probabilities.numpy()[~views.legal_action_mask()] == 0).all()
    assert np.allclose(found.value.numpy(), value, atol=1e-5, rtol=0)
    assert np.allclose(found.beliefs.numpy(), agent.beliefs(views), atol=1e-5, rtol=0)
    milder = NeuralAgent(config, agent.network, temperature=2.5)
    graph = PolicyGraph(config, agent.network, temperature=2.5)
    with torch.inference_mode():
        found_milder = graph(torch.from_numpy(views.observation)).probabilities.numpy()
    assert np.allclose(found_milder, milder.policy(views)[0], atol=1e-5, rtol=0)
    greedy = NeuralAgent(config, agent.network, "greedy")
    assert np.array_equal(found.greedy.numpy(), greedy.act(views))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_graph_serves_all_rule_options(players: int) -> None:
    plain = GameConfig(num_players=players)
    network = random_network(plain)
    graph = PolicyGraph(plain, network)
    for options in (
        {"starting_discards": True},
        {"cancel_eights": False},
        {"rights": "all", "species": "WOPMGLVJDC"[: plain.num_species]},
    ):
        config = GameConfig(num_players=players, **options)
        views = mover_views(config, 2, seed=79)
        with torch.inference_mode():
            found = graph(torch.from_numpy(views.observation)).probabilities.numpy()
        expected = NeuralAgent(config, network).policy(views)[0]
        assert np.allclose(found, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("name", GAMES)
def test_who_has_nothing_to_decide_gets_no_probabilities(name: str) -> None:
    config = GAMES[name]
    views = views_of_all_seats(config, seed=76)
    idle = ~views.legal_action_mask().any(axis=1)
    assert idle.any() and not idle.all()
    found = outputs(config, views)
    assert (found.probabilities.numpy()[idle] == 0).all()
    assert (found.greedy.numpy()[idle] == -1).all()
    assert (found.greedy.numpy()[~idle] >= 0).all()
    for output in found:
        assert bool(torch.isfinite(output).all())


def test_extreme_weights_give_a_proper_distribution() -> None:
    config = GameConfig(num_players=3)
    views = mover_views(config, 2, seed=77)
    found = outputs(config, views, scale=30.0)
    assert bool(torch.isfinite(found.probabilities).all())
    assert np.allclose(found.probabilities.sum(dim=1).numpy(), 1, atol=1e-5)
    assert (found.probabilities.numpy()[~views.legal_action_mask()] == 0).all()
