"""Observation -> ``PlayerView`` -> observation is the identity, and the view is what it says.

At every decision, for the seat to move and for idle seats alike. So an observation is complete:
whoever gets one needs nothing else.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from arboretum_env.actions import torus_cell
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ViewError
from arboretum_env.observation import observation_length, observation_slices, observe
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews, redact
from tests.random_games import CONFIGS, random_positions


@pytest.mark.parametrize("name", CONFIGS)
def test_round_trip_at_every_decision_for_every_seat(name: str) -> None:
    config = CONFIGS[name]
    for state, _ in random_positions(config, 4, seed=41):
        masks = legal_action_mask(state)
        for seat in range(config.num_players):
            for i, observation in enumerate(observe(state, seat)):
                view = PlayerView.from_observation(config, observation)
                again = view.to_observation()
                assert again.tobytes() == observation.tobytes() and again.dtype == np.int8
                assert PlayerView.from_observation(config, again) == view
                legal = np.flatnonzero(masks[i]).tolist() if seat == state.mover[i] else []
                assert view.legal_actions() == legal


def known_hands(state: GameState, index: int) -> list[list[int]]:
    """What everybody knows of the hands: all of them once the game is over."""
    seats = range(state.config.num_players)
    if state.done[index]:
        return [state.hand(index, seat) for seat in seats]
    return [state.known_in_hand(index, seat) for seat in seats]


@pytest.mark.parametrize("name", CONFIGS)
def test_a_view_says_what_is_true(name: str) -> None:
    config = CONFIGS[name]
    seats = range(config.num_players)
    for number, (state, _) in enumerate(random_positions(config, 5, seed=42)):
        if number % 2:
            continue
        for seat in seats:
            for i, view in enumerate(redact(state, seat)):
                assert (view.seat, view.mover, view.phase) == (seat, state.mover[i], state.phase[i])
                assert (view.turn, view.deck_size) == (state.turn[i], state.deck_left[i])
                assert list(view.hand) == state.hand(i, seat)
                assert [sorted(cards) for cards in view.known_hands] == known_hands(state, i)
                for k in seats:
                    assert list(view.discard_piles[k]) == state.discard_pile(i, k)
                    assert list(view.arboreta[k]) == state.arboretum(i, k)
                chosen = state.chosen_card[i]
                shown = chosen if chosen >= 0 and seat == state.mover[i] else None
                assert view.chosen_card == shown
                assert view.history is None


@pytest.mark.parametrize("name", CONFIGS)
def test_a_batch_of_views_and_single_views_agree(name: str) -> None:
    config = CONFIGS[name]
    for number, (state, masks) in enumerate(random_positions(config, 6, seed=43)):
        if number % 5:
            continue
        ids = np.arange(100, 106, dtype=np.uint64)
        views = redact(state, state.mover, ids)
        assert np.array_equal(views.legal_action_mask(), masks)
        some = views.select([4, 1])
        assert some.game_id.tolist() == [104, 101]
        for index, view in zip((4, 1), some, strict=True):
            assert view == views[index]
            assert (view.phase, view.turn) == (views.phase[index], views.turn[index])
            own = (view.turn // config.num_players) * 5 + view.phase
            assert views.decision[index] == own


def test_cells_have_true_coordinates() -> None:
    config = CONFIGS["2 players"]
    checked = 0
    for state, masks in random_positions(config, 3, seed=44):
        for i in np.flatnonzero(state.phase == Phase.PLACE):
            view = redact(state, state.mover)[int(i)]
            planted = {(x, y) for x, y, _ in view.arboreta[view.seat]}
            first = 1 + config.num_players + config.num_cards
            for action in np.flatnonzero(masks[i]):
                x, y = view.true_cell(int(action) - first)
                assert torus_cell(config, x, y) == action - first
                assert (x, y) not in planted
                near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
                assert near & planted if planted else (x, y) == (0, 0)
                checked += 1
    assert checked > 1_000


@pytest.mark.parametrize(
    ("piece", "value", "message"),
    [
        ("seat", 2, "seat 2, mover 0: expected 0..1"),
        ("seat", -1, "seat -1"),
        ("mover", 3, "seat 0, mover 3"),
        ("phase", 6, "phase 6: expected 0..5"),
    ],
)
def test_an_observation_out_of_range_is_refused(piece: str, value: int, message: str) -> None:
    config = GameConfig()
    observation = observe(deal(config, 1, [0]), 0)[0]
    observation[observation_slices(config)[piece]] = value
    with pytest.raises(ViewError, match=message):
        PlayerView.from_observation(config, observation)


def test_wrong_shapes_are_refused() -> None:
    config = GameConfig()
    length = observation_length(config)
    with pytest.raises(ViewError, match=rf"shape \(3,\): expected \[{length}\]"):
        PlayerView.from_observation(config, np.zeros(3, np.int8))
    wrong: list[Any] = [np.zeros(length, np.int8), np.zeros((1, length), np.int64)]
    for observations in (*wrong, np.zeros((1, length + 1), np.int8)):
        with pytest.raises(ViewError, match=rf"expected \[B, {length}\] int8"):
            PlayerViews(config, observations)
    with pytest.raises(ViewError, match=r"game ids of shape \(2,\): expected \[1\]"):
        PlayerViews(config, np.zeros((1, length), np.int8), np.zeros(2, np.uint64))
    for seat in (-1, 2):
        with pytest.raises(ViewError, match=f"observer seat {seat}: expected 0..1"):
            observe(deal(config, 1, [0]), seat)


def test_every_part_of_a_view_is_in_its_observation() -> None:
    """A change of any field changes the observation: nothing is lost on the way."""
    config = GameConfig()
    view = next(
        view
        for state, _ in random_positions(config, 50, seed=45)
        for view in redact(state, state.mover)
        if view.phase is Phase.PLACE and min(map(len, view.discard_piles)) > 1
    )
    seat, rival = view.seat, 1 - view.seat
    unseen = sorted(
        set(range(config.num_cards))
        - set(view.hand)
        - {card for hand in view.known_hands for card in hand}
        - {card for pile in view.discard_piles for card in pile}
        - {card for planted in view.arboreta for _, _, card in planted}
    )[0]
    piles, planted = view.discard_piles, view.arboreta

    def at(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
        return (*values[:index], value, *values[index + 1 :])

    x, y, card = planted[rival][0]
    changed = [
        replace(view, seat=rival),
        replace(view, mover=rival),
        replace(view, phase=Phase.DISCARD),
        replace(view, deck_size=view.deck_size - 1),
        replace(view, turn=view.turn + 1),
        replace(view, chosen_card=None),
        replace(view, hand=(*view.hand, unseen)),
        replace(view, known_hands=at(view.known_hands, rival, frozenset({unseen}))),
        replace(view, known_hands=at(view.known_hands, seat, frozenset(view.hand))),
        replace(view, discard_piles=at(piles, rival, piles[rival][:-1])),
        replace(view, discard_piles=at(piles, seat, piles[seat][::-1])),
        replace(view, arboreta=at(planted, rival, ((x, y + 1, card), *planted[rival][1:]))),
        replace(view, arboreta=at(planted, seat, planted[seat][::-1])),
    ]
    texts = {each.to_observation().tobytes() for each in (view, *changed)}
    assert len(texts) == 1 + len(changed)
