"""A game noted from one chair: the same knowledge as in the whole game, and no card made up."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arboretum_env.errors import ArboretumError, RecordError
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.record import DECK, UNKNOWN, GameRecord
from arboretum_env.records.replay import replay
from arboretum_lab.puzzles.games import decisions
from arboretum_lab.studio.chair import begin, chairs, moment, note, take_back
from arboretum_lab.studio.chair_payload import moment_json
from arboretum_lab.studio.table import table_json
from tests.studio.desk import Desk, open_studio

GAMES = Path(__file__).parents[1] / "data" / "games"
WHOLE = read_arb((GAMES / "three_players_reduced.arb").read_text("utf-8"))


def events(record: GameRecord, seat: int) -> Iterator[str]:
    """A whole game's events as somebody in a seat notes them."""
    text = record.config.card_text
    deck = iter(record.deck)
    for number, turn in enumerate(record.turns):
        own = number % record.config.num_players == seat
        for draw in turn.draws:
            if draw.pile == DECK:
                card = next(deck)
                yield f"d({text(card)})" if own else "?"
            else:
                yield f"p{draw.pile}"
        assert turn.card is not None and turn.cell is not None and turn.discard is not None
        yield f"{text(turn.card)}@{turn.cell[0]},{turn.cell[1]}"
        yield f"x{text(turn.discard)}"


def started(record: GameRecord, seat: int) -> GameRecord:
    return begin(record.config, seat, record.hands[seat], record.discards, record.seats)


@pytest.mark.parametrize("seat", range(3))
def test_the_seat_knows_what_it_knows_in_the_whole_game(seat: int) -> None:
    noted = started(WHOLE, seat)
    to_come = events(WHOLE, seat)
    for view, _ in decisions(WHOLE):
        if view.phase.name == "PLACE":
            continue  # card and cell are noted as one event
        now = moment(noted, seat)
        if view.mover == seat:
            assert now.view == view
            shown = moment_json(now)
            expected = table_json(view, WHOLE.seats)
            same = expected.keys() - {"boards"}
            assert {key: shown[key] for key in same} == {key: expected[key] for key in same}
        before = noted
        noted = note(noted, seat, next(to_come))
        assert take_back(noted) == before
    assert next(to_come, None) is None
    assert chairs(noted) == [seat]
    # Whether it can be scored depends on what came to light; it never is by made-up cards.
    checked = replay(noted)
    assert checked.finished
    assert noted.result in (None, WHOLE.result)
    assert (checked.sheet is None) == (noted.result is None)
    assert read_arb(write_arb(noted)) == noted


def test_no_unknown_card_is_shown_at_the_end() -> None:
    noted = started(WHOLE, 0)
    for event in events(WHOLE, 0):
        noted = note(noted, 0, event)
    now = moment(noted, 0)
    assert now.position.unknown  # two rivals' hands stay closed
    shown = moment_json(now)
    text = WHOLE.config.card_text
    hands = {card for hand in shown["known"] for card in hand}
    assert not hands & set(map(text, now.position.unknown))
    assert shown["sheet"] is None and shown["over"] and shown["choices"]["cards"] == []


def two_players() -> GameRecord:
    """A game of two species between two, a turn of each noted by seat 0."""
    config = WHOLE.config.model_copy(
        update={
            "num_players": 2,
            "species": "CD",
            "num_ranks": 8,
            "hand_size": 3,
            "starting_discards": False,
        }
    )
    record = begin(config, 0, [config.parse_card(card) for card in ("C1", "C8", "D3")])
    for event in ("d(C5)", "d(D8)", "C1@0,0", "xC8", "?", "p0", "D1@0,0", "xD2"):
        record = note(record, 0, event)
    return record


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ("d", "which card was it?"),
        ("?", "which card was it?"),
        ("d(C5)", "Cassia 5 is in your hand"),
        ("d(C1)", "Cassia 1 is in seat 0's arboretum"),
        ("d(C8)", "Cassia 8 is in seat 1's hand, taken from a pile"),
        ("d(D2)", "Dogwood 2 is on seat 1's pile"),
        ("d(M1)", "not a card in play"),
        ("p0", "seat 0 has no discard pile"),
        ("p7", "seat 7 has no discard pile"),
        ("C5@0,1", "expected a draw"),
    ],
)
def test_draws_that_cannot_be(event: str, words: str) -> None:
    with pytest.raises(ArboretumError, match=re.escape(words)):
        note(two_players(), 0, event)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ("d(C6)", "a card that seat 1 draws from the deck is not seen"),
        ("C6@5,5", "expected a draw"),
    ],
)
def test_a_rival_draws_unseen(event: str, words: str) -> None:
    record = two_players()
    for own in ("d(D7)", "p1", "D2@1,0", "xD3"):
        record = note(record, 0, own)
    with pytest.raises(RecordError, match=re.escape(words)):
        note(record, 0, event)
    drawn = note(note(record, 0, "?"), 0, "?")
    for event, words in (
        ("C5@1,0", "Cassia 5 is in your hand"),
        ("C6@5,5", "not next to any card"),
        ("xC6", "expected a plant"),
    ):
        with pytest.raises(RecordError, match=words):
            note(drawn, 0, event)
    assert moment(note(drawn, 0, "C8@1,0"), 0).view.arboreta[1][-1][:2] == (1, 0)


def test_own_cards_must_be_noted() -> None:
    noted = two_players()
    with pytest.raises(RecordError, match="cards that seat 1 held or drew were not noted"):
        moment(noted, 1)
    blind = replace(noted, deck=(UNKNOWN,) * len(noted.deck))
    with pytest.raises(RecordError, match="were not noted"):
        moment(blind, 0)
    finished = read_arb((GAMES / "one_chair.arb").read_text("utf-8"))
    assert moment(finished, 0).view.hand and replay(finished).sheet is not None
    with pytest.raises(RecordError, match="were not noted"):
        moment(finished, 1)  # its last hand is known, but not what it drew before
    with pytest.raises(RecordError, match="nothing has been noted"):
        take_back(started(WHOLE, 1))


def test_over_http(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        table = {"players": 2, "seat": 1, "species": "CDJVLG", "names": ["Ann", "me"]}
        hand = ["C1", "C2", "D3", "D4", "J5", "V6", "G8"]
        state = desk.call("POST", "/chair/new", {**table, "hand": hand})
        assert state["hand"] == hand and state["deck"] == 34 and state["choices"]["deck"]
        assert state["choices"]["cards"] == [] and state["mover"] == 0
        for event in ("?", "?", "L1@0,0", "xL2"):
            state = desk.call("POST", "/chair/note", {"arb": state["arb"], "event": event})
        assert len(state["unseen"]) == 48 - 7 - 2 == len(state["choices"]["cards"])
        asked = desk.call("POST", "/chair/advice", {"arb": state["arb"], "spec": "greedy"})
        assert asked["move"] in ("d", "p0(L2)") and asked["explanation"]
        rights = desk.call("POST", "/chair/rights", {"arb": state["arb"]})
        assert [row["known_sum"] for row in rights["C"]] == [0, 3]
        assert rights["C"][1]["right"]["source"] == "exact"
        for event in ("p0", "d(L8)"):
            state = desk.call("POST", "/chair/note", {"arb": state["arb"], "event": event})
        assert 'class="cell"' in state["boards"][1] and 'class="cell"' not in state["boards"][0]
        undone = desk.call("POST", "/chair/undo", {"arb": state["arb"]})
        assert undone["phase"] == "draw_second" and "L8" not in undone["arb"]
        assert desk.call("POST", "/chair/read", {"arb": state["arb"]}) == state
        for path, body, words in (
            ("new", {**table, "hand": hand[:6]}, "6 cards, expected 7"),
            ("note", {"arb": state["arb"], "event": "xL1"}, "expected a plant"),
            ("read", {"arb": "nonsense"}, "no [Arboretum"),
            ("read", {"arb": write_arb(WHOLE)}, "3 seats: name the seat"),
            ("advice", {"arb": state["arb"], "spec": "process:rm"}, "process"),
        ):
            status, code, message = desk.refused("POST", f"/chair/{path}", body)
            assert (status, code) == (422, "invalid") and words in message, message
