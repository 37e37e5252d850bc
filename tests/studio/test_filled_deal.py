"""Deals of which some cards are chosen and the others shuffled."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arboretum_env.config import GameConfig
from arboretum_env.errors import DealError
from arboretum_env.exact_deal import deal_from_options
from arboretum_lab.studio.filled_deal import filled_deal
from tests.studio.desk import Desk


@settings(deadline=None)
@given(players=st.integers(2, 4), discards=st.booleans(), data=st.data())
def test_what_was_chosen_stays_and_every_card_is_dealt_once(
    players: int, discards: bool, data: st.DataObject
) -> None:
    config = GameConfig(num_players=players, starting_discards=discards)
    cards = data.draw(st.permutations([config.card_text(card) for card in range(config.num_cards)]))
    sizes = data.draw(st.lists(st.integers(0, 7), min_size=players, max_size=players))
    left = iter(cards)
    hands = [[next(left) for _ in range(size)] for size in sizes]
    piles = [
        [next(left)] if discards and seat and size > 3 else [] for seat, size in enumerate(sizes)
    ]
    deck = [next(left) for _ in range(data.draw(st.integers(0, 5)))]
    deal = filled_deal(config, hands, deck, piles, seed=data.draw(st.integers(0, 2**53 - 1)))
    for seat in range(players):
        assert deal["hands"][seat][: sizes[seat]] == hands[seat]
        assert len(deal["hands"][seat]) == 7
        assert deal["discards"][seat][: len(piles[seat])] == piles[seat]
        assert len(deal["discards"][seat]) == int(discards and seat > 0)
    assert deal["deck"][: len(deck)] == deck
    dealt = [card for part in (*deal["hands"], *deal["discards"], deal["deck"]) for card in part]
    assert sorted(dealt) == sorted(cards)
    assert deal_from_options(config, deal) is not None


def test_a_number_gives_the_same_deal_again() -> None:
    config = GameConfig()
    first = filled_deal(config, [["C1"]], [], [], 7)
    assert first == filled_deal(config, [["C1"]], [], [], 7)
    assert first != filled_deal(config, [["C1"]], [], [], 8)


@pytest.mark.parametrize(
    ("hands", "deck", "discards", "message"),
    [
        ([["C9"]], [], [], "exact deal: 'C9' is not a card in play"),
        ([["M1"]], [], [], "exact deal: 'M1' is not a card in play"),  # not one of the six species
        ([[], [], ["C1"]], [], [], "hands of 3 seats: expected 2 at most"),
        ([], [], [[], [], []], "discards of 3 seats: expected 2 at most"),
        ([], [f"{s}{r}" for s in "CDJVL" for r in range(1, 9)], [], "the deck is given 40 cards"),
    ],
)
def test_no_deal_is_made_of(
    hands: list[list[str]], deck: list[str], discards: list[list[str]], message: str
) -> None:
    with pytest.raises(DealError, match=f"^{message}"):
        filled_deal(GameConfig(), hands, deck, discards, 0)


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ({"hands": [["C1"], ["C1"]], "deck": []}, "C1 is dealt twice"),
        ({"hands": [["C1"]], "deck": ["C1"]}, "C1 is dealt twice"),
        (
            {"hands": [[f"C{rank}" for rank in range(1, 9)]], "deck": []},
            "hand of seat 0 has 8 cards: expected 7",
        ),
        ({"hands": [], "deck": [], "discards": [[], ["C1"]]}, "starting"),
    ],
)
def test_a_browser_is_told_what_is_wrong(desk: Desk, deal: dict[str, Any], message: str) -> None:
    body = {"players": 2, "seats": ["human", "greedy"], "deal": {**deal, "fill": True}}
    status, code, said = desk.refused("POST", "/games", body)
    assert (status, code) == (422, "invalid")
    assert message in said and "\n" not in said, said


def test_the_hand_that_was_chosen_is_played(desk: Desk) -> None:
    deal = {"hands": [["M7", "W1"]], "deck": ["O8", "P2"], "fill": True}
    options = {"species": "CMWOPD", "deal": deal, "seed": 3}
    state = desk.new_game("human", "random", **options)
    assert {"M7", "W1"} < set(state["hand"]) and len(state["hand"]) == 7
    drawn = desk.move(state, "d", "d")
    assert [event["event"] for event in drawn["log"]] == ["d(O8)", "d(P2)"]
    assert desk.new_game("human", "random", **options)["hand"] == state["hand"]
