"""An exact deal from the ``options`` of a ``reset``: hands, deck and discards."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.state import GameState
from arboretum_env.errors import CardError, DealError

DEAL_OPTIONS: Final = ("hands", "deck", "discards")


def deal_from_options(config: GameConfig, options: Mapping[str, Any] | None) -> GameState | None:
    """The game that reset options ask for.

    Options without any of the three keys ask for nothing: wrappers and conformance tests pass
    options of their own. A key that looks like one of the three is refused all the same.

    Args:
        config: the game's options.
        options: ``hands``: P lists of cards; ``deck``: the other cards in draw order; ``discards``:
            P starting piles, needed with ``starting_discards`` only. A card is a text (``"M7"``) or
            a card id.

    Returns:
        A batch of one game, or None when no exact deal is asked for.

    Raises:
        DealError: the options describe no deal of this game.
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise DealError(f"options {options!r}: expected a dict")
    given = [key for key in DEAL_OPTIONS if key in options]
    for key in options:
        close = difflib.get_close_matches(str(key).lower(), DEAL_OPTIONS, n=1, cutoff=0.7)
        if key not in DEAL_OPTIONS and (given or close):
            raise DealError(
                f"option {key!r}: expected {', '.join(map(repr, DEAL_OPTIONS))}"
                + (f"; did you mean {close[0]!r}?" if close else "")
            )
    if not given:
        return None
    if "hands" not in given or "deck" not in given:
        raise DealError(f"options {given}: an exact deal needs both 'hands' and 'deck'")
    hands = [_cards(f"hands[{seat}]", hand) for seat, hand in _listed("hands", options)]
    piles = None
    if options.get("discards") is not None:
        piles = [_cards(f"discards[{seat}]", pile) for seat, pile in _listed("discards", options)]
    try:
        return deal_exact(config, hands, _cards("deck", options["deck"]), piles)
    except CardError as error:
        raise DealError(f"exact deal: {error}") from error


def _listed(key: str, options: Mapping[str, Any]) -> list[tuple[int, Any]]:
    value = options[key]
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise DealError(f"{key} {value!r}: expected a list with one list of cards a seat")
    return list(enumerate(value))


def _cards(where: str, value: Any) -> list[int | str]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise DealError(f"{where} {value!r}: expected a list of cards such as 'C7'")
    for card in value:
        number = isinstance(card, int | np.integer) and not isinstance(card, bool)
        if not (number or isinstance(card, str)):
            raise DealError(f"{where}: {card!r} is not a card: expected a text or a card id")
    return [card if isinstance(card, str) else int(card) for card in value]
