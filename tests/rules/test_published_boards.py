"""All 55 scored examples: 36 published, 19 derived, each against the reference and the engine."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests import cases
from tests.reference import (
    Cell,
    Options,
    best_path_points,
    path_points,
    scoring_paths,
)
from tests.rules.conftest import ScoreTable

ALL_SPECIES = "CDJVLGMPOW"


def examples(kind: str) -> Any:
    """Parametrize over the examples of a kind."""
    found = cases.scored_examples(kind)
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


def best_points(scored: ScoreTable, arboretum: Mapping[Cell, str], species: str) -> int:
    """Best path of one arboretum, read from a table where nobody blocks anybody."""
    result = scored(Options(species=ALL_SPECIES), [[], []], [arboretum, {}])
    entry = result.species[0][species]
    assert entry.right and entry.points == entry.path_points
    return entry.points


def test_every_example_is_asked() -> None:
    kinds = ["full_board", "board", "path", "path_totals", "hands_only"]
    assert [len(cases.scored_examples(kind)) for kind in kinds] == [11, 14, 16, 2, 12]


@examples("full_board")
def test_full_board(case: dict[str, Any], scored: ScoreTable) -> None:
    players = list(case["layout"])
    options = Options(
        num_players=len(players),
        species="".join(cases.LETTERS[name] for name in case["species"]),
        hand_size=1,  # No rule of scoring reads it; two-species examples need a small one.
    )
    hands = [cases.cards(case["hands"][player]) for player in players]
    arboreta = [cases.arboretum(case["layout"][player]) for player in players]
    result = scored(options, hands, arboreta)
    expected = case["expected"]
    assert dict(zip(players, result.totals, strict=True)) == expected["totals"]
    assert [players[seat] for seat in result.winners] == expected["winners"]
    distinct = dict(zip(players, result.distinct_species, strict=True))
    assert distinct == expected["distinct_species_planted"]
    for seat, player in enumerate(players):
        for name, published in expected["per_species"][player].items():
            entry = result.species[seat][cases.LETTERS[name]]
            assert (entry.right, entry.points) == (published["right"], published["points"])


@examples("full_board")
def test_full_board_viable_paths(case: dict[str, Any]) -> None:
    listed = 0
    for player, entries in case["layout"].items():
        for name, published in case["expected"]["per_species"][player].items():
            if "viable_paths" not in published:
                continue
            paths = scoring_paths(cases.arboretum(entries), cases.LETTERS[name])
            assert sorted(paths) == sorted(map(cases.cards, published["viable_paths"]))
            assert max(map(path_points, paths), default=0) == published["points"]
            listed += 1
    assert listed > 0 or not case["id"].startswith("anu")


@examples("board")
def test_board(case: dict[str, Any], scored: ScoreTable) -> None:
    (entries,) = case["layout"].values()
    arboretum = cases.arboretum(entries)
    expected = case["expected"]
    best = expected.get("best_path", {}) | expected.get("best_path_derived", {})
    assert best
    for name, points in best.items():
        assert best_points(scored, arboretum, cases.LETTERS[name]) == points
    for name in expected.get("no_path", []):
        assert best_points(scored, arboretum, cases.LETTERS[name]) == 0
    if "totals" in expected:
        result = scored(Options(species=ALL_SPECIES), [[], []], [arboretum, {}])
        assert [result.totals[0]] == list(expected["totals"].values())


@examples("board")
def test_board_paths(case: dict[str, Any]) -> None:
    (entries,) = case["layout"].values()
    arboretum = cases.arboretum(entries)
    expected = case["expected"]
    for name, published in expected.get("viable_paths", {}).items():
        paths = scoring_paths(arboretum, cases.LETTERS[name])
        assert sorted(paths) == sorted(map(cases.cards, published))
    for name, published in expected.get("must_include", {}).items():
        paths = scoring_paths(arboretum, cases.LETTERS[name])
        assert all(path in paths for path in map(cases.cards, published))
    for name in expected.get("no_path", []):
        assert scoring_paths(arboretum, cases.LETTERS[name]) == []


@examples("path")
def test_path(case: dict[str, Any], scored: ScoreTable) -> None:
    expected = case["expected"]
    arboretum = cases.arboretum(case["layout"])
    species = cases.LETTERS[expected["scored_species"]]
    path = cases.cards(expected["path"])
    assert path in scoring_paths(arboretum, species)
    assert path_points(path) == expected["points"]
    assert best_points(scored, arboretum, species) == expected["points"]


@examples("hands_only")
def test_hands_only(case: dict[str, Any], scored: ScoreTable) -> None:
    players = list(case["hands"])
    hands = [cases.cards(hand) for hand in case["hands"].values()]
    options = Options(num_players=len(players), species=ALL_SPECIES)
    result = scored(options, hands, [{} for _ in players])
    for name, sums in case["expected"].get("hand_sums", {}).items():
        found = [account[cases.LETTERS[name]].hand_sum for account in result.species]
        assert dict(zip(players, found, strict=True)) == sums
    for name, holders in case["expected"]["rights"].items():
        rights = [account[cases.LETTERS[name]].right for account in result.species]
        assert [p for p, right in zip(players, rights, strict=True) if right] == holders


def composed_path(species: str, composition: dict[str, Any]) -> list[str]:
    """A path with a published composition: length, purity, first and last rank."""
    length = composition["cards"]
    ranks = list(range(2, 2 + length))
    if composition["starts_with_1"]:
        ranks[0] = 1
    if composition["ends_with_8"]:
        ranks[-1] = 8
    other = species if composition["all_scored_species"] else next(iter(set("CDJ") - {species}))
    middle = [f"{other}{rank}" for rank in ranks[1:-1]]
    return [f"{species}{ranks[0]}", *middle, f"{species}{ranks[-1]}"]


@examples("path_totals")
def test_path_totals(case: dict[str, Any], scored: ScoreTable) -> None:
    total = 0
    for name, composition in case["expected"]["per_species"].items():
        species, points = cases.LETTERS[name], composition["points"]
        total += points
        if composition["cards"] == 0:
            assert points == 0
            continue
        path = composed_path(species, composition)
        arboretum = {(x, 0): card for x, card in enumerate(path)}
        assert path_points(path) == points
        assert best_path_points(arboretum, species) == points
        assert best_points(scored, arboretum, species) == points
    assert [total] == list(case["expected"]["totals"].values())


def test_printed_example_as_one_table(scored: ScoreTable) -> None:
    """The 2015 rulebook's Clark: Oak 9, Jacaranda 7, Royal Poinciana 3, Lilac blocked: 19.

    The drawn arboretum is an image; this one has the published compositions of its paths, from
    cards that nobody holds in hand.
    """
    case = cases.scored_examples("path_totals")[0]
    hands = [cases.cards(hand) for hand in case["hands"].values()]
    clark = {
        # O1 O4 O5 O6 doubled, +1; J3 G4 M5 C7 J8, +2; P2 M3 P4.
        (0, 0): "O1",
        (1, 0): "O4",
        (2, 0): "O5",
        (3, 0): "O6",
        (0, 1): "J3",
        (0, 2): "G4",
        (0, 3): "M5",
        (0, 4): "C7",
        (0, 5): "J8",
        (0, -1): "P2",
        (0, -2): "M3",
        (0, -3): "P4",
    }
    options = Options(num_players=3, species="JLOPWCMG")
    result = scored(options, hands, [clark, {}, {(0, 0): "L1", (1, 0): "L2"}])
    points = {name: entry.points for name, entry in result.species[0].items() if entry.points}
    assert points == {"O": 9, "J": 7, "P": 3}
    assert result.totals == [19, 0, 0]
    # Clark holds the right to Lilac without a lilac, and so blocks the planted lilac path.
    assert result.species[0]["L"].right and result.species[0]["L"].points == 0
    assert result.species[2]["L"].path_points == 3 and result.species[2]["L"].points == 0
