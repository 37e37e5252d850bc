"""What a seat cannot know changes nothing that it, its agents or a spectator are shown.

At every decision of random games (thousands for each number of players) and for every seat, the
hidden cards are redistributed in two independent ways: by ``determinize`` from the seat's view, and
by ``reshuffle_hidden`` in the rows of the true state. All that the seat is shown must stay the same
to the byte.
"""

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_env.determinize import determinize
from arboretum_env.drawing.scene import scene_of_state, scene_of_view
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.drawing.text import scene_text
from arboretum_env.engine.moves import legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.full_information import full_information
from arboretum_env.observation import observe
from arboretum_env.pettingzoo_env import raw_env
from arboretum_env.view import redact
from tests.api.aec_conformance import canonical, seen_by
from tests.random_games import CONFIGS, random_positions
from tests.secrecy.reshuffle import reshuffle_hidden

GAMES = {2: 24, 3: 20, 4: 16}
SPECTATOR = -1


def worlds(state: GameState, seat: int, rng: np.random.Generator) -> tuple[GameState, GameState]:
    """Two copies of the games with everything drawn anew that the seat cannot know."""
    observers = np.full(len(state), seat)
    return determinize(redact(state, seat), rng), reshuffle_hidden(state, observers, rng)


def running(state: GameState) -> GameState:
    """The games that are not over."""
    return state.select(np.flatnonzero(~state.done))


@pytest.mark.parametrize("name", CONFIGS)
def test_observation_mask_and_moves(name: str) -> None:
    config = CONFIGS[name]
    rng = np.random.default_rng(2)
    agents = [make_agent(spec, config) for spec in ("random", "greedy", "planner")]
    points = changed = compared = 0
    for position, _ in random_positions(config, GAMES[config.num_players], seed=21):
        state = running(position)
        if not len(state):
            break
        points += len(state)
        ids = rng.integers(0, 2**63, len(state)).astype(np.uint64)
        for agent in agents:
            agent.reset(ids, seed=5)
        for seat in range(config.num_players):
            views = redact(state, seat, ids)
            mask = views.legal_action_mask()
            to_move = state.mover == seat
            assert np.array_equal(mask.any(axis=1), to_move)
            assert np.array_equal(mask[to_move], legal_action_mask(state)[to_move])
            for world in worlds(state, seat, rng):
                there = redact(world, seat, ids)
                assert there.observation.tobytes() == views.observation.tobytes()
                assert there.legal_action_mask().tobytes() == mask.tobytes()
                assert np.array_equal(legal_action_mask(world)[to_move], mask[to_move])
                for agent in agents:
                    if to_move.any():
                        moves = agent.act(views.select(to_move))
                        assert np.array_equal(agent.act(there.select(to_move)), moves)
                truth, other = full_information(state), full_information(world)
                changed += int((truth != other).any(axis=1).sum())
                compared += len(state)
    whole = "reduced" not in name
    assert points >= (2_000 if whole else 200)
    # The cards did change places: nearly all worlds of a whole game differ from the truth.
    assert changed > (0.95 if whole else 0.7) * compared


@pytest.mark.parametrize("name", CONFIGS)
def test_views_and_drawings(name: str) -> None:
    config = CONFIGS[name]
    rng = np.random.default_rng(3)
    for number, (position, _) in enumerate(random_positions(config, 2, seed=22)):
        state = running(position)
        if number % 9 or not len(state):
            continue
        for seat in range(config.num_players):
            views = redact(state, seat)
            for world in worlds(state, seat, rng):
                for view, there in zip(views, redact(world, seat), strict=True):
                    assert view == there
                    scene = scene_of_view(view)
                    assert scene_text(scene) == scene_text(scene_of_view(there))
                    if number % 27 == 0:
                        assert scene_svg(scene) == scene_svg(scene_of_view(there))


@pytest.mark.parametrize("name", CONFIGS)
def test_spectators_see_no_hidden_card(name: str) -> None:
    config = CONFIGS[name]
    rng = np.random.default_rng(4)
    often = name.endswith("players")
    games = {2: 14, 3: 11, 4: 9}[config.num_players] if often else 3
    differing = compared = 0
    for number, (position, _) in enumerate(random_positions(config, games, seed=23)):
        state = running(position)
        world = reshuffle_hidden(state, np.full(len(state), SPECTATOR), rng)
        for i in range(len(state)):
            scene = scene_of_state(state, i, show_hands=False)
            there = scene_of_state(world, i, show_hands=False)
            text = scene_text(scene)
            assert text == scene_text(there)
            if i == number % 40:
                assert scene == there
                assert scene_svg(scene) == scene_svg(there)
            compared += 1
        if len(state):  # with the hands shown, the drawings differ
            shown = [scene_text(scene_of_state(game, 0)) for game in (state, world)]
            differing += shown[0] != shown[1]
    assert compared >= (2_000 if often else 50)
    assert differing > 0.7 * number


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_environment(name: str, mask_in: str) -> None:
    """The adapter's own way of showing: ``observe``, ``infos`` and ``render`` of every seat."""
    config = CONFIGS[name]
    rng = np.random.default_rng(5)
    environment = raw_env(config=config, mask_in=mask_in, render_mode="ansi")
    environment.reset(seed=6)
    while not environment.terminations["player_0"]:
        truth = environment._game
        assert truth is not None
        drawn = environment.render()
        for seat, agent in enumerate(environment.possible_agents):
            shown = seen_by(environment, agent)
            for world in worlds(truth, seat, rng):
                environment._game = world
                assert seen_by(environment, agent) == shown
            environment._game = truth
        environment._game = reshuffle_hidden(truth, np.array([SPECTATOR]), rng)
        assert environment.render() == drawn
        environment._game = truth
        legal = np.flatnonzero(environment.infos[environment.agent_selection]["action_mask"])
        environment.step(int(rng.choice(legal)))


def test_a_leak_would_be_noticed() -> None:
    """The comparison above fails for a seat that is shown one card too many."""
    config = CONFIGS["2 players"]
    rng = np.random.default_rng(7)
    for state, _ in random_positions(config, 50, seed=24):
        if state.turn[0] < 3:
            continue
        for world in worlds(state, 0, rng):
            # Seat 1's hand, the deck and seat 1's chosen card are what seat 0 must not see ...
            assert observe(world, 1).tobytes() != observe(state, 1).tobytes()
            assert [world.deck(i) for i in range(50)] != [state.deck(i) for i in range(50)]
            # ... and its own view has none of them.
            assert canonical(observe(world, 0)) == canonical(observe(state, 0))
        break
