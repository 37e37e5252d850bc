"""Exact endgames against a brute force that knows nothing of levels, weights or pruning."""

from collections import defaultdict
from itertools import permutations
from math import factorial

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_agents.search.agent import SearchAgent
from arboretum_agents.search.beliefs import Beliefs, alike, hand_log_odds
from arboretum_agents.search.endgame import (
    ExactValues,
    _undominated,
    consistent_deals,
    count_deals,
    solve,
)
from arboretum_agents.search.fitted_beliefs import FITTED, FittedBeliefs
from arboretum_agents.search.rollouts import worth
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.observation import observe
from arboretum_env.phase import Phase
from arboretum_env.view import redact
from tests.random_games import random_positions

SMALL = {
    "2 players": GameConfig(species=2, num_ranks=4, hand_size=1),
    "2 players, two cards": GameConfig(species=3, num_ranks=3, hand_size=2),
    "2 players, starting discards": GameConfig(
        species=2, num_ranks=4, hand_size=1, starting_discards=True
    ),
    "3 players": GameConfig(num_players=3, species=3, num_ranks=3, hand_size=1),
    "4 players, rights for all": GameConfig(
        num_players=4, species=3, num_ranks=3, hand_size=1, rights="all", cancel_eights=False
    ),
}


def all_deals(state: GameState, seat: int) -> list[GameState]:
    """Every way to put the unseen cards into their places, one by one, with repetitions."""
    row = state.rows[0]
    drawn = int(row["drawn"])
    places = [
        int(place)
        for k, place in enumerate(row["place"])
        if 8 <= place < 12 and place != 8 + seat and k >= 0
    ]
    cards = [card for card in range(len(row["place"])) if row["place"][card] in {0, *places}]
    deals = []
    for order in permutations(cards):
        world = state.clone()
        for card, place in zip(order, places, strict=False):
            world.rows["place"][0, card] = place
        for position, card in enumerate(order[len(places) :]):
            world.rows["place"][0, card] = 0
            world.rows["deck"][0, drawn + position] = card
        deals.append(world)
    return deals


def brute_force(
    games: list[tuple[GameState, float]], seat: int, policy: Agent, share: float
) -> tuple[float, dict[int, float]]:
    """(worth, worth by action) of games that look alike to the seat, with their weights."""
    values: dict[int, float] = {}
    for action in np.flatnonzero(legal_action_mask(games[0][0])[0]):
        total = 0.0
        seen: dict[bytes, list[tuple[GameState, float]]] = defaultdict(list)
        for game, weight in games:
            after = game.clone()
            apply_action(after, [action])
            while not after.done[0] and after.mover[0] != seat:
                apply_action(after, policy.act(redact(after, int(after.mover[0]))))
            if after.done[0]:
                total += weight * worth(after, share)[0, seat]
            else:
                seen[redact(after, seat).observation.tobytes()].append((after, weight))
        total += sum(brute_force(alike, seat, policy, share)[0] for alike in seen.values())
        values[int(action)] = total
    return max(values.values()), values


def late_positions(config: GameConfig, seed: int, unseen: int) -> list[GameState]:
    """Positions of random games in which few cards are unseen, of every phase."""
    found = []
    for state, _ in random_positions(config, 12, seed):
        for i in np.flatnonzero(~state.done):
            game = state.select([i])
            hidden = sum(
                int((game.rows["place"][0] == 8 + k).sum())
                for k in range(config.num_players)
                if k != game.mover[0]
            )
            if int(game.deck_left[0]) + hidden <= unseen:
                found.append(game)
    return found


def solved(
    game: GameState, policy: Agent, limit: int, beliefs: Beliefs = alike
) -> ExactValues | None:
    view = redact(game, int(game.mover[0]))
    return solve(view, policy, log_odds=beliefs(view)[0], margin_share=0.25, limit=limit)


@pytest.mark.parametrize("name", SMALL)
def test_it_finds_what_brute_force_finds(name: str) -> None:
    config = SMALL[name]
    policy = make_agent("planner", config)
    by_phase: dict[int, int] = defaultdict(int)
    for game in late_positions(config, 5, unseen=3):
        seat, phase = int(game.mover[0]), int(game.phase[0])
        if by_phase[phase] == 3:
            continue
        exact = solved(game, policy, limit=250)
        if exact is None:
            continue
        by_phase[phase] += 1
        deals = all_deals(game, seat)
        weighted = [(world, 1 / len(deals)) for world in deals]
        _, expected = brute_force(weighted, seat, policy, 0.25)
        # What it leaves out is no better than what it keeps.
        assert max(expected.values()) == pytest.approx(exact.values.max())
        for action, value in zip(exact.actions, exact.values, strict=True):
            assert value == pytest.approx(expected[int(action)])
    assert by_phase == dict.fromkeys(range(5), 3)


def test_beliefs_weigh_the_deals() -> None:
    """The same by brute force with every deal's own weight; it differs from all alike."""
    config = SMALL["2 players, two cards"]
    policy = make_agent("greedy", config)
    fitted = FittedBeliefs(FITTED[2])
    differing = compared = 0
    for game in late_positions(config, 6, unseen=3):
        seat = int(game.mover[0])
        exact = solved(game, policy, limit=300, beliefs=fitted)
        plain = solved(game, policy, limit=300)
        if exact is None or plain is None or compared == 12:
            continue
        compared += 1
        deals = all_deals(game, seat)
        odds = fitted(redact(game, seat))[0]
        odds = np.array([np.exp(hand_log_odds(world, seat, odds)[0]) for world in deals])
        weighted = list(zip(deals, (odds / odds.sum()).tolist(), strict=True))
        value, _ = brute_force(weighted, seat, policy, 0.25)
        assert exact.values.max() == pytest.approx(value)
        differing += exact.values.max() != pytest.approx(plain.values.max())
    assert compared == 12
    assert differing


def test_it_gives_up_beyond_its_limit() -> None:
    config = GameConfig()
    policy = make_agent("greedy", config)
    game = deal(config, 1, np.zeros(1, np.uint64))
    assert solved(game, policy, limit=1_000_000) is None
    # 34 cards in the deck and 7 in the rival's hand, as a set.
    assert count_deals(game, 0) == factorial(41) // factorial(7)
    late = late_positions(SMALL["2 players"], 5, unseen=2)[0]
    assert solved(late, policy, limit=0) is None


def test_consistent_deals_are_all_different_and_look_alike() -> None:
    config = SMALL["3 players"]
    [game, *_] = late_positions(config, 5, unseen=5)
    seat = int(game.mover[0])
    deals = consistent_deals(game, seat)
    assert len(deals) == count_deals(game, seat)
    assert len({row.tobytes() for row in deals.raw}) == len(deals)
    assert {row.tobytes() for row in observe(deals, seat)} == {observe(game, seat)[0].tobytes()}
    assert len(deals) == len({world.raw[0].tobytes() for world in all_deals(game, seat)})


def test_search_plays_exact_endgames() -> None:
    """In the last turn of a whole game, and what it finds there is at least as good as a search."""
    config = GameConfig()
    ids = np.arange(8, dtype=np.uint64)
    planner = make_agent("planner", config)
    exact, searching = (
        SearchAgent(config, simulations=64, endgame=endgame) for endgame in (2048, 0)
    )
    for agent in (exact, searching):
        agent.reset(ids, 2)
    state = deal(config, 17, ids)
    solved_decisions = better = 0
    while len(state):
        views = redact(state, state.mover, np.arange(len(state), dtype=np.uint64))
        last = np.flatnonzero((views.deck_size == 0) & (views.phase >= Phase.PLAY))
        if len(last):
            found = exact.decide(views.select(last))
            moves = searching.act(views.select(last))
            for decision, move in zip(found, moves, strict=True):
                assert decision.deals == 1  # the rival's hand is what is left
                solved_decisions += 1
                values = dict(zip(decision.actions.tolist(), decision.values, strict=True))
                assert values.get(int(move), 0.0) <= decision.value
                better += values.get(int(move), 0.0) < decision.value
        apply_action(state, planner.act(views))
        state = state.select(np.flatnonzero(~state.done))
    assert solved_decisions == 24
    assert better < 12


def test_cells_that_another_cell_outdoes_are_left_out() -> None:
    gains = np.array([[1, 0], [0, 2], [1, 1], [1, 1], [0, 0], [0, 0]], np.float32)
    keep = np.empty(6, np.bool_)
    _undominated(np.array([0, 5, 6]), gains, keep)  # the last row is of another view
    assert keep.tolist() == [False, True, True, False, False, True]
