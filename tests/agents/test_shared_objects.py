"""One agent object may serve all seats and game after game: nothing is carried over."""

import numpy as np
import pytest

from arboretum_agents.registry import BUILT_IN, make_agent
from arboretum_env.engine.deal import deal
from arboretum_env.match import MatchResult, play_match
from tests.random_games import CONFIGS

QUICK = {"search": "search:simulations=2"}
"""Specs of agents that would take minutes as they come."""

SPECS = [
    QUICK.get(entry.name, entry.name)
    for entry in BUILT_IN
    # Networks that ship know one game; test_neural.py does the same with others.
    if not entry.outside and len(entry.players) > 1
]


def actions(result: MatchResult) -> list[list[int]]:
    return [result.game_actions(game) for game in range(len(result.initial))]


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("spec", SPECS)
def test_a_shared_object_plays_as_objects_of_their_own(spec: str, name: str) -> None:
    config = CONFIGS[name]
    # Games of the search take ten times as long.
    players, games = config.num_players, 2 if spec.startswith("search") else 4
    ids = np.arange(games, dtype=np.uint64)
    shared = make_agent(spec, config)
    together, apart = np.zeros((games, players), np.int64), np.tile(np.arange(players), (games, 1))
    for root in (5, 6):  # the second match after the first, with the same object
        state = deal(config, root, ids)
        own = [make_agent(spec, config) for _ in range(players)]
        for agent in (shared, *own):
            agent.reset(ids, root)
        first = play_match(state, [shared], together, ids, keep_actions=True)
        second = play_match(state, own, apart, ids, keep_actions=True)
        assert actions(first) == actions(second)
        # One game of a match, alone, is the same game: nothing came from its neighbours.
        last = games - 1
        alone = play_match(
            state.select([last]), [shared], together[:1], ids[last:], keep_actions=True
        )
        assert alone.game_actions(0) == first.game_actions(last)
