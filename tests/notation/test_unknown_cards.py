"""Records noted from one chair: checked as far as they can be, never filled in silently."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arboretum_env.errors import RecordError
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.files import load_record
from arboretum_env.records.record import UNKNOWN, Draw, GameRecord
from arboretum_env.records.replay import positions, replay
from tests.notation.strategies import SOME, cut, one_chair, random_record
from tests.random_games import CONFIGS

GAMES = Path(__file__).parents[1] / "data" / "games"

# 3 species of 3 ranks, hands of 2, deck of 5; seat 0 notes the game.
CHAIR = """[Arboretum "1"]
[Players "2"]
[Species "CDJ"]
[Ranks "3"]
[Hands "C1 C2 / ? ?"]
[Deck "C3 D3 J1 ? ?"]
[Result "*"]

1. d d C1@0,0 xD3
2. p0(D3) d D1@0,0 xD2
"""


def test_two_player_game_from_one_chair_is_checked_to_its_score() -> None:
    game = replay(load_record(GAMES / "one_chair.arb"))
    assert game.sheet is not None
    assert (game.turns, game.sheet.scores, game.sheet.winners) == (33, (6, 16), (1,))
    # Not silently: the result says what was concluded.
    assert game.notes == ("the last hand of seat 1 follows from all other cards",)


def test_revealed_cards_are_taken_from_the_unknown_ones() -> None:
    *_, last = positions(read_arb(CHAIR))
    text = last.state.config.card_text
    assert [text(card) for card in last.state.hand(0, 1)] == ["D3", "J1"]
    # J2, J3 are in the deck or nowhere else, but in which order nobody knows.
    assert {text(card) for card in last.unknown} == {"J2", "J3"}


@pytest.mark.parametrize(
    ("old", "new", "line", "token", "reason"),
    [
        # The rival's hand is two unknown cards and what it draws; the rest is known elsewhere.
        ("D1@0,0 xD2", "C2@0,0 xD2", 10, "C2@0,0", "C2 is not in seat 1's hand"),
        ("D1@0,0 xD2", "C1@0,0 xD2", 10, "C1@0,0", "C1 is not in seat 1's hand"),
        ("d C1@0,0 xD3", "d J2@0,0 xD3", 9, "J2@0,0", "J2 is not in seat 0's hand"),
        ("p0(D3)", "p0(J3)", 10, "p0(J3)", "top of seat 0's discard pile is D3"),
    ],
)
def test_moves_are_checked_against_what_is_known(
    old: str, new: str, line: int, token: str, reason: str
) -> None:
    assert CHAIR.count(old) == 1
    with pytest.raises(RecordError) as caught:
        replay(read_arb(CHAIR.replace(old, new)))
    assert (caught.value.line, caught.value.token) == (line, token)
    assert reason in caught.value.reason


def test_more_cards_than_the_unknown_ones_cannot_be_revealed() -> None:
    # Both unknown cards have come to the table, so a third one cannot come out of that hand.
    longer = CHAIR + "3. p1(D2) d D2@0,1 xC2\n4. p0(C2) d J3@1,0 xJ2\n"
    with pytest.raises(RecordError) as caught:
        replay(read_arb(longer))
    # J2 or J3 may be the card drawn in turn 4; the other one is not in hand.
    assert caught.value.token == "xJ2"
    assert caught.value.reason == "turn 4: J2 is not in seat 1's hand"


def test_question_mark_is_a_draw_from_the_deck_that_was_not_seen() -> None:
    record = read_arb(CHAIR.replace("p0(D3) d", "p0(D3) ?"))
    assert record.turns[1].draws[1] == Draw(seen=False)
    assert replay(record).turns == 2


def test_discards_are_never_unknown() -> None:
    text = CHAIR.replace('[Hands "C1 C2 / ? ?"]', '[StartingDiscards "1"] [Hands "C1 C2 / ? ?"]')
    text = text.replace('[Deck "C3 ', '[Discards "- / ?"] [Deck "')
    with pytest.raises(RecordError, match="a starting discard lies face up"):
        read_arb(text)


def test_unknown_last_hands_of_two_rivals_leave_the_result_open() -> None:
    record = load_record(GAMES / "four_players.arb")
    chair = one_chair(record, 1)
    game = replay(chair)
    assert game.finished and game.sheet is None
    assert game.notes == ("unknown cards in the last hands: the result was only checked for sense",)
    # Seat 0's best paths give 2 + 2 + 9 + 3, so 4 or 17 cannot be its score, but 5 can.
    for claimed, possible in ((4, True), (16, True), (17, False), (1, False), (6, False)):
        other = replace(chair, result=(claimed, 0, 0, 0), winners=None)
        if possible:
            assert replay(other).sheet is None
        else:
            with pytest.raises(RecordError, match=f"no best paths of seat 0 add up to {claimed}"):
                replay(other)
    # Winners follow from points and the planted species, which all can see.
    with pytest.raises(RecordError, match="false Winners"):
        replay(replace(chair, winners=(0,)))


@SOME
@given(st.sampled_from(sorted(CONFIGS)), st.integers(0, 30), st.data())
def test_one_chair_of_any_game_replays_to_the_same_table(
    name: str, seed: int, data: st.DataObject
) -> None:
    whole = cut(random_record(name, seed), data.draw(st.integers(0, 300)))
    seat = data.draw(st.integers(0, whole.config.num_players - 1))
    chair = one_chair(whole, seat)
    for seen, truth in zip(positions(chair), positions(whole), strict=True):
        assert seen.actions == truth.actions
        for other in range(whole.config.num_players):
            assert seen.state.arboretum(0, other) == truth.state.arboretum(0, other)
            assert seen.state.discard_pile(0, other) == truth.state.discard_pile(0, other)
            known = set(seen.state.hand(0, other)) - seen.unknown
            assert known <= set(truth.state.hand(0, other))
        # The note-taker's own hand is known.
        assert seen.state.hand(0, seat) == truth.state.hand(0, seat)
        assert not seen.unknown.intersection(seen.state.hand(0, seat))


@SOME
@given(st.sampled_from(sorted(CONFIGS)), st.integers(0, 30), st.data())
def test_unknown_means_neither_in_the_deal_nor_shown(
    name: str, seed: int, data: st.DataObject
) -> None:
    whole = random_record(name, seed)
    record = _forget(whole, data)
    noted = {card for cards in (*record.hands, record.deck, *record.discards) for card in cards}
    for position in positions(record):
        state = position.state
        public = {
            card
            for seat in range(record.config.num_players)
            for card in (
                *state.discard_pile(0, seat),
                *(card for _, _, card in state.arboretum(0, seat)),
                *state.known_in_hand(0, seat),
            )
        }
        every = set(range(record.config.num_cards))
        hidden = every - noted - public
        assert position.unknown == (frozenset() if position.deduced is not None else hidden)


def _forget(record: GameRecord, data: st.DataObject) -> GameRecord:
    """The record with any cards of hands and deck replaced by ``?``."""
    keep = data.draw(st.sets(st.integers(0, record.config.num_cards - 1)))

    def mask(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card if card in keep else UNKNOWN for card in cards)

    return replace(record, hands=tuple(map(mask, record.hands)), deck=mask(record.deck))
