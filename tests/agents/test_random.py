"""``random``: legal, uniform, and keyed by game, seat and decision alone."""

import numpy as np
import pytest

from arboretum_agents.bots.random import RandomAgent
from arboretum_env.agent import decision_uniforms, sample_rows
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews, redact


def position(config: GameConfig, decisions: int) -> GameState:
    """One game after some decisions, each the lowest legal action."""
    state = deal(config, 11, [0])
    for _ in range(decisions):
        apply_action(state, legal_action_mask(state).argmax(axis=1))
    return state


def copies(state: GameState, count: int) -> PlayerViews:
    """The mover's view of many games that look alike but have ids of their own."""
    many = state.select(np.zeros(count, np.int64))
    return redact(many, many.mover, np.arange(count, dtype=np.uint64))


def reset(seed: int) -> RandomAgent:
    agent = RandomAgent(GameConfig())
    agent.reset(np.arange(10, dtype=np.uint64), seed)
    return agent


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("decisions", [0, 6, 22, 23, 24])
def test_every_legal_action_is_equally_likely(players: int, decisions: int) -> None:
    state = position(GameConfig(num_players=players), decisions)
    [legal] = legal_action_mask(state)
    draws = 400 * int(legal.sum())
    counts = np.bincount(reset(5).act(copies(state, draws)), minlength=len(legal))
    assert (counts[~legal] == 0).all()
    # 400 expected, standard deviation below 20: five of them.
    assert (np.abs(counts[legal] - 400) < 100).all()


def test_the_positions_above_cover_the_phases() -> None:
    phases = {int(position(GameConfig(), d).phase[0]) for d in (0, 6, 22, 23, 24)}
    assert phases == {phase.value for phase in Phase if phase is not Phase.GAME_OVER}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_choice_is_the_sample_of_its_number(players: int) -> None:
    """Games that were played once stay the same: the choice is that of ``sample_rows``."""
    for decisions in range(0, 60, 3):
        views = copies(position(GameConfig(num_players=players), decisions), 300)
        weights = views.legal_action_mask().astype(np.float64)
        expected = sample_rows(weights, decision_uniforms(5, views))
        assert np.array_equal(reset(5).act(views), expected)


def test_idle_seats_and_finished_games_are_refused() -> None:
    state = position(GameConfig(), 3)
    views = redact(state.select(np.array([0, 0])), np.array([0, 1]))
    with pytest.raises(ValueError, match="view 1 is of an idle seat or a finished game"):
        reset(5).act(views)


def test_choices_do_not_depend_on_the_row() -> None:
    views = copies(position(GameConfig(), 22), 50)
    chosen = reset(5).act(views)
    order = np.random.default_rng(0).permutation(50)
    assert (reset(5).act(views.select(order)) == chosen[order]).all()
    alone = [int(reset(5).act(views.select([row]))[0]) for row in range(50)]
    assert alone == chosen.tolist()


def test_choices_depend_on_seed_game_and_decision() -> None:
    first = copies(position(GameConfig(), 22), 200)
    assert (reset(5).act(first) != reset(6).act(first)).any()
    assert len(set(reset(5).act(first).tolist())) > 1  # differs by game
    draws = [reset(5).act(copies(position(GameConfig(), d), 200)) for d in (5, 6, 10)]
    assert (draws[0] != draws[1]).any() and (draws[0] != draws[2]).any()


def test_an_agent_forgets_its_last_games() -> None:
    agent = reset(5)
    views = copies(position(GameConfig(), 22), 50)
    first = agent.act(views)
    agent.reset(np.arange(3, dtype=np.uint64), 6)
    assert (agent.act(views) == reset(6).act(views)).all()
    agent.reset(np.arange(10, dtype=np.uint64), 5)
    assert (agent.act(views) == first).all()
