"""Best paths, and what every placement adds to them, against walking every path."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.features.outlook import outlook
from arboretum_env.features.placements import PLACEMENT_FEATURES, placements
from arboretum_env.phase import Phase
from arboretum_env.view import redact
from tests.features.oracle import (
    batch,
    open_cells,
    placement_features,
    points_gained,
    random_views,
    view_of,
)
from tests.random_games import CONFIGS, random_positions
from tests.reference import Arboretum, Cell, best_path_points

GAMES = {
    **CONFIGS,
    "three ranks": GameConfig(num_players=2, species=6, num_ranks=3, hand_size=2),
    "six ranks, ten species": GameConfig(num_players=4, species=10, num_ranks=6, hand_size=4),
    "two species": GameConfig(num_players=2, species=2, num_ranks=8, hand_size=1),
}


def torus(config: GameConfig, cell: Cell) -> int:
    """Row-major torus cell of true coordinates."""
    return (cell[1] % config.side) * config.side + cell[0] % config.side


@pytest.mark.parametrize("name", GAMES)
def test_every_placement_of_random_tables(name: str) -> None:
    config = GAMES[name]
    made = random_views(config, 6 if config.num_cards > 40 else 16, seed=41)
    found = placements(batch([view for view, _, _ in made]))
    assert found.offsets[0] == 0
    assert found.gain.shape == (len(found.card), config.num_species)
    assert found.features.shape == (len(found.card), len(PLACEMENT_FEATURES))
    some_gain = 0
    for number, (view, arboreta, hand) in enumerate(made):
        mine = arboreta[view.seat]
        rows = range(found.offsets[number], found.offsets[number + 1])
        row_of = {(int(found.card[i]), int(found.cell[i])): i for i in rows}
        expected = [(card, cell) for card in hand for cell in open_cells(mine)]
        assert len(row_of) == len(rows) == len(expected) == found.counts[number]
        for card, cell in expected:
            row = row_of[config.parse_card(card), torus(config, cell)]
            gain = points_gained(config, mine, card, cell)
            assert found.gain[row].tolist() == gain, (mine, card, cell)
            features = placement_features(config, mine, card, cell)
            assert found.features[row] == pytest.approx(
                [features[feature] for feature in PLACEMENT_FEATURES], abs=1e-6
            ), (mine, card, cell)
            some_gain += sum(gain) > 0
    assert some_gain > 20


@pytest.mark.parametrize("name", GAMES)
def test_every_seats_outlook_on_random_tables(name: str) -> None:
    config = GAMES[name]
    made = random_views(config, 4, seed=42)
    found = outlook(batch([view for view, _, _ in made]))
    assert found.best.shape == (4, config.num_players, config.num_species)
    for number, (view, arboreta, _) in enumerate(made):
        for k in range(config.num_players):
            theirs = arboreta[(view.seat + k) % config.num_players]
            assert found.best[number, k].tolist() == [
                best_path_points(theirs, species, config.num_ranks) for species in config.species
            ]
            # Every third card; those that stand on this board cannot be planted there.
            for card_id in range((number + k) % 3, config.num_cards, 3):
                card = config.card_text(card_id)
                if card in theirs.values():
                    continue
                gains = [points_gained(config, theirs, card, cell) for cell in open_cells(theirs)]
                own = config.species.index(card[0])
                assert found.total_gain[number, k, card_id] == max(sum(gain) for gain in gains)
                assert found.own_gain[number, k, card_id] == max(gain[own] for gain in gains)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chosen_cards_placements_are_those_it_had_before(players: int) -> None:
    config = GameConfig(num_players=players)
    for view, arboreta, hand in random_views(config, 6, seed=43):
        for card in hand[:3]:
            chosen = view_of(config, arboreta, hand, seat=view.seat, phase=Phase.PLACE, chosen=card)
            before, after = placements(batch([view])), placements(batch([chosen]))
            same = before.card == config.parse_card(card)
            assert (after.card == config.parse_card(card)).all()
            assert np.array_equal(after.cell, before.cell[same])
            assert np.array_equal(after.gain, before.gain[same])
            assert np.array_equal(after.features, before.features[same])


@pytest.mark.parametrize("name", CONFIGS)
def test_placements_are_the_legal_ones_and_movers_alone_have_them(name: str) -> None:
    config = CONFIGS[name]
    cards, cells = config.num_cards, config.side**2
    first_play = 1 + config.num_players
    for state, masks in random_positions(config, 3, seed=44):
        for seat in range(config.num_players):
            options = placements(redact(state, seat))
            for i in range(len(state)):
                rows = slice(options.offsets[i], options.offsets[i + 1])
                legal = np.flatnonzero(masks[i])
                if state.mover[i] != seat or state.phase[i] not in (Phase.PLAY, Phase.PLACE):
                    assert rows.start == rows.stop
                elif state.phase[i] == Phase.PLAY:
                    assert np.unique(options.card[rows]).tolist() == (legal - first_play).tolist()
                else:
                    assert set(options.card[rows].tolist()) == {int(state.chosen_card[i])}
                    where = np.sort(options.cell[rows])
                    assert where.tolist() == (legal - first_play - cards).tolist()
                    assert where.max() < cells


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("direction", [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)])
def test_the_longest_arboretum_wraps_without_a_false_neighbour(
    players: int, direction: tuple[int, int]
) -> None:
    """One card short of the most: straight or as a staircase, its ends nearly meet on the torus."""
    config = GameConfig(num_players=players)
    step_x, step_y = direction
    cell, planted = (0, 0), {}
    pack = [config.card_text(card) for card in range(config.num_cards)]
    for number in range(config.max_plants - 1):
        # Ranks rise along the line, over and over: the ends are a high and a low card.
        planted[cell] = pack[number]
        sideways = step_y == 0 or (step_x != 0 and number % 2 == 0)
        cell = (cell[0] + step_x, cell[1]) if sideways else (cell[0], cell[1] + step_y)
    hand = pack[-9:]
    found = placements(batch([view_of(config, [planted] + [{}] * (players - 1), hand)]))
    expected = {
        (config.parse_card(card), torus(config, where)): points_gained(config, planted, card, where)
        for card in hand
        for where in open_cells(planted)
    }
    assert len(found.card) == len(expected)
    for row in range(len(found.card)):
        key = int(found.card[row]), int(found.cell[row])
        assert found.gain[row].tolist() == expected[key]


@pytest.mark.parametrize("name", GAMES)
def test_an_empty_arboretum_has_one_cell_and_nothing_to_gain(name: str) -> None:
    config = GAMES[name]
    empty: list[Arboretum] = [{}] * config.num_players
    views = batch([view_of(config, empty, ["C1"] if "C" in config.species else ["W1"])])
    found = placements(views)
    assert found.cell.tolist() == [0]
    assert not found.gain.any()
    standing = outlook(views)
    assert not standing.best.any()
    assert not standing.total_gain.any()
    assert not standing.own_gain.any()


def test_no_views_have_no_placements() -> None:
    views = batch([view_of(GameConfig(), [{}, {}], ["C1"])]).select([])
    assert placements(views).offsets.tolist() == [0]
    assert outlook(views).best.shape == (0, 2, 6)
