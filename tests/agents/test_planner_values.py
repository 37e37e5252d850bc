"""What the planner thinks of every action, and its play at a temperature."""

import re

import numpy as np
import pytest

from arboretum_agents.bots.planner import PlannerAgent
from arboretum_agents.registry import AgentSpecError, make_agent
from arboretum_env.actions import action_slices
from arboretum_env.engine.moves import step
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews, redact
from tests.random_games import CONFIGS, random_positions


def planner(spec: str, state: GameState) -> PlannerAgent:
    agent = make_agent(spec, state.config)
    assert isinstance(agent, PlannerAgent)
    agent.reset(np.zeros(1, np.uint64), 4)
    return agent


def movers(state: GameState) -> tuple[GameState, PlayerViews]:
    running = state.select(~state.done)
    return running, redact(running, running.mover, np.arange(len(running), dtype=np.uint64))


@pytest.mark.parametrize("name", CONFIGS)
def test_illegal_actions_alone_are_worth_nothing_at_all(name: str) -> None:
    for position, _ in random_positions(CONFIGS[name], games=3, seed=2):
        running, views = movers(position)
        if not len(running):
            continue
        agent = planner("planner", running)
        values = agent.action_values(views)
        np.testing.assert_array_equal(values > -np.inf, views.legal_action_mask())
        np.testing.assert_array_equal(agent.act(views), values.argmax(axis=1))


@pytest.mark.parametrize("name", CONFIGS)
def test_a_card_is_played_as_often_as_its_placements_together(name: str) -> None:
    """Chances in PLAY against those of all placements, valued one by one in PLACE."""
    temperature, checked = 1.5, 0
    for position, _ in random_positions(CONFIGS[name], games=2, seed=6):
        running, views = movers(position)
        play = np.flatnonzero(views.phase == Phase.PLAY)
        if not len(play):
            continue
        running = running.select(play)
        agent = planner(f"planner:temperature={temperature}", running)
        chances, _ = agent.policy(views.select(play))
        best = planner("planner", running).action_values(views.select(play))
        for b in range(len(running)):
            plays = np.flatnonzero(chances[b])
            chosen = running.select(np.full(len(plays), b))
            step(chosen, plays, np.empty((len(plays), chances.shape[1]), np.bool_))
            placed = agent.action_values(redact(chosen, chosen.mover))
            most = placed.max(axis=1)
            np.testing.assert_allclose(most, best[b, plays], atol=1e-9)
            odds = np.exp((placed - most.max()) / temperature).sum(axis=1)
            np.testing.assert_allclose(chances[b, plays], odds / odds.sum(), atol=1e-5)
            checked += len(plays)
    assert checked > 20


def test_moves_are_drawn_with_their_chances() -> None:
    position, _ = next(random_positions(CONFIGS["2 players"], games=1, seed=9))
    draws = position.select(np.zeros(4000, np.int64))
    running, views = movers(draws)
    agent = planner("planner:temperature=2", running)
    chances, _ = agent.policy(views)
    actions = agent.act(views)
    shares = np.bincount(actions, minlength=chances.shape[1]) / len(actions)
    np.testing.assert_allclose(shares, chances[0], atol=0.03)
    assert ((chances[0] > 0.05).sum()) > 1 or chances[0].max() > 0.9
    greedy = planner("planner:temperature=2,mode=greedy", running)
    np.testing.assert_array_equal(greedy.act(views), planner("planner", running).act(views))


def test_a_higher_temperature_is_more_even() -> None:
    entropies = []
    for temperature in (0.25, 1.0, 4.0):
        total = 0.0
        for position, _ in random_positions(CONFIGS["2 players"], games=2, seed=3):
            running, views = movers(position)
            if len(running):
                agent = planner(f"planner:temperature={temperature}", running)
                chances = agent.policy(views)[0]
                total -= float((chances * np.log(np.maximum(chances, 1e-12))).sum())
        entropies.append(total)
    assert entropies[0] < entropies[1] < entropies[2]


def test_its_value_is_its_squashed_lead() -> None:
    first, _ = next(random_positions(CONFIGS["2 players"], games=5, seed=3))
    running, views = movers(first)
    _, value = planner("planner", running).policy(views)
    assert value == pytest.approx(0.0)  # nothing is planted: nobody may expect a point


@pytest.mark.parametrize("option", ["temperature", "denial", "tempo"])
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e308", "-1e308", "1001", "-101"])
def test_dials_have_ends(option: str, value: str) -> None:
    least, most = {"temperature": (0, 1000)}.get(option, (-100, 100))
    message = f"planner: {option}={float(value)}: expected {least}..{most}"
    with pytest.raises(AgentSpecError, match=re.escape(message)):
        make_agent(f"planner:{option}={value}", CONFIGS["2 players"])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize(
    "options",
    [
        "denial=100,tempo=100,temperature=1000",
        "denial=-100,tempo=-100,temperature=1e-3",
        "denial=100,tempo=-100,temperature=5e-324",
        "denial=-1,temperature=5,mode=greedy",
    ],
)
def test_at_the_ends_of_its_dials_it_plays_legally(name: str, options: str) -> None:
    for position, _ in random_positions(CONFIGS[name], games=2, seed=6):
        running, views = movers(position)
        if not len(running):
            continue
        agent, legal = planner(f"planner:{options}", running), views.legal_action_mask()
        values, (chances, leads) = agent.action_values(views), agent.policy(views)
        np.testing.assert_array_equal(np.isfinite(values), legal)
        assert (chances[~legal] == 0).all()
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-5)
        assert (np.abs(leads) <= 1).all()
        assert legal[np.arange(len(running)), agent.act(views)].all()


def test_ranges_are_where_the_values_stand() -> None:
    """A discard's value stands at its action, and no placement's beside it."""
    config = CONFIGS["2 players"]
    start = action_slices(config)["discard_card"].start
    for position, _ in random_positions(config, games=2, seed=1):
        running, views = movers(position)
        if len(running) and (views.phase == Phase.DISCARD).all():
            values = planner("planner", running).action_values(views)
            assert (values[:, :start] == -np.inf).all()
            return
    raise AssertionError("no discard")
