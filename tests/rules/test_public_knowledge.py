"""docs/rules.md, A turn, public: a card taken from a pile is known until it leaves the hand."""

import numpy as np

from arboretum_env.observation import observe
from tests.engine_game import EngineGame
from tests.reference import Options, ReferenceGame
from tests.reference_observation import observation
from tests.table import Game, NewGame, play

OPTIONS = Options(num_players=2, species="CDJ", num_ranks=4, hand_size=2)
HANDS = [["C1", "C2"], ["C3", "C4"]]
DECK = ["D1", "D2", "D3", "D4", "J1", "J2", "J3", "J4"]


def begin(new_game: NewGame) -> Game:
    return new_game(OPTIONS, HANDS, DECK)


def test_a_deck_draw_is_nobodys_business(new_game: NewGame) -> None:
    game = begin(new_game)
    play(game, "d d")
    assert game.known == [set(), set()]


def test_a_card_from_a_pile_is_known(new_game: NewGame) -> None:
    game = begin(new_game)
    play(game, "d d D1@0,0 xD2 p0")
    assert game.known == [set(), {"D2"}]


def test_it_stays_known_over_later_turns(new_game: NewGame) -> None:
    game = begin(new_game)
    play(game, "d d D1@0,0 xD2 p0 d C3@0,0 xC4 d d D4@1,0 xJ1")
    assert game.known == [set(), {"D2"}]


def test_it_stays_known_while_chosen(new_game: NewGame) -> None:
    game = begin(new_game)
    play(game, "d d D1@0,0 xD2 p0 d")
    game.apply(("play", "D2"))
    assert game.known == [set(), {"D2"}]


def test_planting_it_ends_that(new_game: NewGame) -> None:
    game = begin(new_game)
    play(game, "d d D1@0,0 xD2 p0 d D2@0,0")
    assert game.known == [set(), set()]


def test_discarding_it_ends_that_and_it_may_be_taken_again(new_game: NewGame) -> None:
    game = begin(new_game)
    play(game, "d d D1@0,0 xD2 p0 d C3@0,0 xD2")
    assert game.known == [set(), set()]
    game.apply(("pile", 1))
    assert game.known == [{"D2"}, set()]


def test_a_card_taken_back_from_the_own_pile_is_known(new_game: NewGame) -> None:
    game = begin(new_game)
    play(game, "d d D1@0,0 xC1 d d D3@0,0 xD4 p0 p1")
    assert game.known == [{"C1", "D4"}, set()]


def row(numbers: list[int], card: str) -> list[int]:
    """The four numbers of one card."""
    start = 4 * OPTIONS.cards.index(card)
    return numbers[start : start + 4]


def test_observation_by_hand() -> None:
    """Literal rows of both seats, in the middle of a turn with a chosen card."""
    game, engine = ReferenceGame(OPTIONS, HANDS, DECK), EngineGame(OPTIONS, HANDS, DECK)
    for either in (game, engine):
        play(either, "d d C1@0,0 xC2 d d C3@0,0 xC4 d p0 D1@0,-1 xD2 p1 d")
        either.apply(("play", "C4"))
    for seat, literal in {
        0: {
            "C1": [10, 0, 0, 0],
            "C2": [2, -1, 0, 0],  # own, and taken back from the own pile
            "C3": [11, 0, 0, 0],
            "C4": [3, -1, 0, 0],  # the rival took it from a pile; chosen, but not placed
            "D1": [10, 1, 0, -1],
            "D2": [6, 0, 0, 0],
            "D3": [0, -1, 0, 0],
            "J1": [1, -1, 0, 0],
            "J3": [0, -1, 0, 0],
        },
        1: {
            "C1": [11, 0, 0, 0],
            "C2": [3, -1, 0, 0],
            "C3": [10, 0, 0, 0],
            "C4": [2, -1, 0, 0],
            "D1": [11, 1, 0, -1],
            "D2": [7, 0, 0, 0],
            "D3": [1, -1, 0, 0],
            "J1": [0, -1, 0, 0],
            "J3": [0, -1, 0, 0],
        },
    }.items():
        expected = observation(game, seat)
        assert expected == observe(engine.state, np.array([seat]))[0].tolist()
        for card, numbers in literal.items():
            assert row(expected, card) == numbers, (seat, card)
    tail = 4 * 12
    # mover, seat, phase PLACE, deck size, turn, chosen card, options.
    assert observation(game, 0)[tail:] == [1, 0, 3, 2, 3, -1, 0, 1, 0]
    assert observation(game, 1)[tail:] == [0, 1, 3, 2, 3, 3, 0, 1, 0]


def test_order_counts_down_a_pile_and_up_an_arboretum() -> None:
    game, engine = ReferenceGame(OPTIONS, HANDS, DECK), EngineGame(OPTIONS, HANDS, DECK)
    for either in (game, engine):
        play(either, "d d C1@0,0 xC2 d d C3@0,0 xC4 d d D1@0,-1 xD2")
    for seat, pile, arboretum in ((0, 6, 10), (1, 7, 11)):
        expected = observation(game, seat)
        assert expected == observe(engine.state, np.array([seat]))[0].tolist()
        assert row(expected, "D2") == [pile, 0, 0, 0]  # on top
        assert row(expected, "C2") == [pile, 1, 0, 0]
        assert row(expected, "C1") == [arboretum, 0, 0, 0]
        assert row(expected, "D1") == [arboretum, 1, 0, -1]
