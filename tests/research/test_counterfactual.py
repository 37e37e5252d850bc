"""What held cards deny: by hand, and against every pair of a deal and a card."""

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_agents.search.rollouts import play_until
from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from arboretum_env.view import redact
from arboretum_training.research.belief import true_places
from arboretum_training.research.counterfactual import (
    denied_values,
    denied_values_ex_post,
    exchanged,
)
from arboretum_training.research.hidden import hidden_cards
from arboretum_training.research.odds_belief import OddsBelief
from arboretum_training.research.playouts import Playouts
from tests.agents.test_search_endgame import all_deals
from tests.analysis.games import LAST_DISCARD, thrown_away
from tests.random_games import random_positions


def test_by_hand() -> None:
    """Seat 0 holds C8 and D7; with C4 in place of C8 seat 1 has 8 in C, and its path scores 2.

    With C4 in place of D7 seat 1's hand is D7: no C any more, and the 2 points are as far away.
    """
    game = thrown_away()
    view = game.view(LAST_DISCARD, 0)
    found = denied_values(view, Playouts(make_agent("planner", view.config), 64))
    by_card = {view.config.card_text(denied.card): denied for denied in found}
    assert list(by_card) == ["C8", "D7"]
    assert by_card["C8"].rivals.to_json() == {"value": 2.0, "source": "exact"}
    assert by_card["C8"].own.value == 0.0
    assert by_card["C8"].margin.value == -2.0
    # D7 with seat 1 would cost seat 0 the right to D, and 3 points.
    assert by_card["D7"].rivals.value == 0.0
    assert by_card["D7"].own.value == -3.0


def swapped(world: GameState, seat: int, card: int, other: int) -> GameState:
    """The same exchange, spelt out card by card."""
    after = world.clone()
    row = after.rows[0]
    row["place"][card], row["place"][other] = world.rows["place"][0][other], 8 + seat
    deck = row["deck"]
    drawn = int(row["drawn"])
    row["deck"][drawn:] = [card if each == other else each for each in deck[drawn:]]
    return after


def points_of(world: GameState, agent: object) -> np.ndarray:
    games = world.clone()
    play_until(games, agent, np.zeros(1, np.uint64), -1)  # type: ignore[arg-type]
    return score(games).points[0].astype(float)


@pytest.mark.parametrize(
    "config",
    [
        GameConfig(species=2, num_ranks=4, hand_size=1),
        GameConfig(num_players=3, species=3, num_ranks=3, hand_size=1),
    ],
)
def test_every_pair_of_a_deal_and_a_card(config: GameConfig) -> None:
    agent = make_agent("greedy", config)
    playouts = Playouts(agent, 512)
    compared = differing = 0
    for state, _ in random_positions(config, 6, seed=6):
        for i in range(len(state)):
            game, seat = state.select([i]), int(state.mover[i])
            view = redact(game, seat)[0]
            unseen = hidden_cards(view).unseen
            if state.done[i] or not 2 <= len(unseen) <= 4 or compared == 12:
                continue
            if view.phase is Phase.PLACE:
                continue
            for denied in denied_values(view, playouts):
                gains = [
                    points_of(swapped(world, seat, denied.card, other), agent)
                    - points_of(world, agent)
                    for world in all_deals(game, seat)
                    for other in unseen
                ]
                mean = np.mean(gains, axis=0)
                assert denied.own.source == "exact"
                assert denied.own.value == pytest.approx(mean[seat], abs=1e-4)
                rivals = mean.sum() - mean[seat]
                assert denied.rivals.value == pytest.approx(rivals, abs=1e-4)
                differing += bool(mean.any())
            compared += 1
    assert compared == 12
    assert differing > 5


def test_samples_come_close_to_what_is_exact_and_say_how_close() -> None:
    config = GameConfig(species=3, num_ranks=4, hand_size=2)
    agent = make_agent("greedy", config)
    state = next(
        game.select([0])
        for game, _ in random_positions(config, 1, seed=8)
        if game.phase[0] == Phase.PLAY and game.deck_left[0] == 4
    )
    view = redact(state, int(state.mover[0]))[0]
    exact = {found.card: found for found in denied_values(view, Playouts(agent, 4096))}
    sampled = denied_values(view, Playouts(agent, 40))
    assert {found.rivals.source for found in exact.values()} == {"exact"}
    inside = 0
    for found in sampled:
        assert (found.rivals.source, found.rivals.n) == ("monte_carlo", 40)
        assert found.rivals.interval is not None
        low, high = found.rivals.interval
        inside += low <= exact[found.card].rivals.value <= high
    assert inside >= len(sampled) - 1


def test_worlds_stay_games_when_cards_change_places() -> None:
    config = GameConfig(num_players=3)
    rng = np.random.default_rng(1)
    for number, (state, _) in enumerate(random_positions(config, 4, seed=9)):
        running = state.select(np.flatnonzero(~state.done))
        if number % 17 or not len(running):
            continue
        for i in range(len(running)):
            game = running.select([i])
            seat = int(rng.integers(3))
            view = redact(game, seat)[0]
            unseen, held = (
                hidden_cards(view).unseen,
                [c for c in view.hand if c != view.chosen_card],
            )
            if not unseen:
                continue
            other = int(rng.choice(unseen))
            after = exchanged(game, seat, held[0], np.array([other]))
            assert after.hand(0, seat) == sorted({*view.hand, other} - {held[0]})
            before = sorted([*game.deck(0), *(c for k in range(3) for c in game.hand(0, k))])
            now = sorted([*after.deck(0), *(c for k in range(3) for c in after.hand(0, k))])
            assert now == before
            chosen, mover = int(after.chosen_card[0]), int(after.mover[0])
            assert chosen < 0 or chosen in after.hand(0, mover)


def test_a_card_that_a_rival_has_chosen_can_change_places() -> None:
    config = GameConfig(num_players=3)
    compared = 0
    for state, _ in random_positions(config, 4, seed=9):
        for i in np.flatnonzero(state.phase == Phase.PLACE):
            game, mover = state.select([i]), int(state.mover[i])
            seat, chosen = (mover + 1) % 3, int(game.chosen_card[0])
            view = redact(game, seat)[0]
            if chosen not in hidden_cards(view).unseen:
                continue
            after = exchanged(game, seat, view.hand[0], np.array([chosen]))
            assert chosen in after.hand(0, seat)
            assert int(after.chosen_card[0]) == view.hand[0]
            assert view.hand[0] in after.hand(0, mover)
            compared += 1
    assert compared > 20


def test_ex_post_is_the_true_deal_with_every_hidden_card() -> None:
    config = GameConfig(num_players=3, species=3, num_ranks=4, hand_size=2)
    agent = make_agent("greedy", config)
    playouts = Playouts(agent, 64)
    compared = differing = 0
    for number, (state, _) in enumerate(random_positions(config, 3, seed=2)):
        game, seat = state.select([0]), number % 3
        view = redact(game, seat)[0]
        if state.done[0] or number % 7 or view.phase is Phase.PLACE:
            continue
        unseen = hidden_cards(view).unseen
        for denied in denied_values_ex_post(game, seat, playouts):
            gains = [
                points_of(swapped(game, seat, denied.card, other), agent) - points_of(game, agent)
                for other in unseen
            ]
            mean = np.mean(gains, axis=0)
            assert (denied.standpoint, denied.own.source) == ("ex post", "exact")
            assert denied.own.value == pytest.approx(mean[seat], abs=1e-4)
            assert denied.rivals.value == pytest.approx(mean.sum() - mean[seat], abs=1e-4)
            differing += bool(mean.any())
        compared += 1
    assert compared >= 4
    assert differing > 5


def test_with_a_belief_worlds_are_drawn_from_it() -> None:
    """Odds that put the true cards where they are, and nothing else: ex ante is ex post.

    But for the order of the deck, which nobody knows: the last turn is looked at, where it is one
    card.
    """
    config = GameConfig(species=3, num_ranks=4, hand_size=2)
    agent = make_agent("greedy", config)
    compared = 0
    for state, _ in random_positions(config, 8, seed=3):
        for i in np.flatnonzero((state.deck_left <= 1) & ~state.done):
            game, seat = state.select([i]), int(state.mover[i])
            view = redact(game, seat)[0]
            places = true_places(view, game)
            if not len(places):
                continue
            odds = np.full((len(places), 2), -np.inf)
            odds[np.arange(len(places)), places] = 0.0
            playouts = Playouts(agent, 16 * len(places))  # every card equally often
            ante = denied_values(view, playouts, belief=OddsBelief(view, odds))
            post = denied_values_ex_post(game, seat, playouts)
            assert {each.standpoint for each in ante} == {"ex ante"}
            found = {each.card: each.rivals.value for each in ante}
            assert found == pytest.approx({each.card: each.rivals.value for each in post}, abs=1e-4)
            compared += 1
    assert compared > 10
