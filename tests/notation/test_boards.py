"""Boards to be scored: JSON and text grids, letters and names, and what is refused."""

from typing import Any

import pytest

from arboretum_env.errors import BoardError
from arboretum_env.records.board_grid import board_from_grid
from arboretum_env.records.board_json import board_from_json
from tests import cases


def published(kind: str) -> Any:
    found = [case for case in cases.scored_examples(kind) if case["layout"]]
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


def document(case: dict[str, Any]) -> dict[str, Any]:
    """A case as BOARD.json, in the words of its source (names of either printing)."""
    hands = case["hands"] or {}
    players = [
        {"hand": hands.get(player, []), "arboretum": layout}
        for player, layout in case["layout"].items()
    ]
    return {"players": players, **({"species": case["species"]} if case.get("species") else {})}


@published("full_board")
def test_published_boards(case: dict[str, Any]) -> None:
    sheet = board_from_json(document(case)).score()
    players, expected = list(case["layout"]), case["expected"]
    assert list(sheet.scores) == [expected["totals"][player] for player in players]
    assert [players[seat] for seat in sheet.winners] == expected["winners"]
    for player, part in zip(players, sheet.players, strict=True):
        if expected["distinct_species_planted"]:
            assert part.distinct_species == expected["distinct_species_planted"][player]
        rows = {row.species: row for row in part.rows}
        for name, entry in expected["per_species"][player].items():
            row = rows[cases.LETTERS[name]]
            assert (row.right, row.points) == (entry["right"], entry["points"])
            if row.right and entry.get("viable_paths"):
                viable = [" ".join(cases.cards(path)) for path in entry["viable_paths"]]
                assert " ".join(row.best_path) in viable


@published("board")
def test_published_boards_of_one_player(case: dict[str, Any]) -> None:
    expected = case["expected"]
    best = expected.get("best_path") or expected["best_path_derived"]
    sheet = board_from_json(document(case)).score()
    assert len(sheet.players) == 1 and sheet.winners == (0,)
    points = {row.species: row.points for row in sheet.players[0].rows}
    assert {cases.LETTERS[name] for name in best} <= set(points)
    for name, value in best.items():
        assert points[cases.LETTERS[name]] == value


@pytest.mark.parametrize(
    "case", cases.scored_examples("hands_only"), ids=lambda case: str(case["id"])
)
def test_published_hands(case: dict[str, Any]) -> None:
    players = list(case["hands"])
    hands = [{"hand": case["hands"][player]} for player in players]
    sheet = board_from_json({"species": "CDJVLGMPOW", "players": hands}).score()
    rows = {
        player: {row.species: row for row in part.rows}
        for player, part in zip(players, sheet.players, strict=True)
    }
    for name, sums in case["expected"]["hand_sums"].items():
        letter = cases.LETTERS[name]
        assert {player: rows[player][letter].hand_sum for player in sums} == sums
    for name, holders in case["expected"]["rights"].items():
        letter = cases.LETTERS[name]
        assert [player for player in players if rows[player][letter].right] == holders


def board(**player: Any) -> dict[str, Any]:
    return {"species": "CMV", "players": [player, {}]}


def test_cards_by_letter_and_by_name_are_the_same_board() -> None:
    by_letter = board(hand=["V7", "M1"], arboretum=[[0, 0, "C1"], [0, -1, "V8"]])
    by_name = board(
        hand=["Blue Spruce 7", ["Maple", 1]],
        arboretum=[[0, 0, "cassia1"], [0, -1, "Blue_Spruce", 8]],
    )
    apart = board(hand=["Spruce-7", "M1"], arboretum=[[0, 0, ["C", 1]], [0, -1, "V 8"]])
    assert board_from_json(by_name) == board_from_json(by_letter) == board_from_json(apart)
    grid = """
    Species Cassia Maple Blue_Spruce   # in any order
    Player
    Hand: Spruce7 M1
      C1
      BlueSpruce8
    Player
    """
    assert board_from_grid(grid).score() == board_from_json(by_letter).score()


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        *[(name, letter) for name, letter in cases.LETTERS.items()],
        ("Weeping Willow", "W"),
        ("Royal Poinciana", "P"),
        ("poinciana", "P"),
        ("SPRUCE", "V"),
        ("cherry", "L"),
        ("Poplar", "G"),
    ],
)
def test_names_of_every_printing(name: str, letter: str) -> None:
    planted = {"players": [{"arboretum": [[0, 0, f"{name} 3"], [1, 0, name, 5]]}]}
    [player] = board_from_json(planted).score().players
    assert [row.best_path for row in player.rows if row.best_path] == [(f"{letter}3", f"{letter}5")]


def test_grid_north_is_up() -> None:
    grid = board_from_grid("Player\n.  C2\nC1 M3\n")
    assert grid.arboreta == (((1, 1, 1), (0, 0, 0), (1, 0, 10)),)


def test_any_hand_size_and_any_connected_layout() -> None:
    # A line of 40 cards, further than any game reaches, and a hand of 20.
    cards = [f"{letter}{rank}" for letter in "CDJVL" for rank in range(1, 9)]
    line = [[5 * 10**12 + x, -3, card] for x, card in enumerate(cards)]
    hand = [f"{letter}{rank}" for letter in "GMP" for rank in range(1, 8)]
    sheet = board_from_json({"players": [{"hand": hand, "arboretum": line}, {}]}).score()
    # Five lines of one species from 1 to 8: 16 + 1 + 2 each.
    assert sheet.scores == (95, 0)
    assert [row.hand_sum for row in sheet.players[0].rows] == [0, 0, 0, 0, 0, 28, 28, 28]


def test_species_and_players_may_be_few() -> None:
    """A game has at least two of each; a board need not."""
    alone = {
        "species": "O",
        "players": [{"hand": ["O3"], "arboretum": [[0, 0, "O1"], [0, 1, "O8"]]}],
    }
    answer = {
        "hand_sum": 3,
        "right": True,
        "best_path": ["O1", "O8"],
        "path_points": 5,
        "points": 5,
    }
    expected = {"scores": [5], "winners": [0], "players": [{"species": {"O": answer}}]}
    assert board_from_json(alone).score().to_json() == expected
    assert board_from_json({"players": alone["players"]}).score().to_json() == expected
    nothing = board_from_json({"players": [{}, {}]}).score()
    assert nothing.to_json() == {
        "scores": [0, 0],
        "winners": [0, 1],
        "players": [{"species": {}}, {"species": {}}],
    }


def test_rule_options() -> None:
    data = board(hand=["C8"], arboretum=[[0, 0, "M1"], [1, 0, "M2"]])
    data["players"][1] = {"hand": ["C1", "M3"], "arboretum": []}
    sheet = board_from_json(data).score()
    assert [player.rows[0].hand_sum for player in sheet.players] == [0, 1]
    assert sheet.scores == (0, 0)
    plain = board_from_json({**data, "cancel_eights": False}).score()
    assert [player.rows[0].hand_sum for player in plain.players] == [8, 1]
    assert board_from_json({**data, "rights": "all"}).score().scores == (3, 0)
    # With 3 ranks the 3 takes the 8's part.
    small = {"ranks": 3, "players": [{"arboretum": [[0, 0, "M1"], [1, 0, "M3"]]}]}
    assert board_from_json(small).score().scores == (5,)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (board(hand=["M7", "M7"]), "M7 is there twice"),
        (board(hand=["M7"], arboretum=[[0, 0, "M7"]]), "M7 is there twice"),
        (
            {"species": "CM", "players": [{"hand": ["M7"]}, {"arboretum": [[0, 0, "Maple 7"]]}]},
            "M7 is there twice",
        ),
        (board(arboretum=[[0, 0, "M7"], [0, 0, "M8"]]), "player 0 has two cards at 0,0"),
        (board(arboretum=[[0, 0, "M7"], [1, 1, "M8"]]), "in several pieces"),
        (board(arboretum=[[0, 0, "M7"], [0, 2, "M8"]]), "in several pieces"),
        # As far apart as numbers go, not next to each other on some table's back side.
        (board(arboretum=[[0, 0, "M7"], [2**64 - 1, 0, "M8"]]), "in several pieces"),
        (board(hand=["D7"]), "'D7' is not a card in play"),
        (board(hand=["M9"]), "'M9' is not a card in play"),
        (board(hand=["M0"]), "'M0' is not a card in play"),
        (board(hand=["M"]), "card 'M': expected species and rank"),
        (board(hand=["7"]), "species '': expected one letter"),
        (board(hand=["Baobab 7"]), "species 'Baobab': expected one letter"),
        (board(hand=["Olive 1", "Blue Spruce 2"]), "Olive and Blue Spruce on one board"),
        (board(hand="M7"), "board players.0.hand 'M7': expected a list"),
        (board(hand=[7]), "board players.0.hand.0 7: expected a text"),
        (board(arboretum=[[0, "M7"]]), "board players.0.arboretum.0"),
        (board(arboretum=[[0.5, 0, "M7"]]), "board players.0.arboretum.0.0"),
        (board(arboretum=[[True, 0, "M7"]]), "board players.0.arboretum.0.0"),
        (board(arboretum={"0,0": "M7"}), "board players.0.arboretum"),
        (board(hands=["M7"]), "board players.0.hands: unknown key"),
        ({"players": []}, "0 players: expected 1..4"),
        ({"players": [{}] * 5}, "5 players: expected 1..4"),
        ({"species": "CM"}, "board players: missing, expected a value"),
        ({"species": "CCM", "players": [{}]}, "expected different letters"),
        ({"species": "C", "players": [{"hand": ["D1"]}]}, "'D1' is not a card in play"),
        ({"species": ["Maple", "Baobab"], "players": [{}]}, "species 'Baobab'"),
        ({"species": "CM", "ranks": 12, "players": [{}]}, "num_ranks 12: expected at most 8"),
        ([1, 2], "board: [1, 2]: expected keys and values"),
    ],
)
def test_faults_in_json(data: Any, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        board_from_json(data).score()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the board is empty"),
        ("# only a remark\n", "the board is empty"),
        ("C1 C2\n", "line 1: 'C1': expected Player before the first card"),
        ("Player\nC1\nHand C2\n", "line 3: expected one Hand line, above the grid"),
        ("Player\nHand C1\nHand C2\n", "line 3: expected one Hand line"),
        ("Player\nC1 what\n", "card 'what': expected species and rank"),
        ("Player\nC1 . C2\n", "in several pieces"),
        ("Player\nC1 C1\n", "C1 is there twice"),
        ("Species CM\nPlayer\nC1 V1\n", "'V1' is not a card in play"),
    ],
)
def test_faults_in_grids(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        board_from_grid(text).score()
    assert message in str(caught.value)
