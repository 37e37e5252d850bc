"""Saved games come back to the bit; rows that no game has are refused before they are played."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.layout import row_dtype
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.errors import DealError
from arboretum_env.saved_games import restore_games
from tests.random_games import CONFIGS, random_actions, random_positions


@pytest.mark.parametrize("name", CONFIGS)
def test_every_position_comes_back(name: str) -> None:
    config = CONFIGS[name]
    rng = np.random.default_rng(3)
    for state, masks in random_positions(config, 6, seed=71):
        saved = np.frombuffer(state.raw.tobytes(), np.uint8).reshape(state.raw.shape)
        restored = restore_games(config, saved)
        assert restored.raw.tobytes() == state.raw.tobytes()
        apply_action(restored, random_actions(masks, rng))  # a copy: the saved bytes stay
        assert saved.tobytes() == state.raw.tobytes()


@pytest.mark.parametrize("name", CONFIGS)
def test_no_changed_byte_leads_beyond_the_row(name: str) -> None:
    """Each byte that means something, changed: refused, or another position that can be played."""
    config = CONFIGS[name]
    rng = np.random.default_rng(9)
    [state] = [
        state.clone()
        for number, (state, _) in enumerate(random_positions(config, 1, 72))
        if number == 23
    ]
    refused = 0
    fields = row_dtype(config).fields
    assert fields is not None
    meant = sorted(
        {start + i for dtype, start, *_ in fields.values() for i in range(dtype.itemsize)}
    )
    for place in meant:
        raw = state.raw.copy()
        value = int(raw[0, place])
        raw[0, place] = rng.choice([0, 1, 255, value ^ 1, (value + 1) % 256])
        if raw[0, place] == value:
            continue
        try:
            other = restore_games(config, raw)
        except DealError:
            refused += 1
        else:
            assert play_to_the_end(other, rng).done.all()
    assert refused > len(meant) / 3


def play_to_the_end(state: GameState, rng: np.random.Generator) -> GameState:
    while not state.done.all():
        apply_action(state, random_actions(legal_action_mask(state), rng))
    return state


CONFIG = GameConfig(num_players=3)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("num_players", 4, "num_players"),
        ("num_cards", 255, "num_cards"),
        ("side", 200, "side"),
        ("hand_size", 6, "hand_size"),
        ("options", 7, "options"),
        ("deck_length", 255, "deck_length"),
        ("phase", 6, "phase"),
        ("turn", 43, "turn"),
        ("mover", 9, "mover"),
        ("drawn", 200, "deck"),
        ("chosen", 200, "chosen card"),
        ("pile_top", 200, "pile_top"),
        ("pile_size", 9, "pile_size"),
        ("planted", 60, "planted"),
        ("order", 99, "order"),
        ("x", 120, "x"),
        ("below", 200, "below"),
        ("grid", 200, "grid"),
        ("place", 99, "hand of seat 0"),
        ("deck", 0, "deck"),
    ],
)
def test_what_cannot_be_is_named(field: str, value: int, message: str) -> None:
    *_, (state, _) = (
        position
        for number, position in zip(range(70), random_positions(CONFIG, 3, 73), strict=False)
        if number < 69
    )
    wrong = state.clone()
    wrong.rows[field][1] = value
    with pytest.raises(
        DealError, match=rf"^saved game 1: its {message} cannot be|^saved games: view 1"
    ):
        restore_games(CONFIG, wrong.raw)


@pytest.mark.parametrize(
    "raw",
    [np.zeros((2, 5), np.uint8), np.zeros(640, np.uint8), np.zeros((2, 640), np.int64)],
    ids=["short", "flat", "wide"],
)
def test_other_arrays_are_refused(raw: np.ndarray) -> None:
    with pytest.raises(DealError, match=r"expected \[B, \d+\] uint8"):
        restore_games(CONFIG, raw)
