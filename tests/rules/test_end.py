"""docs/rules.md, The end: an empty deck, the turn finished, no extra round."""

import pytest

from tests.reference import Options
from tests.table import Game, NewGame, play, refuses

# Six cards, hands of one: the deck holds four.
TINY = Options(num_players=2, species="CD", num_ranks=3, hand_size=1)


def tiny_game(new_game: NewGame) -> Game:
    return new_game(TINY, [["C1"], ["C2"]], ["C3", "D1", "D2", "D3"])


def test_last_card_as_the_second_draw(new_game: NewGame) -> None:
    game = tiny_game(new_game)
    play(game, "d d C1@0,0 xC3 d d")
    assert game.deck == []
    assert (game.over, game.phase) == (False, "play")
    play(game, "D2@0,0")
    assert (game.over, game.phase) == (False, "discard")
    play(game, "xC2")
    assert (game.over, game.phase, game.turn) == (True, "over", 2)
    assert game.legal() == set()
    # One turn each: no extra round for anybody.
    assert [len(hand) for hand in game.hands] == [1, 1]


def test_last_card_as_the_first_draw_forces_a_pile(new_game: NewGame) -> None:
    game = tiny_game(new_game)
    play(game, "d d C1@0,0 xC3 p0 d C2@0,0 xC3 d")
    assert game.deck == []
    assert game.phase == "draw_second"
    assert game.legal() == {("pile", 1)}
    assert refuses(game, ("deck",))
    play(game, "p1 D3@1,0 xC3")
    assert game.over
    assert game.turn == 3


def test_both_piles_are_open_after_the_deck_is_empty(new_game: NewGame) -> None:
    game = new_game(
        Options(2, "CDJ", 3, 1), [["C1"], ["C2"]], ["C3", "D1", "D2", "D3", "J1", "J2", "J3"]
    )
    play(game, "d d C1@0,0 xC3 d d C2@0,0 xD2 d d D1@1,0 xJ1 d")
    assert game.deck == []
    assert game.legal() == {("pile", 0), ("pile", 1)}


def test_the_seat_that_empties_the_deck_may_be_any(new_game: NewGame) -> None:
    options = Options(3, "CD", 3, 1, starting_discards=False)
    game = new_game(options, [["C1"], ["C2"], ["C3"]], ["D1", "D2", "D3"])
    play(game, "d d D1@0,0 xD2")
    assert (game.over, game.turn) == (False, 1)
    play(game, "p0 d D2@0,0 xC2")
    assert (game.over, game.turn) == (True, 2)  # the third seat never moves
    assert game.arboreta[2] == {}
    assert len(game.hands[2]) == 1


def test_a_game_that_is_over_takes_no_action(new_game: NewGame) -> None:
    game = tiny_game(new_game)
    play(game, "d d C1@0,0 xC3 d d D2@0,0 xC2")
    for action in [("deck",), ("pile", 0), ("pile", 1), ("play", "D1"), ("discard", "D1")]:
        assert refuses(game, action)


def test_longest_game_draws_one_card_of_the_deck_a_turn(new_game: NewGame) -> None:
    """Deck 4 after hands of one: at most 4 - 1 = 3 turns, the first two draws are forced."""
    game = tiny_game(new_game)
    play(game, "d d C1@0,0 xC3")
    play(game, "p0 d C2@0,0 xC3")
    play(game, "p1 d C3@1,0 xD1")
    assert game.over
    assert game.turn == 3


def test_scores_of_a_whole_tiny_game(new_game: NewGame) -> None:
    game = tiny_game(new_game)
    play(game, "d d C1@0,0 xD1 p0 d C2@0,0 xD1 d p1 C3@1,0 xD3")
    # Seat 0 holds D1 and planted C1 C3 (top rank): 2 + 1 + 2 = 5, C is held by nobody.
    # Seat 1 holds D2 and planted C2.
    assert game.hands == [["D1"], ["D2"]]
    result = game.score()
    assert result.totals == [5, 0]
    assert result.winners == [0]
    assert [account["D"].right for account in result.species] == [False, True]
    assert [account["C"].right for account in result.species] == [True, True]


LAST = Options(num_players=2, species="CDJ", num_ranks=3, hand_size=1)
LAST_DEAL = ([["C1"], ["D1"]], ["C3", "J1", "D3", "J2", "J3", "D2", "C2"])


@pytest.mark.parametrize(
    ("discard", "totals", "winners"),
    [
        # Seat 1 keeps C2: seat 0's C1 C3 (2 + 1 + 2 = 5) is denied, and nobody holds a D.
        ("D2", [0, 5], [1]),
        # Seat 1 keeps D2: nobody holds a C, and both score 5 with one species planted.
        ("C2", [5, 5], [0, 1]),
    ],
)
def test_the_very_last_decision_may_win(
    discard: str, totals: list[int], winners: list[int], new_game: NewGame
) -> None:
    game = new_game(LAST, *LAST_DEAL)
    play(game, "d d C1@0,0 xJ1 d d D1@0,0 xJ2 d d C3@1,0 xD2 d p0 D3@1,0")
    assert not game.over
    game.apply(("discard", discard))
    assert game.over
    assert (game.score().totals, game.score().winners) == (totals, winners)
