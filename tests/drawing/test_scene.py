"""Scenes hold the position: hands and their sizes, last move, paths, sheet."""

import numpy as np
import pytest

from arboretum_env.drawing.scene import Scene, scene_of_state, scene_of_view
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from arboretum_env.view import redact
from tests.drawing.pictures import position, scene
from tests.random_games import CONFIGS, random_positions


def scenes_of(state: GameState, index: int) -> list[Scene]:
    """For spectators with and without hands, and for every seat."""
    seats = range(state.config.num_players)
    views = [redact(state.select([index]), seat)[0] for seat in seats]
    return [
        scene_of_state(state, index),
        scene_of_state(state, index, show_hands=False),
        *map(scene_of_view, views),
    ]


@pytest.mark.parametrize("name", CONFIGS)
def test_every_scene_counts_the_cards_of_every_hand(name: str) -> None:
    for number, (state, _) in enumerate(random_positions(CONFIGS[name], 2, seed=11)):
        index = number % 2
        for shown in scenes_of(state, index):
            for seat, part in enumerate(shown.seats):
                true_hand = state.hand(index, seat)
                assert set(part.hand) <= set(true_hand)
                assert len(part.hand) + part.hidden_cards == len(true_hand)
                assert list(part.arboretum) == state.arboretum(index, seat)
                assert list(part.discard_pile) == state.discard_pile(index, seat)
            over = bool(state.done[index])
            assert (shown.sheet is not None) == over
            assert shown.deck_size == state.deck_left[index]


@pytest.mark.parametrize("name", CONFIGS)
def test_what_each_scene_shows_of_a_hand(name: str) -> None:
    seats = range(CONFIGS[name].num_players)
    for state, _ in random_positions(CONFIGS[name], 1, seed=12):
        spectator, public, *of_seats = scenes_of(state, 0)
        over = bool(state.done[0])
        for seat in seats:
            whole, known = state.hand(0, seat), state.known_in_hand(0, seat)
            assert list(spectator.seats[seat].hand) == whole
            assert list(public.seats[seat].hand) == (whole if over else known)
            for observer, seen in zip(seats, of_seats, strict=True):
                visible = whole if over or observer == seat else known
                assert list(seen.seats[seat].hand) == visible
        chosen = int(state.chosen_card[0])
        assert spectator.chosen_card == (chosen if chosen >= 0 else None)
        assert public.chosen_card is None
        for observer, seen in zip(seats, of_seats, strict=True):
            own = chosen >= 0 and observer == int(state.mover[0])
            assert seen.chosen_card == (chosen if own else None)


def test_last_move_of_a_turn() -> None:
    # Turn 3 of the published game: D6@0,-1 xV4, by seat 0.
    after_turn = scene("anu_game_1", 15)
    assert after_turn.last_planted == (0, (0, -1))
    assert after_turn.last_discarded == 0
    # Then seat 1 takes V4: the discard is gone, the plant is still the last one.
    assert scene("anu_game_1", 16).last_discarded is None
    assert scene("anu_game_1", 18).last_planted == (0, (0, -1))
    # Planted, not yet discarded: V8@1,0 of seat 1.
    assert scene("anu_game_1", 19).phase is Phase.DISCARD
    assert scene("anu_game_1", 19).last_planted == (1, (1, 0))
    assert scene("anu_game_1", 0).last_planted is None
    assert scene("anu_game_1", 0).last_discarded is None


def test_starting_discards_are_no_last_move() -> None:
    start = scene("three_players_reduced", 0)
    assert [len(seat.discard_pile) for seat in start.seats] == [0, 1, 1]
    assert start.last_discarded is None


def test_paths_are_the_best_ones_with_their_rights() -> None:
    shown = scene("anu_game_1")
    text = shown.config.card_text
    paths = [
        (seat, shown.config.species[path.species], " ".join(map(text, path.cards)), path.right)
        for seat, part in enumerate(shown.seats)
        for path in part.paths
    ]
    assert paths == [
        (0, "C", "C3 D4 C7 C8", True),
        (0, "D", "D1 V3 D8", False),
        (0, "J", "J3 J5", False),
        (1, "V", "V1 M2 D3 L7 V8", True),
        (1, "L", "L2 D3 L7", True),
        (1, "M", "M3 M4 M8", True),
    ]
    assert shown.seats[0].paths[0].cells == ((-2, -4), (-2, -3), (-1, -3), (-1, -2))
    # During the game nobody knows the rights.
    assert {path.right for part in scene("anu_game_1", 100).seats for path in part.paths} == {None}


def test_sheet_at_the_end_has_the_engines_scores() -> None:
    for name in ("anu_game_1", "three_players_reduced", "four_players"):
        expected = score(position(name).state)
        for seat in range(position(name).state.config.num_players):
            shown = scene(name, seat=seat)
            assert shown.sheet is not None
            assert shown.sheet.scores == tuple(expected.points[0])
            assert shown.sheet.winners == tuple(np.flatnonzero(expected.winners[0]))


def test_unknown_last_hands_leave_the_sheet_out() -> None:
    at = position("four_players")
    hidden = frozenset(at.state.hand(0, 2)[:2])
    shown = scene_of_state(at.state, unknown=hidden)
    assert shown.sheet is None
    assert (len(shown.seats[2].hand), shown.seats[2].hidden_cards) == (5, 2)
    assert shown.status == "game over after 50 turns"


def test_status() -> None:
    assert scene("anu_game_1", 3).status == "turn 1: seat 0 chooses a cell for C6, deck 32"
    assert scene("anu_game_1", 3, seat=1).status == "turn 1: seat 0 chooses a cell, deck 32"
    assert scene("anu_game_1").status == "game over after 33 turns: 6-16, seat 1 wins"
