"""The flat action space: one table, ``ACTION_LAYOUT``, and its codec id <-> struct <-> text.

Seats in action *ids* are relative to the mover (0 is the own pile); seats in *text* are absolute,
as in a game record. Cells in ids are torus cells; cells in text are true coordinates, so that text
needs the true coordinate of the cell (``x, y``) from the caller's arboretum.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.errors import ActionError

_WORD_BITS: Final = 64

ActionKind = Literal["draw_deck", "draw_discard", "play_card", "place_cell", "discard_card"]


@dataclass(frozen=True)
class ActionPiece:
    """One range of the flat action space."""

    name: ActionKind
    size: Callable[[GameConfig], int]
    size_text: str
    meaning: str


ACTION_LAYOUT: Final[tuple[ActionPiece, ...]] = (
    ActionPiece("draw_deck", lambda c: 1, "1", "draw the top card of the deck"),
    ActionPiece(
        "draw_discard",
        lambda c: c.num_players,
        "P",
        "draw the top of the pile of the k-th seat counted from the mover: 0 is the own pile",
    ),
    ActionPiece("play_card", lambda c: c.num_cards, "C", "choose the card to plant, by card id"),
    ActionPiece(
        "place_cell",
        lambda c: c.side * c.side,
        "W*W",
        "plant it on the torus cell (y mod W)*W + (x mod W); the first card goes to 0",
    ),
    ActionPiece("discard_card", lambda c: c.num_cards, "C", "discard a card, by card id"),
)


@lru_cache(maxsize=64)
def action_slices(config: GameConfig) -> Mapping[ActionKind, slice]:
    """The range of ids of every piece of ``ACTION_LAYOUT`` for one game."""
    slices: dict[ActionKind, slice] = {}
    start = 0
    for piece in ACTION_LAYOUT:
        stop: int = start + piece.size(config)
        slices[piece.name] = slice(start, stop)
        start = stop
    return MappingProxyType(slices)


@lru_cache(maxsize=64)
def num_actions(config: GameConfig) -> int:
    """A, the size of the flat action space.

    >>> [num_actions(GameConfig(num_players=p)) for p in (2, 3, 4)]
    [460, 388, 390]
    """
    return int(action_slices(config)["discard_card"].stop)


def checked_action_id(action: Any, size: int) -> int:
    """One flat action id from somebody's hands.

    Args:
        action: an integer of any kind, also as an array without axes.
        size: A, the size of the action space.

    Raises:
        ActionError: no integer, or outside the action space.
    """
    if type(action) is not int:
        scalar = action[()] if isinstance(action, np.ndarray) and not action.shape else action
        if isinstance(scalar, bool | np.bool_) or not isinstance(scalar, int | np.integer):
            raise ActionError(
                f"action {action!r} of type {type(action).__name__}: expected an integer "
                f"0..{size - 1}"
            )
        action = int(scalar)
    if not 0 <= action < size:
        # Python refuses to print integers of thousands of digits.
        shown = action if action.bit_length() <= _WORD_BITS else f"of {action.bit_length()} bits"
        raise ActionError(f"action {shown}: expected 0..{size - 1}")
    return int(action)


def checked_action_ids(actions: Any, count: int, whose: str = "actions") -> NDArray[np.int64]:
    """Flat action ids from somebody's hands; whether they are legal is another question.

    Args:
        actions: an array or a sequence of integers of any width, byte order and layout.
        count: how many there must be.
        whose: what the message calls them.

    Returns:
        [count] int64, contiguous.

    Raises:
        ActionError: no array of ``count`` integers.
    """
    try:
        array = np.asarray(actions)
    except Exception as error:  # lists of unequal lengths, and whatever __array__ may raise
        raise ActionError(
            f"{whose} of type {type(actions).__name__}: expected [{count}] integers: {error}"
        ) from error
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise ActionError(
            f"{whose} of shape {array.shape} and dtype {array.dtype}: expected [{count}] integers"
        )
    if array.dtype.kind == "u" and count and int(array.max()) > np.iinfo(np.int64).max:
        raise ActionError(f"{whose}: {int(array.max())} is no action id of any game")
    return np.ascontiguousarray(array, np.int64)


@dataclass(frozen=True)
class Action:
    """An action as a struct: its kind and its index within the kind's range.

    ``index`` is 0 for ``draw_deck``, the relative seat for ``draw_discard``, a card id for
    ``play_card`` and ``discard_card``, and a torus cell for ``place_cell``.
    """

    kind: ActionKind
    index: int = 0


def encode(config: GameConfig, action: Action) -> int:
    """Flat id of an action.

    Raises:
        ActionError: the index is outside the kind's range.
    """
    piece = action_slices(config)[action.kind]
    if not 0 <= action.index < piece.stop - piece.start:
        raise ActionError(
            f"{action.kind} index {action.index}: expected 0..{piece.stop - piece.start - 1}"
        )
    return int(piece.start) + action.index


def decode(config: GameConfig, action_id: int) -> Action:
    """Struct of a flat id.

    Raises:
        ActionError: the id is outside the action space.
    """
    for kind, piece in action_slices(config).items():
        if piece.start <= action_id < piece.stop:
            return Action(kind, int(action_id) - int(piece.start))
    raise ActionError(f"action id {action_id}: expected 0..{num_actions(config) - 1}")


def torus_cell(config: GameConfig, x: int, y: int) -> int:
    """Torus cell of true coordinates, row-major: (y mod W) * W + (x mod W)."""
    return (y % config.side) * config.side + x % config.side


def action_text(
    config: GameConfig, action_id: int, mover: int, xy: tuple[int, int] | None = None
) -> str:
    """One token of an action as in a game record: ``d``, ``p0``, ``M7``, ``@0,-1``, ``xG2``.

    Args:
        config: the game.
        action_id: flat id.
        mover: absolute seat of the mover (pile seats in text are absolute).
        xy: true coordinates, needed for ``place_cell`` only; without them the torus cell stands in.
    """
    action = decode(config, action_id)
    match action.kind:
        case "draw_deck":
            return "d"
        case "draw_discard":
            return f"p{(mover + action.index) % config.num_players}"
        case "play_card":
            return config.card_text(action.index)
        case "place_cell":
            x, y = (
                xy if xy is not None else (action.index % config.side, action.index // config.side)
            )
            return f"@{x},{y}"
        case "discard_card":
            return f"x{config.card_text(action.index)}"
