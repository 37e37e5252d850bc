"""What holds for every bot: the same legal move whatever it is batched with."""

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.match import play_match
from arboretum_env.view import PlayerViews, redact
from tests.agents.positions import mover_views
from tests.random_games import CONFIGS

BOTS = ("greedy", "blocker", "planner")


def made(bot: str, config: GameConfig, seed: int = 0) -> Agent:
    agent = make_agent(bot, config)
    agent.reset(np.arange(3, dtype=np.uint64), seed)
    return agent


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", CONFIGS)
def test_every_choice_is_legal_and_independent_of_batch_seed_and_mode(bot: str, name: str) -> None:
    config = CONFIGS[name]
    views = mover_views(config, 12, seed=51)
    actions = made(bot, config).act(views)
    assert views.legal_action_mask()[np.arange(len(views)), actions].all()
    rng = np.random.default_rng(1)
    order = rng.permutation(len(views))
    assert np.array_equal(made(bot, config, seed=9).act(views.select(order)), actions[order])
    cut = len(views) // 3
    parts = [views.select(slice(0, cut)), views.select(slice(cut, None))]
    agent = make_agent(bot, config, mode="greedy")
    agent.reset(views.game_id, 4)
    assert np.array_equal(np.concatenate([agent.act(part) for part in parts]), actions)
    for row in rng.choice(len(views), 25):
        assert agent.act(views.select([row]))[0] == actions[row]
    other_ids = PlayerViews(config, views.observation, views.game_id[::-1])
    assert np.array_equal(agent.act(other_ids), actions)
    assert agent.act(views.select([])).shape == (0,)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", CONFIGS)
def test_whole_games_in_every_seat(bot: str, name: str) -> None:
    """``play_match`` refuses illegal actions; the same object plays them the same again."""
    config = CONFIGS[name]
    players = config.num_players
    ids = np.arange(24, dtype=np.uint64)
    state, seating = deal(config, 5, ids), np.zeros((24, players), np.int64)
    agent = made(bot, config)
    first = play_match(state, [agent], seating, ids, keep_actions=True)
    again = play_match(state, [agent], seating, ids, keep_actions=True)
    assert first.actions is not None
    assert again.actions is not None
    assert np.array_equal(first.actions, again.actions)
    several = [made(bot, config) for _ in range(players)]
    apart = play_match(state, several, np.tile(np.arange(players), (24, 1)), ids, keep_actions=True)
    assert apart.actions is not None
    assert np.array_equal(first.actions, apart.actions)


@pytest.mark.parametrize("bot", [*BOTS, "random"])
@pytest.mark.parametrize("decisions", [0, 2, 3, 4])
def test_idle_seats_are_refused(bot: str, decisions: int) -> None:
    """Also in PLAY and PLACE, where an idle seat has no placement to choose from."""
    config = GameConfig()
    state = deal(config, 1, [0, 1])
    masks = legal_action_mask(state)
    for _ in range(decisions):
        step(state, masks.argmax(axis=1), masks)
    agent = make_agent(bot, config)
    assert agent.act(redact(state, state.mover)).shape == (2,)
    with pytest.raises(ValueError, match="view 0 is of an idle seat"):
        agent.act(redact(state, 1 - state.mover))
