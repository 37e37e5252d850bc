"""docs/rules.md, A turn: draw, play, discard, and what is public."""

import pytest

from tests.reference import Action, Options
from tests.table import Game, NewGame, play, refuses

# Twelve cards: hands of two, a deck of eight.
SMALL = Options(num_players=2, species="CDJ", num_ranks=4, hand_size=2)


def small_game(new_game: NewGame) -> Game:
    """Seat 0 holds C1 C2, seat 1 C3 C4; the deck brings D1 D2 D3 D4 J1 J2 J3 J4."""
    deck = ["D1", "D2", "D3", "D4", "J1", "J2", "J3", "J4"]
    return new_game(SMALL, [["C1", "C2"], ["C3", "C4"]], deck)


def test_first_card_is_seen_before_the_second_draw(new_game: NewGame) -> None:
    game = small_game(new_game)
    game.apply(("deck",))
    assert (game.phase, game.mover) == ("draw_second", 0)
    assert sorted(game.hands[0]) == ["C1", "C2", "D1"]
    assert game.deck[0] == "D2"


def test_hand_grows_by_two_and_gives_two_back(new_game: NewGame) -> None:
    game = small_game(new_game)
    sizes = [len(game.hands[0])]
    steps: list[Action] = [("deck",), ("deck",), ("play", "C2"), ("place", (0, 0))]
    for action in [*steps, ("discard", "C1")]:
        game.apply(action)
        sizes.append(len(game.hands[0]))
    # A chosen card stays in the hand until it is placed.
    assert sizes == [2, 3, 4, 4, 3, 2]
    assert (game.mover, game.turn, game.phase) == (1, 1, "draw_first")


def test_any_pile_may_be_drawn_from_the_own_included(new_game: NewGame) -> None:
    game = small_game(new_game)
    play(game, "d d C1@0,0 xC2")
    play(game, "d d C3@0,0 xC4")
    assert game.legal() == {("deck",), ("pile", 0), ("pile", 1)}
    play(game, "p0 p1")
    assert sorted(game.hands[0]) == ["C2", "C4", "D1", "D2"]
    assert game.discards == [[], []]


def test_both_draws_from_one_pile_uncover_the_card_beneath(new_game: NewGame) -> None:
    game = small_game(new_game)
    play(game, "d d D1@0,0 xD2")
    play(game, "d d C3@0,0 xC4")
    play(game, "d d J1@1,0 xJ2")
    assert game.discards == [["D2", "J2"], ["C4"]]
    game.apply(("pile", 0))
    assert game.discards[0] == ["D2"]
    game.apply(("pile", 0))
    assert sorted(game.hands[1]) == ["D2", "D3", "D4", "J2"]
    assert game.discards[0] == []


def test_an_emptied_pile_cannot_be_drawn_from(new_game: NewGame) -> None:
    game = small_game(new_game)
    play(game, "d d D1@0,0 xD2")
    game.apply(("pile", 0))
    assert game.legal() == {("deck",)}
    assert refuses(game, ("pile", 0))


def test_only_hand_cards_can_be_planted(new_game: NewGame) -> None:
    game = small_game(new_game)
    play(game, "d d")
    assert game.legal() == {("play", card) for card in ("C1", "C2", "D1", "D2")}


def test_first_card_has_one_cell_and_later_ones_the_orthogonal_neighbours(
    new_game: NewGame,
) -> None:
    game = small_game(new_game)
    play(game, "d d")
    game.apply(("play", "C1"))
    assert game.legal() == {("place", (0, 0))}
    game.apply(("place", (0, 0)))
    play(game, "xC2 d d C3@0,0 xC4 d d")
    game.apply(("play", "D1"))
    assert game.legal() == {("place", cell) for cell in [(1, 0), (-1, 0), (0, 1), (0, -1)]}


def test_no_card_is_covered_and_corners_do_not_touch(new_game: NewGame) -> None:
    game = small_game(new_game)
    play(game, "d d C1@0,0 xC2 d d C3@0,0 xC4 d p0 D1@0,1 xC2")
    assert list(game.arboreta[0].items()) == [((0, 0), "C1"), ((0, 1), "D1")]
    play(game, "p0 p1 C2@1,0 xC4 d p1")
    game.apply(("play", "C4"))
    #   . x .
    #   x D x
    #   x C x
    #   . x .
    cells = [(0, 2), (-1, 1), (1, 1), (-1, 0), (1, 0), (0, -1)]
    assert game.legal() == {("place", cell) for cell in cells}
    for cell in [(0, 0), (0, 1), (1, 2), (-1, -1), (0, 3)]:
        assert refuses(game, ("place", cell))


def test_planted_cards_stay_where_they_are(new_game: NewGame) -> None:
    game = small_game(new_game)
    play(game, "d d C1@0,0 xC2 d d C3@0,0 xC4 d p0 D1@0,1 xC2")
    before = dict(game.arboreta[0])
    play(game, "p0 p1 C2@1,0 xC4 d p1 C4@-1,1 xD2")
    assert game.arboreta[0] == before | {(-1, 1): "C4"}
    assert game.arboreta[1] == {(0, 0): "C3", (1, 0): "C2"}


@pytest.mark.parametrize("discard", ["C1", "C2", "D2"])
def test_any_card_left_may_be_discarded_also_one_just_drawn(
    discard: str, new_game: NewGame
) -> None:
    game = small_game(new_game)
    play(game, "d d D1@0,0")
    assert game.legal() == {("discard", card) for card in ("C1", "C2", "D2")}
    game.apply(("discard", discard))
    assert game.discards == [[discard], []]


def test_a_card_just_taken_from_a_pile_may_go_back(new_game: NewGame) -> None:
    game = small_game(new_game)
    play(game, "d d D1@0,0 xD2 p0 d C3@0,0")
    assert ("discard", "D2") in game.legal()
    game.apply(("discard", "D2"))
    assert game.discards == [[], ["D2"]]


def test_the_planted_card_cannot_be_discarded(new_game: NewGame) -> None:
    game = small_game(new_game)
    play(game, "d d D1@0,0")
    assert refuses(game, ("discard", "D1"))


def test_turns_pass_in_seat_order(new_game: NewGame) -> None:
    options = Options(num_players=3, species="CDJ", num_ranks=4, hand_size=1)
    deck = ["C4", "D1", "D2", "D3", "D4", "J1", "J2", "J3", "J4"]
    game = new_game(options, [["C1"], ["C2"], ["C3"]], deck)
    movers = []
    for text in ("d d C1@0,0 xC4", "d d C2@0,0 xD2", "d d C3@0,0 xD4"):
        movers.append(game.mover)
        play(game, text)
    assert movers == [0, 1, 2]
    assert (game.mover, game.turn) == (0, 3)
