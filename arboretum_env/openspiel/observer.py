"""Observers: the tensors and texts of what is known at a state.

Everything is an integer as in the observation of ``docs/environment.md``, in float32. OpenSpiel
asks for one of these by two switches:

==============  =====================================  ========================================
knowledge       now (``perfect_recall=False``)         also the past (``perfect_recall=True``)
==============  =====================================  ========================================
a seat's        ``OBSERVATION_LAYOUT``                 ``RECALL``, then ``OBSERVATION_LAYOUT``
a spectator's   the same of seat 0, less its hand      the same, less what seat 0 alone saw
the seat alone  its hand and chosen card               the same, and the hand it was dealt
==============  =====================================  ========================================
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pyspiel
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_env.history import HIDDEN_DRAW, HistoryEvent
from arboretum_env.observation import OBSERVATION_LAYOUT, Place, observation_slices, observe
from arboretum_env.openspiel.state import ArboretumState
from arboretum_env.openspiel.text import information_text, present_text, private_text
from arboretum_env.view import redact

EVENTS_PER_TURN: Final = 4
NO_EVENT, RIVAL_DECK, OWN_DECK, PILE, PLANT, DISCARD = 0, 1, 2, 3, 7, 8
"""Kinds of events; ``PILE`` + k is a draw from the pile of the k-th seat from the observer."""


def recall_shapes(config: GameConfig) -> dict[str, tuple[int, ...]]:
    """Pieces of the past.

    ``dealt_hand`` [C]: 1 for the cards of the own first hand. ``dealt_discards`` [P]: card id + 1
    of the starting discard of every absolute seat, else 0. ``history`` [4 * most turns, 4]: a row
    an event, (kind, card id + 1 or 0 if hidden, x, y), zeros for what has not happened yet.
    """
    return {
        "dealt_hand": (config.num_cards,),
        "dealt_discards": (config.num_players,),
        "history": (EVENTS_PER_TURN * config.max_turns, 4),
    }


def event_row(config: GameConfig, seat: int, event: HistoryEvent) -> tuple[int, int, int, int]:
    """An event (``arboretum_env.history``) as numbers, as the seat sees it."""
    if event == HIDDEN_DRAW:
        return RIVAL_DECK, 0, 0, 0
    if event.startswith("x"):
        return DISCARD, config.parse_card(event[1:]) + 1, 0, 0
    if event.endswith(")"):
        source, _, card = event[:-1].partition("(")
        kind = OWN_DECK if source == "d" else PILE + (int(source[1:]) - seat) % config.num_players
        return kind, config.parse_card(card) + 1, 0, 0
    card, _, cell = event.partition("@")
    x, _, y = cell.partition(",")
    return PLANT, config.parse_card(card) + 1, int(x), int(y)


class ArboretumObserver:
    """Conforms to OpenSpiel's ``PyObserver`` (``open_spiel.python.observation``).

    Attributes:
        tensor: [sum of sizes] float32, of the last ``set_from``.
        dict: name -> that piece of ``tensor``, shaped.

    Raises:
        ConfigError: observation parameters, or a kind of observation that nobody at the table has.
    """

    def __init__(
        self, config: GameConfig, kind: Any, params: Mapping[str, Any] | None = None
    ) -> None:
        if params:
            raise ConfigError(f"observation parameters {dict(params)}: expected none")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ConfigError("private_info ALL_PLAYERS: expected SINGLE_PLAYER or NONE")
        self._config = config
        self._recall = bool(kind.perfect_recall)
        self._public = bool(kind.public_info)
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._rows: dict[tuple[int, HistoryEvent], NDArray[np.float32]] = {}
        shapes: dict[str, tuple[int, ...]] = {}
        if self._public:
            shapes = recall_shapes(config) if self._recall else {}
            shapes |= {piece.name: piece.shape(config) for piece in OBSERVATION_LAYOUT}
        elif self._private:
            shapes = {"dealt_hand": (config.num_cards,)} if self._recall else {}
            shapes |= {"hand": (config.num_cards,), "chosen_card": (1,)}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        start = 0
        for name, shape in shapes.items():
            stop = start + int(np.prod(shape))
            self.dict[name] = self.tensor[start:stop].reshape(shape)
            start = stop

    def set_from(self, state: ArboretumState, player: int) -> None:
        """Fills ``tensor`` and ``dict`` with what ``player`` knows at ``state``."""
        table, slices = state.table, observation_slices(self._config)
        seat = player if self._private else 0
        self.tensor.fill(0)
        if not (self._public or self._private):
            return
        if self._recall:
            if self._private:
                self.dict["dealt_hand"][table.dealt_hand(seat)] = 1
            if self._public:
                self._set_past(state, seat)
        seen = observe(table.game, seat)[0]
        places = seen[slices["cards"]].reshape(-1, 4)[:, 0]
        if not self._public:
            self.dict["hand"][:] = (places == Place.OWN_HAND) | (places == Place.OWN_KNOWN)
            self.dict["chosen_card"][:] = seen[slices["chosen_card"]]
            return
        if not self._private:
            places[places == Place.OWN_HAND] = Place.UNSEEN
            seen[slices["chosen_card"]] = -1
        self.tensor[-len(seen) :] = seen

    def _set_past(self, state: ArboretumState, seat: int) -> None:
        table = state.table
        starting = [0 if card is None else card + 1 for card in table.dealt_discards()]
        self.dict["dealt_discards"][:] = starting
        events = table.seen[seat if self._private else -1]
        for number, event in enumerate(events):
            row = self._rows.get((seat, event))
            if row is None:
                row = np.array(event_row(self._config, seat, event), np.float32)
                self._rows[seat, event] = row
            self.dict["history"][number] = row

    def string_from(self, state: ArboretumState, player: int) -> str:
        """What ``player`` knows at ``state`` as text."""
        table = state.table
        if not self._public:
            if not self._private:
                return ""
            now = private_text(redact(table.game, player)[0])
            if not self._recall:
                return now
            dealt = " ".join(map(self._config.card_text, table.dealt_hand(player)))
            return f"dealt {dealt} | {now}"
        text = information_text if self._recall else present_text
        return text(table, player if self._private else None)
