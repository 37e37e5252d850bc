"""Games from saved rows.

Kernels trust the rows that they are given: sizes and card ids in a row are used as places in
memory. So rows that come from a file are checked whole before anything plays on with them.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.determinize import determinize
from arboretum_env.engine import layout
from arboretum_env.engine.state import GameState
from arboretum_env.errors import DealError, ViewError
from arboretum_env.phase import Phase
from arboretum_env.view import redact

_SIZES: Final = (
    "num_players", "num_species", "num_ranks", "num_cards",
    "side", "hand_size", "options", "deck_length",
)  # fmt: skip
_DERIVED: Final = ("pile_top", "pile_size", "planted", "order", "x", "y", "below", "grid")
"""Fields that follow from where the visible cards are: they are worked out again and compared."""

_EXTRA_CARDS: Final = np.array([0, 1, 2, 2, 1, 0])  # in the mover's hand, by phase


def restore_games(config: GameConfig, raw: NDArray[np.uint8]) -> GameState:
    """The games that were saved as ``GameState.raw``.

    Args:
        config: the games' options.
        raw: [B, row bytes] uint8; copied.

    Raises:
        DealError: a row that is no position of this game.
    """
    if raw.ndim != 2 or raw.shape[1] != layout.row_bytes(config) or raw.dtype != np.uint8:
        raise DealError(
            f"saved games of shape {raw.shape} and dtype {raw.dtype}: expected "
            f"[B, {layout.row_bytes(config)}] uint8"
        )
    state = GameState(config, np.array(raw, np.uint8, order="C"))
    blank = GameState(config, layout.blank_row(config)[None])
    for name in _SIZES:
        _hold(name, state.rows[name] == blank.rows[name])
    _check_scalars(state)
    _check_hidden(state)
    _check_planted(state)
    try:
        world = determinize(redact(state, state.mover), np.zeros(len(state), np.uint64))
    except ViewError as error:
        raise DealError(f"saved games: {error}") from error
    for name in _DERIVED:
        same = state.rows[name] == world.rows[name]
        _hold(name, same.reshape(len(state), -1).all(axis=1))
    return state


def _hold(what: str, holds: NDArray[np.bool_]) -> None:
    if not holds.all():
        raise DealError(
            f"saved game {int(np.argmin(holds))}: its {what} cannot be: expected a position of "
            "this game"
        )


def _check_scalars(state: GameState) -> None:
    """Phase, turn, mover, deck and chosen card are possible and go together."""
    config, rows = state.config, state.rows
    _hold("phase", state.phase <= Phase.GAME_OVER)
    _hold("turn", state.turn <= config.max_turns)
    _hold("mover", state.mover == state.turn % config.num_players)
    _hold("deck", rows["drawn"] <= rows["deck_length"])
    # The turn that empties the deck is finished; then the game is over, and no sooner.
    between = (state.phase == Phase.DRAW_FIRST) | (state.phase == Phase.GAME_OVER)
    over = state.phase == Phase.GAME_OVER
    _hold("phase", ~between | (over == (rows["drawn"] == rows["deck_length"])))
    choosing = state.phase == Phase.PLACE
    _hold("chosen card", choosing == (rows["chosen"] != layout.NONE))
    card = np.where(choosing & (rows["chosen"] < config.num_cards), rows["chosen"], 0)
    where = rows["place"][np.arange(len(state)), card]
    in_hand = (where & ~np.uint8(layout.KNOWN_BIT)) == layout.IN_HAND + state.mover
    _hold("chosen card", ~choosing | ((rows["chosen"] < config.num_cards) & in_hand))


def _check_hidden(state: GameState) -> None:
    """Hands have their sizes, and the deck holds every card once that is in it."""
    config, place = state.config, state.rows["place"]
    hand = place & ~np.uint8(layout.KNOWN_BIT)
    for seat in range(config.num_players):
        extra = np.where(state.mover == seat, _EXTRA_CARDS[state.phase], 0)
        held = (hand == layout.IN_HAND + seat).sum(axis=1)
        _hold(f"hand of seat {seat}", held == config.hand_size + extra)
    listed = np.zeros((len(state), layout.NONE + 1), np.int64)
    game, slot = np.nonzero(np.arange(config.deck_size) >= state.rows["drawn"][:, None])
    np.add.at(listed, (game, state.rows["deck"][game, slot]), 1)
    in_deck = place == layout.IN_DECK
    _hold("deck", (listed[:, : config.num_cards] == in_deck).all(axis=1))
    _hold("deck", listed.sum(axis=1) == in_deck.sum(axis=1))


def _check_planted(state: GameState) -> None:
    """Every seat has planted once a turn, in an order without gaps."""
    config, place, order = state.config, state.rows["place"], state.rows["order"]
    for seat in range(config.num_players):
        mine = place == layout.IN_ARBORETUM + seat
        turns = (state.turn.astype(np.int64) + config.num_players - 1 - seat) // config.num_players
        planting = (state.phase == Phase.DISCARD) & (state.mover == seat)
        _hold("planted", mine.sum(axis=1) == turns + planting)
        numbers = np.sort(np.where(mine, order, layout.NONE), axis=1)
        counted = np.arange(config.num_cards)
        counted = np.where(counted < mine.sum(axis=1)[:, None], counted, layout.NONE)
        _hold("order", (numbers == counted).all(axis=1))
        for axis in ("x", "y"):
            reach = np.abs(state.rows[axis].astype(np.int64))
            _hold(axis, (~mine | (reach < config.max_plants)).all(axis=1))
