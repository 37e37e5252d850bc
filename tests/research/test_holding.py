"""The price of holding: by hand, and against every cell tried one by one."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.state import GameState
from arboretum_training.research.holding import Holding, holding, wasted_points
from tests.random_games import CONFIGS, random_positions
from tests.research.boards import line, lists_of, points_of, position

TWO = GameConfig(num_players=2, species="CMO")


def row_of(found: Holding, config: GameConfig, text: str) -> int:
    [row] = np.flatnonzero(found.card == config.parse_card(text))
    return int(row)


def test_a_card_that_gives_the_right() -> None:
    """Without M5 nobody holds Maple, and seat 1 scores its M7 M8 too.

    Planted after M4 it would make a path of four Maples, 8 points for 3; everybody has the right.
    """
    state = position(TWO, ["M5 O1", "C6"], [line("M2 M3 M4"), line("M7 M8")])
    found = holding(state)
    five = row_of(found, TWO, "M5")
    assert found.seat[five] == 0
    assert found.without[five].tolist() == [0, 4]  # M7 M8: two cards and 2 for the 8
    assert found.tempo[five].tolist() == [8 - 3, 4]
    # M5 planted in place of M4, which stays in hand: M2 M3 M5 keeps its 3 points and the right.
    assert found.exchange[five].tolist() == [0, 0]
    assert not found.idle[five]


def test_idle_cards_waste_what_planting_them_would_have_made() -> None:
    """O1 would make O1 O2 of 3 points; C6 would make nothing, since a single card is no path."""
    state = position(TWO, ["O1 C6", ""], [line("O2 M3"), []])
    found = holding(state)
    one, six = row_of(found, TWO, "O1"), row_of(found, TWO, "C6")
    assert found.idle[[one, six]].tolist() == [True, True]
    assert found.own_tempo[[one, six]].tolist() == [3, 0]
    assert wasted_points(state, found).tolist() == [[[0, 0, 3], [0, 0, 0]]]


def test_a_card_that_only_denies_is_not_idle() -> None:
    state = position(TWO, ["M5", ""], [line("O2"), line("M2 M3")])
    found = holding(state)
    assert found.without.tolist() == [[0, 2]]
    assert not found.idle.any() and not wasted_points(state, found).any()


def test_planting_may_cost_the_right() -> None:
    """M5 planted behind M2 M3 M4 makes a path of 8 points, and leaves the right to seat 1's M1."""
    state = position(TWO, ["M5", "M1 O3"], [line("M2 M3 M4"), []])
    found = holding(state)
    assert found.tempo[row_of(found, TWO, "M5")].tolist() == [-3, 0]
    assert found.own_tempo[row_of(found, TWO, "M5")] == -3


def test_a_seat_that_never_planted_has_nothing_to_exchange() -> None:
    found = holding(position(TWO, ["M5", "C1"], [[], line("C2")]))
    assert np.isnan(found.exchange[row_of(found, TWO, "M5")]).all()
    assert found.own_tempo[row_of(found, TWO, "M5")] == 0
    # C1 planted at the origin instead of C2, its only card.
    assert found.exchange[row_of(found, TWO, "C1")].tolist() == [0, 0]


def slow(state: GameState, game: int, seat: int, card: int, *, take_back: bool) -> np.ndarray:
    """[P] points with the card planted, cell by cell, on lists in true coordinates."""
    config = state.config
    hands, arboreta = lists_of(state, game)
    hands[seat].remove(card)
    if take_back:
        *_, last = arboreta[seat].pop()
        hands[seat].append(last)
    taken = {(x, y) for x, y, _ in arboreta[seat]}
    near = {(x + dx, y + dy) for x, y in taken for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))}
    best = None
    for x, y in (near - taken) or {(0, 0)}:
        changed = [*arboreta]
        changed[seat] = [*arboreta[seat], (x, y, card)]
        points = points_of(config, hands, changed)
        best = points if best is None or points[seat] > best[seat] else best
    assert best is not None
    return best


@pytest.mark.parametrize("name", CONFIGS)
def test_every_cell_of_random_games(name: str) -> None:
    *_, (state, _) = random_positions(CONFIGS[name], 3, seed=12)
    found = holding(state)
    assert len(found.game) == 3 * CONFIGS[name].num_players * CONFIGS[name].hand_size
    for row in range(len(found.game)):
        game, seat, card = (int(part[row]) for part in (found.game, found.seat, found.card))
        hands, arboreta = lists_of(state, game)
        now = points_of(state.config, hands, arboreta)
        gone = [[c for c in hand if c != card] for hand in hands]
        assert np.array_equal(found.without[row], points_of(state.config, gone, arboreta) - now)
        assert np.array_equal(
            found.tempo[row], slow(state, game, seat, card, take_back=False) - now
        )
        assert np.array_equal(
            found.exchange[row], slow(state, game, seat, card, take_back=True) - now
        )


def test_many_games_are_what_each_is_alone() -> None:
    """More held cards than fit one block of positions."""
    *_, (state, _) = random_positions(GameConfig(num_players=3), 40, seed=2)
    whole = holding(state)
    alone = [holding(state.select([game])) for game in range(len(state))]
    for name in ("seat", "card", "without", "tempo", "exchange"):
        parts = np.concatenate([getattr(part, name) for part in alone])
        assert np.array_equal(getattr(whole, name), parts, equal_nan=True), name
    assert np.array_equal(
        wasted_points(state, whole),
        np.concatenate([wasted_points(state.select([g]), part) for g, part in enumerate(alone)]),
    )
