"""docs/rules.md, Setup: cards, species in play, deal, starting discards."""

from typing import Any

import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact
from arboretum_env.errors import CardError, DealError
from tests.engine_game import config_of
from tests.reference import Options, ReferenceGame
from tests.table import NewGame

SPECIES = {2: "CDJVLG", 3: "CDJVLGMP", 4: "CDJVLGMPOW"}


@pytest.mark.parametrize(("players", "pack", "deck"), [(2, 48, 34), (3, 64, 43), (4, 80, 52)])
def test_sizes(players: int, pack: int, deck: int, new_game: NewGame) -> None:
    options = Options(num_players=players, species=SPECIES[players])
    cards = options.cards
    assert len(set(cards)) == pack
    dealt = ReferenceGame.from_shuffle(options, cards)
    game = new_game(options, dealt.hands, dealt.deck)
    assert [len(hand) for hand in game.hands] == [7] * players
    assert len(game.deck) == deck
    assert game.discards == [[]] * players
    assert game.arboreta == [{}] * players
    assert (game.turn, game.mover, game.phase, game.over) == (0, 0, "draw_first", False)
    config = config_of(options)
    assert (config.num_cards, config.deck_size) == (pack, deck)
    assert config.species == SPECIES[players] == type(config)(num_players=players).species


@pytest.mark.parametrize(("players", "deck"), [(2, 33), (3, 41), (4, 49)])
def test_starting_discards(players: int, deck: int, new_game: NewGame) -> None:
    options = Options(num_players=players, species=SPECIES[players], starting_discards=True)
    cards = options.cards
    dealt = ReferenceGame.from_shuffle(options, cards)
    after_hands = cards[7 * players :]
    # Every player but the first, in seat order.
    expected = [[], *([card] for card in after_hands[: players - 1])]
    assert dealt.discards == expected
    game = new_game(options, dealt.hands, dealt.deck, dealt.discards)
    assert game.discards == expected
    assert game.deck == after_hands[players - 1 :]
    assert len(game.deck) == config_of(options).deck_size == deck


def test_starting_discards_can_be_drawn_on_the_first_turn(new_game: NewGame) -> None:
    options = Options(3, "CDJ", 4, 1, starting_discards=True)
    deck = ["C4", "D2", "D3", "D4", "J1", "J2", "J3"]
    game = new_game(options, [["C1"], ["C2"], ["C3"]], deck, [[], ["D1"], ["J4"]])
    assert game.legal() == {("deck",), ("pile", 1), ("pile", 2)}
    game.apply(("pile", 2))
    assert sorted(game.hands[0]) == ["C1", "J4"]
    assert game.known == [{"J4"}, set(), set()]
    assert game.legal() == {("deck",), ("pile", 1)}


def test_without_them_the_first_turn_draws_from_the_deck(new_game: NewGame) -> None:
    options = Options(2, "CD", 3, 1)
    game = new_game(options, [["C1"], ["C2"]], ["C3", "D1", "D2", "D3"])
    assert game.legal() == {("deck",)}
    game.apply(("deck",))
    assert game.legal() == {("deck",)}


TINY: dict[str, Any] = {
    "hands": [["C1"], ["C2"]],
    "deck": ["D1", "D2", "D3"],
    "discards": [[], ["C3"]],
}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"hands": [["C1"]]}, "1 hands and 2 discard piles: expected 2 of each"),
        ({"hands": [["C1"], ["C2", "D1"]]}, "hand of seat 1 has 2 cards: expected 1"),
        ({"hands": [["C1"], ["C1"]]}, "C1 is dealt twice"),
        ({"deck": ["D1", "D2"]}, "deck of 2 cards: expected 3"),
        ({"deck": ["D1", "D2", "C3"]}, "C3 is dealt twice"),
        ({"discards": [["C3"], []]}, "discard pile of seat 0 starts with 1 cards: expected 0"),
        ({"discards": [[], []]}, "discard pile of seat 1 starts with 0 cards: expected 1"),
        ({"discards": None}, "discard pile of seat 1 starts with 0 cards: expected 1"),
    ],
)
def test_impossible_exact_deals_are_refused(change: dict[str, Any], told: str) -> None:
    config = GameConfig(species=2, num_ranks=3, hand_size=1, starting_discards=True)
    deal_exact(config, **TINY)
    with pytest.raises(DealError) as raised:
        deal_exact(config, **TINY | change)
    assert told in str(raised.value)


@pytest.mark.parametrize("card", ["C4", "M1", "c1", "C", "C12", "", 6, -1])
def test_cards_that_are_not_in_play_are_refused(card: str | int) -> None:
    config = GameConfig(species=2, num_ranks=3, hand_size=1, starting_discards=True)
    with pytest.raises(CardError):
        deal_exact(config, [[card], ["C2"]], TINY["deck"], TINY["discards"])
