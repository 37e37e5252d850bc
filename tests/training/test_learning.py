"""The loop does learn: seconds of self-play on a small game beat random play clearly."""

import numpy as np
import pytest

from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_training.config import BudgetConfig, PPOConfig
from arboretum_training.league import League
from arboretum_training.league_config import HousePoolConfig
from tests.training.experiments import experiment

pytestmark = pytest.mark.usefixtures("one_thread")


def share_against_random(game: GameConfig, network: PolicyNetwork) -> float:
    """Wins of one network against random in all other seats, every deal from every seat."""
    players, deals = game.num_players, 200
    ids = np.repeat(np.arange(deals, dtype=np.uint64), players)
    seats = np.tile(np.arange(players), deals)
    seating = np.ones((len(ids), players), np.int64)
    seating[np.arange(len(ids)), seats] = 0
    agents = [NeuralAgent(game, network), make_agent("random", game)]
    for agent in agents:
        agent.reset(ids, 3)
    shares = play_match(deal(game, 4242, ids), agents, seating, ids).scores.win_shares
    return float(shares[np.arange(len(ids)), seats].mean())


@pytest.mark.parametrize(
    ("players", "hand_size", "least"), [(2, 4, 0.75), (3, 3, 0.45), (4, 2, 0.35)]
)
def test_self_play_learns_to_beat_random(players: int, hand_size: int, least: float) -> None:
    game = GameConfig(num_players=players, species=4, num_ranks=6, hand_size=hand_size)
    config = experiment(
        game,
        games=64,
        turns=12,
        seed=1,
        ppo=PPOConfig(learning_rate=4e-3, minibatches=12),
        budget=BudgetConfig(decisions=60_000),
    )
    league = League(config)
    assert share_against_random(game, league.network) == pytest.approx(1 / players, abs=0.05)
    while league.progress < 1:
        league.iterate()
    assert share_against_random(game, league.network) > least


@pytest.mark.parametrize(("players", "hand_size", "least"), [(2, 4, 0.75), (3, 3, 0.45)])
def test_it_learns_from_its_own_seats_among_others(
    players: int, hand_size: int, least: float
) -> None:
    """Against a bot and its own past alone: what others decide spoils nothing."""
    game = GameConfig(num_players=players, species=4, num_ranks=6, hand_size=hand_size)
    config = experiment(
        game,
        games=96,
        turns=12,
        seed=1,
        pool=HousePoolConfig(latest=0.0, every=2, size=2, bots=("random",), bot_share=0.5),
        ppo=PPOConfig(learning_rate=4e-3, minibatches=12),
        budget=BudgetConfig(decisions=60_000),
    )
    league = League(config)
    while league.progress < 1:
        league.iterate()
    assert share_against_random(game, league.network) > least
