"""Worlds: all of them where that says everything, a sample elsewhere; open ones keep the hands."""

import numpy as np

from arboretum_agents.registry import make_agent
from arboretum_agents.search.endgame import count_deals
from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score
from arboretum_env.phase import Phase
from arboretum_env.view import redact
from arboretum_training.research.playouts import Playouts
from tests.analysis.games import bots_course
from tests.random_games import random_positions

SMALL = GameConfig(species=2, num_ranks=4, hand_size=1)


def test_few_deals_are_all_gone_through_by_agents_that_draw_no_numbers() -> None:
    certain = Playouts(make_agent("planner", SMALL), 64)
    drawing = Playouts(make_agent("planner:temperature=1", SMALL), 64)
    enumerated = 0
    for state, _ in random_positions(SMALL, 2, seed=3):
        game = state.select([0])
        if game.done[0]:
            continue
        seat = int(game.mover[0])
        view = redact(game, seat)[0]
        worlds, deals = certain.worlds(view), count_deals(game, seat)
        assert worlds.every == (deals <= 64)
        assert len(worlds.games) == (deals if deals <= 64 else 64)
        assert len(np.unique(worlds.games.raw, axis=0)) == len(worlds.games) or deals > 64
        sampled = drawing.worlds(view)
        assert (len(sampled.games), sampled.every) == (64, False)
        assert drawing.outcomes(sampled).margin(seat).source == "monte_carlo"
        enumerated += worlds.every
    assert enumerated >= 5


def test_what_a_rival_has_chosen_is_hidden_too() -> None:
    """However few deals there are: a world in which its card lies elsewhere would be none."""
    playouts = Playouts(make_agent("greedy", SMALL), 64)
    compared = 0
    for state, _ in random_positions(SMALL, 6, seed=3):
        for i in np.flatnonzero(state.phase == Phase.PLACE):
            game = state.select([i])
            mover = int(game.mover[0])
            worlds = playouts.worlds(redact(game, 1 - mover)[0])
            assert (len(worlds.games), worlds.every) == (64, False)
            for row in range(64):
                assert int(worlds.games.chosen_card[row]) in worlds.games.hand(row, mover)
            compared += 1
    assert compared >= 6


def test_the_end_is_exact_whoever_plays() -> None:
    config = GameConfig(num_players=3)
    game = bots_course(config, 2, ("greedy",))
    playouts = Playouts(make_agent("random", config), 16)
    points = score(game.states[-1]).points[0].tolist()
    for worlds in (
        playouts.worlds(game.view(len(game.actions), 1)),
        playouts.open_worlds(game.states[-1]),
    ):
        outcomes = playouts.outcomes(worlds)
        assert outcomes.points.tolist() == [points]
        assert outcomes.margin(1).source == outcomes.win_chance(1).source == "exact"


def test_open_worlds_differ_in_the_order_of_the_deck_alone() -> None:
    game = bots_course(GameConfig(), 2, ("greedy",))
    state = game.states[40]
    worlds = Playouts(make_agent("greedy", GameConfig()), 16).open_worlds(state)
    decks = {tuple(worlds.games.deck(row)) for row in range(16)}
    assert len(decks) == 16
    assert {tuple(sorted(deck)) for deck in decks} == {tuple(sorted(state.deck(0)))}
    for field in state.rows.dtype.names or ():
        if field != "deck":
            assert (worlds.games.rows[field] == state.rows[field]).all(), field


def test_the_same_worlds_and_outcomes_every_time() -> None:
    config = GameConfig()
    view = bots_course(config, 2, ("greedy",)).view(30, 0)
    first, second = (Playouts(make_agent("planner:temperature=2", config), 32) for _ in range(2))
    once, again = (each.outcomes(each.worlds(view)) for each in (first, second))
    assert np.array_equal(once.points, again.points)
    other = Playouts(make_agent("planner:temperature=2", config), 32, seed=1)
    assert not np.array_equal(other.outcomes(other.worlds(view)).points, once.points)
