"""A whole recorded game, move by move: published legal sources, legal cells, hands, final score."""

from typing import Any

import pytest

from tests import cases
from tests.reference import Action, Options
from tests.table import Game, NewGame

GAMES = cases.recorded_games()
SEATS = {"A": 0, "B": 1}


def by_id(games: list[dict[str, Any]]) -> Any:
    """Parametrize over recorded games."""
    return pytest.mark.parametrize("recorded", games, ids=[game["id"] for game in games])


def begin(recorded: dict[str, Any], new_game: NewGame) -> Game:
    """The game as it was dealt."""
    species = "".join(cases.LETTERS[name] for name in recorded["species"])
    return new_game(
        Options(species=species),
        [cases.cards(recorded["initial_hands"][player]) for player in "AB"],
        cases.cards(recorded["deck_draw_order"]),
        [cases.cards(recorded["initial_discards"][player]) for player in "AB"],
    )


def source(name: str) -> Action:
    """``"deck"`` or ``"discard_B"``."""
    return ("deck",) if name == "deck" else ("pile", SEATS[name.removeprefix("discard_")])


def draw(game: Game, published: dict[str, Any]) -> None:
    """One published draw: what was legal, what was left, what was drawn."""
    assert len(game.deck) == published["deck_left_before"]
    assert game.legal() == {source(name) for name in published["legal_sources"]}
    before = set(game.hands[game.mover])
    game.apply(source(published["from"]))
    assert set(game.hands[game.mover]) - before == {cases.card(published["card"])}


def test_the_file_holds_one_game() -> None:
    assert [game["id"] for game in GAMES] == ["anu-game-1"]


@by_id(GAMES)
def test_move_by_move(recorded: dict[str, Any], new_game: NewGame) -> None:
    game = begin(recorded, new_game)
    for number, turn in enumerate(recorded["turns"]):
        assert not game.over
        seat = SEATS[turn["player"]]
        assert (game.turn, game.mover) == (number, seat)
        for published in turn["draws"]:
            draw(game, published)
        hand = cases.cards(turn["hand_before_play"])
        assert sorted(game.hands[seat]) == sorted(hand)
        assert game.legal() == {("play", card) for card in hand}
        x, y, *played = turn["play"]
        game.apply(("play", cases.card(played)))
        assert game.legal() == {("place", (x, y)) for x, y in turn["legal_cells"]}
        game.apply(("place", (x, y)))
        hand.remove(cases.card(played))
        assert game.legal() == {("discard", card) for card in hand}
        game.apply(("discard", cases.card(turn["discard"])))
    assert game.over
    assert game.legal() == set()
    assert game.turn == recorded["facts"]["turns"] == 33


@by_id(GAMES)
def test_final_position_and_score(recorded: dict[str, Any], new_game: NewGame) -> None:
    game = begin(recorded, new_game)
    for turn in recorded["turns"]:
        for published in turn["draws"]:
            game.apply(source(published["from"]))
        x, y, *played = turn["play"]
        game.apply(("play", cases.card(played)))
        game.apply(("place", (x, y)))
        game.apply(("discard", cases.card(turn["discard"])))
    final = recorded["final"]
    for player, seat in SEATS.items():
        assert sorted(game.hands[seat]) == sorted(cases.cards(final["hands"][player]))
        assert game.discards[seat] == cases.cards(final["discards_bottom_to_top"][player])
        arboretum = cases.arboretum(final["layout"][player])
        assert list(game.arboreta[seat].items()) == list(arboretum.items())
    assert game.deck == []
    (board,) = (c for c in cases.scored_examples("full_board") if c["id"] == "anu-01")
    assert board["id"] == final["scored_as"].split()[0]
    result = game.score()
    assert result.totals == [board["expected"]["totals"][player] for player in "AB"] == [6, 16]
    assert result.winners == [1]
    for player, seat in SEATS.items():
        for name, published in board["expected"]["per_species"][player].items():
            entry = result.species[seat][cases.LETTERS[name]]
            assert (entry.right, entry.points) == (published["right"], published["points"])
