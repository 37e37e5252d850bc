"""Whole games in ``tests/data/games``, with final scores that a reader can check by hand.

Each file's last comment says how the score comes about.
"""

from pathlib import Path

import pytest

from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.files import load_record
from arboretum_env.records.replay import replay
from tests.cases import arboretum, cards, recorded_games

GAMES = Path(__file__).parents[1] / "data" / "games"

FINAL = {
    # turns, scores, winners, (seat, species) -> (hand sum, right, best path, points)
    "anu_game_1": (
        33,
        (6, 16),
        (1,),
        {
            (0, "C"): (12, True, "C3 D4 C7 C8", 6),
            (0, "D"): (5, False, "D1 V3 D8", 0),
            (0, "J"): (4, False, "J3 J5", 0),
            (1, "V"): (6, True, "V1 M2 D3 L7 V8", 8),
            (1, "L"): (4, True, "L2 D3 L7", 3),
            (1, "M"): (5, True, "M3 M4 M8", 5),
            (1, "J"): (15, True, "", 0),
        },
    ),
    "three_players_reduced": (
        10,
        (6, 0, 0),
        (0,),
        {
            (0, "J"): (4, True, "J1 C4 J5", 6),
            (0, "C"): (0, False, "C1 C4", 0),
            (0, "V"): (2, False, "", 0),  # 2 and 5 in hand, but seat 1 holds the 1
            (1, "V"): (5, True, "", 0),
        },
    ),
    "four_players": (
        50,
        (3, 0, 0, 4),
        (3,),
        {
            (0, "W"): (6, True, "W2 G3 W7", 3),
            (0, "M"): (7, False, "M1 M3 M5 M6", 0),
            (3, "P"): (8, True, "P4 P5 O6 P7", 4),
            (3, "V"): (0, False, "", 0),  # an 8, but seat 2 holds the 1
            (3, "D"): (0, False, "D1 L2 L6 D8", 0),
        },
    ),
}


def test_every_golden_game_is_tested() -> None:
    assert {path.stem for path in GAMES.glob("*.arb")} == {*FINAL, "one_chair", "unfinished"}


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.arb")), ids=lambda path: path.stem)
def test_golden_text_is_what_the_writer_writes(path: Path) -> None:
    text = path.read_bytes().decode()
    assert write_arb(read_arb(text)) == text


@pytest.mark.parametrize("name", FINAL)
def test_final_scores(name: str) -> None:
    turns, scores, winners, rows = FINAL[name]
    game = replay(load_record(GAMES / f"{name}.arb"))
    assert game.sheet is not None
    assert (game.turns, game.sheet.scores, game.sheet.winners) == (turns, scores, winners)
    species = game.position.state.config.species
    for (seat, letter), (hand_sum, right, best_path, points) in rows.items():
        row = game.sheet.players[seat].rows[species.index(letter)]
        assert (row.hand_sum, row.right, " ".join(row.best_path), row.points) == (
            hand_sum,
            right,
            best_path,
            points,
        )


def test_published_game_ends_as_published() -> None:
    """Independent of the file's moves: hands, piles and arboreta stand in the source."""
    [source] = recorded_games()
    record = load_record(GAMES / "anu_game_1.arb")
    text = record.config.card_text
    state = replay(record).position.state
    for seat, player in enumerate("AB"):
        assert [text(card) for card in record.hands[seat]] == cards(source["initial_hands"][player])
        final = source["final"]
        assert {text(card) for card in state.hand(0, seat)} == set(cards(final["hands"][player]))
        pile = [text(card) for card in state.discard_pile(0, seat)]
        assert pile == cards(final["discards_bottom_to_top"][player])
        planted = {(x, y): text(card) for x, y, card in state.arboretum(0, seat)}
        assert list(planted.items()) == list(arboretum(final["layout"][player]).items())
    assert [text(card) for card in record.deck] == cards(source["deck_draw_order"])


def test_unfinished_game_stops_before_the_cell() -> None:
    game = replay(load_record(GAMES / "unfinished.arb"))
    assert (game.turns, game.finished, game.sheet, game.notes) == (10, False, None, ())
    config, state = game.position.state.config, game.position.state
    assert config.card_text(int(state.chosen_card[0])) == "D1"
    assert (int(state.mover[0]), int(state.phase[0])) == (0, 3)
