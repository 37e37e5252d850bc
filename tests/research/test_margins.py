"""Margins and cards that turn a right over: by hand, and against every move of every card."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score, score_board
from arboretum_env.engine.state import GameState
from arboretum_training.research.margins import NOBODY, Margins, margins
from tests.random_games import CONFIGS, random_positions
from tests.research.boards import lists_of, position

TWO = GameConfig(num_players=2, species="CMO")
MAPLE = 1


def turn_over(found: Margins, config: GameConfig, seat: int, species: int) -> tuple[str, int, int]:
    card = int(found.card[0, seat, species])
    where = int(found.leaves[0, seat, species]), int(found.enters[0, seat, species])
    return (config.card_text(card) if card >= 0 else "", *where)


def test_the_smallest_card_that_is_enough() -> None:
    """5 against 3: seat 0 loses the right to M4 in seat 1's hand; seat 1 wins a share with M2."""
    found = margins(position(TWO, ["M5", "M3"]))
    assert found.margin[0, :, MAPLE].tolist() == [2, -2]
    assert found.right[0, :, MAPLE].tolist() == [True, False]
    assert turn_over(found, TWO, 0, MAPLE) == ("M4", NOBODY, 1)
    assert turn_over(found, TWO, 1, MAPLE) == ("M2", NOBODY, 1)
    # M4, M6, M7, M8 into seat 1's hand; M5 out of hand, or into seat 1's.
    assert found.ways[0, 0, MAPLE] == 6


def test_the_one_turns_an_eight_over() -> None:
    found = margins(position(TWO, ["M8", "M2"]))
    assert found.margin[0, :, MAPLE].tolist() == [6, -6]
    assert turn_over(found, TWO, 0, MAPLE) == ("M1", NOBODY, 1)
    kept = TWO.model_copy(update={"cancel_eights": False})
    found = margins(position(kept, ["M8", "M2"]))
    assert turn_over(found, kept, 0, MAPLE) == ("M7", NOBODY, 1)


def test_a_cancelling_one_that_leaves_or_changes_hands() -> None:
    """Seat 1's M1 alone keeps seat 0's M8 down: out of the hand it turns both over."""
    found = margins(position(TWO, ["M8", "M1"]))
    assert found.margin[0, :, MAPLE].tolist() == [-1, 1]
    assert turn_over(found, TWO, 0, MAPLE) == ("M1", 1, NOBODY)
    assert turn_over(found, TWO, 1, MAPLE) == ("M1", 1, NOBODY)


def test_nobody_holds_anything() -> None:
    """Everybody has the right, until somebody holds a card."""
    found = margins(position(TWO, ["", ""]))
    assert not found.margin.any() and found.right.all()
    assert turn_over(found, TWO, 0, MAPLE) == ("M1", NOBODY, 1)
    assert (found.ways == 8).all()


def test_no_single_card_is_enough() -> None:
    found = margins(position(TWO, ["M8 M7 M6 M5", "M1"]))
    assert found.margin[0, 0, MAPLE] == 17  # M7 in the other hand leaves 11 against 8
    assert turn_over(found, TWO, 0, MAPLE) == ("", NOBODY, NOBODY)
    assert found.ways[0, 0, MAPLE] == 0


def test_rights_for_all_turn_never_over() -> None:
    config = TWO.model_copy(update={"rights": "all"})
    found = margins(position(config, ["M8", "M2"]))
    assert found.right.all() and not found.ways.any() and (found.card == -1).all()


def check_by_brute_force(state: GameState, game: int, found: Margins) -> None:
    """Every card of the game into every hand and out of all hands, scored as a board."""
    config = state.config
    hands, _ = lists_of(state, game)
    before = score(state).right[game]
    sums = score(state).hand_sum[game]
    moves: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for card, target in product(range(config.num_cards), range(-1, config.num_players)):
        holder = next((p for p, hand in enumerate(hands) if card in hand), -1)
        if holder == target:
            continue
        changed = [[c for c in hand if c != card] for hand in hands]
        if target >= 0:
            changed[target].append(card)
        after = score_board(config, changed, [[]] * config.num_players).right[0]
        for seat, species in zip(*np.nonzero(after != before), strict=True):
            assert card // config.num_ranks == species
            moves.setdefault((seat, species), []).append((card, target, holder))
    for seat, species in np.ndindex(before.shape):
        ways = moves.get((seat, species), [])
        card, target, holder = min(ways, default=(-1, NOBODY, NOBODY))
        at = game, seat, species
        assert found.ways[at] == len(ways)
        assert (found.card[at], found.enters[at], found.leaves[at]) == (card, target, holder)
        rivals = [sums[p, species] for p in range(config.num_players) if p != seat]
        assert found.margin[at] == sums[seat, species] - max(rivals)
        assert found.right[at] == (found.margin[at] >= 0 or config.rights == "all")


@pytest.mark.parametrize("name", CONFIGS)
def test_every_move_of_every_card_after_random_games(name: str) -> None:
    *_, (state, _) = random_positions(CONFIGS[name], 4, seed=8)
    found = margins(state)
    for game in range(len(state)):
        check_by_brute_force(state, game, found)


@given(data=st.data(), players=st.integers(2, 4), ranks=st.integers(3, 8), cancel=st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_move_of_every_card_of_any_hands(
    data: st.DataObject, players: int, ranks: int, cancel: bool
) -> None:
    """Hands of any size, one species crowded: ties, empty hands and cancelled tops are common."""
    config = GameConfig(
        num_players=players, species="CMOD", num_ranks=ranks, hand_size=1, cancel_eights=cancel
    )
    holders = data.draw(
        st.lists(st.integers(-1, players - 1), min_size=2 * ranks, max_size=2 * ranks)
    )
    hands = [
        " ".join(config.card_text(card) for card, holder in enumerate(holders) if holder == seat)
        for seat in range(players)
    ]
    state = position(config, hands)
    check_by_brute_force(state, 0, margins(state))
