"""Keys of information sets: a hash of everything that a seat may know, and of nothing else.

Two positions have the same key for a seat if and only if the seat cannot tell them apart (up to
chance: 128 bits). A seat knows the game's options (species by number, not by name), its place at
the table, the cards it was dealt, all that lies open, and everything that happened, as it saw it: a
rival's draw from the deck without its card, and a rival's choice of a card to plant without the
card, until it is planted. The past counts: of two positions that look alike now, one in which a
rival drew twice from the deck is another information set than one in which it drew from a pile
(perfect recall).

The hash is folded event by event, so it costs next to nothing beside the game itself. It is no
cipher: a key of 128 bits can be found for a guessed hand by trying.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine.layout import (
    CHOSEN,
    DECK,
    DECK_LENGTH,
    DRAWN,
    IN_HAND,
    IN_PILE,
    MOVER,
    NUM_CARDS,
    NUM_PLAYERS,
    PHASE,
    PILE_TOP,
    PLACE,
)
from arboretum_env.engine.memory import row_pointer
from arboretum_env.engine.state import GameState
from arboretum_env.errors import DealError
from arboretum_env.phase import Phase
from arboretum_env.seeding import subkey

KEY_BYTES: Final = 16

_LANES: Final = 2  # 64 bits each, folded from different beginnings
_PLAY = int(Phase.PLAY)
_PLACE = int(Phase.PLACE)
_DRAW_SECOND = int(Phase.DRAW_SECOND)
# What happened, as a number: the kind of event in steps that leave room for its details.
_KIND: Final = 1 << 20
_DEALT, _OPEN, _OWN_DRAW, _HIDDEN_DRAW, _PILE_DRAW, _OWN_CHOICE, _HIDDEN_CHOICE = range(7)
_PLANT, _DISCARD = 7, 8


@kernel
def _fold(keys, b, p, event):  # type: ignore[no-untyped-def]
    for lane in range(_LANES):
        keys[b, p, lane] = subkey(keys[b, p, lane], np.uint64(event))


@kernel
def _begin(raw, keys):  # type: ignore[no-untyped-def]
    """Folds in the options, the seat, the own hand and what lies open, of games just dealt."""
    for b in range(raw.shape[0]):
        row = row_pointer(raw, b)
        players, num_cards = np.int64(row[NUM_PLAYERS]), np.int64(row[NUM_CARDS])
        for p in range(players):
            for lane in range(_LANES):
                keys[b, p, lane] = np.uint64(lane + 1)
            for option in range(DECK_LENGTH + 1):
                _fold(keys, b, p, np.int64(row[NUM_PLAYERS + option]))
            _fold(keys, b, p, p)
            for card in range(num_cards):
                place = np.int64(row[PLACE + card])
                if place == IN_HAND + p:
                    _fold(keys, b, p, _DEALT * _KIND + card)
                elif IN_PILE <= place < IN_PILE + players:
                    _fold(keys, b, p, _OPEN * _KIND + 128 * (place - IN_PILE) + card)


@kernel
def _note(raw, actions, keys):  # type: ignore[no-untyped-def]
    """Folds one decision of every game into every seat's key; the rows are those before it."""
    for b in range(raw.shape[0]):
        action = actions[b]
        if action < 0:
            continue
        row = row_pointer(raw, b)
        players, num_cards = np.int64(row[NUM_PLAYERS]), np.int64(row[NUM_CARDS])
        mover, phase = np.int64(row[MOVER]), np.int64(row[PHASE])
        index = action - 1 - players
        # own: as its mover sees it; seen: as everybody else does.
        if phase <= _DRAW_SECOND and action == 0:
            own = _OWN_DRAW * _KIND + np.int64(row[DECK + np.int64(row[DRAWN])])
            seen = _HIDDEN_DRAW * _KIND
        elif phase <= _DRAW_SECOND:
            owner = (mover + action - 1) % players
            own = _PILE_DRAW * _KIND + 128 * owner + np.int64(row[PILE_TOP + owner])
            seen = own
        elif phase == _PLAY:
            own = _OWN_CHOICE * _KIND + index
            seen = _HIDDEN_CHOICE * _KIND
        elif phase == _PLACE:
            own = _PLANT * _KIND + 512 * np.int64(row[CHOSEN]) + index - num_cards
            seen = own
        else:
            own = _DISCARD * _KIND + index
            seen = own
        for p in range(players):
            _fold(keys, b, p, own if p == mover else seen)


class InformationKeys:
    """The keys of every seat of B games, kept while somebody plays them.

    Args:
        state: the games as they were dealt.

    Raises:
        DealError: a game has begun already: what its seats saw before is lost.
    """

    def __init__(self, state: GameState) -> None:
        if (state.turn > 0).any() or (state.phase > 0).any():
            raise DealError("a game has begun already: keys of information sets start at the deal")
        self._keys = np.empty((len(state), state.config.num_players, _LANES), np.uint64)
        _begin(state.raw, self._keys)

    def note(self, state: GameState, actions: NDArray[np.int64]) -> None:
        """Notes one decision of every game.

        Args:
            state: the games before it.
            actions: [B] legal flat action ids; -1 where the game is over.
        """
        _note(state.raw, actions, self._keys)

    def of(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.uint8]:
        """[n, KEY_BYTES] the keys of one seat of each of some games, as they stand."""
        little = np.ascontiguousarray(self._keys[rows, seats].astype("<u8"))
        return little.view(np.uint8)
