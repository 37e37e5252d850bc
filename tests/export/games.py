"""Kinds of games and positions on which the graph and the kernels are compared."""

import numpy as np

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews, redact
from tests.random_games import CONFIGS, random_positions

GAMES = {
    **CONFIGS,
    "eights stay": GameConfig(num_players=3, cancel_eights=False),
    "rights for all, eights cancelled": GameConfig(num_players=2, rights="all"),
    "three ranks": GameConfig(num_players=4, species=10, num_ranks=3, hand_size=5),
    "one turn": GameConfig(num_players=4, species=2, num_ranks=3, hand_size=1),
}
"""Kinds of games, by name."""


def views_of_all_seats(config: GameConfig, seed: int) -> PlayerViews:
    """What every seat sees, at some decisions of random games and at their ends."""
    games, every = (20, 2) if config.max_turns < 12 else (3, 11)
    observations = []
    for number, (state, _) in enumerate(random_positions(config, games, seed)):
        if number % every == 0 or state.done.all():
            observations += [redact(state, seat).observation for seat in range(config.num_players)]
    return PlayerViews(config, np.concatenate(observations))


def views_of_planters(config: GameConfig, games: int, seed: int) -> PlayerViews:
    """What planting seats see in games of ``greedy``, whose paths are long and of one species."""
    agent = make_agent("greedy", config)
    state = deal(config, seed, np.arange(games))
    observations = []
    while not state.done.any():
        views = redact(state, state.mover)
        if views.phase[0] == Phase.PLAY:
            observations.append(views.observation)
        apply_action(state, agent.act(views))
    return PlayerViews(config, np.concatenate(observations))
