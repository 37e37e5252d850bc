"""What a discard lays open to the rivals: any of them may take the top of any pile.

``D`` denotes discards of all games, ``P`` players. Unit: points.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.layout import IN_HAND
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.features.outlook import outlook
from arboretum_env.phase import Phase
from arboretum_env.view import redact
from arboretum_training.research.games import PlayedGames


@dataclass(frozen=True)
class Discards:
    """Every discard of B games, turn by turn.

    Attributes:
        game: [D] int64, row of the game.
        turn: [D] int64, counted from 0.
        seat: [D] int64, who discarded.
        card: [D] int64, its id.
        path_gain: [D, P] int64, the most that the card would add to every seat's best paths, all
            species together, if that seat planted it next; rights aside. Public: it follows from
            the arboreta alone.
        right_gain: [D, P, P] int64, ``right_gain[d, q, p]``: change of seat p's points if seat q
            held the card and the game ended there, no path changed. Ex post: it follows from the
            true hands.
        taken_by: [D] int64, the seat that drew the card later, or -1.
        taken_on: [D] int64, the turn of that draw, or -1.
    """

    game: NDArray[np.int64]
    turn: NDArray[np.int64]
    seat: NDArray[np.int64]
    card: NDArray[np.int64]
    path_gain: NDArray[np.int64]
    right_gain: NDArray[np.int64]
    taken_by: NDArray[np.int64]
    taken_on: NDArray[np.int64]

    @property
    def exposure(self) -> NDArray[np.int64]:
        """[D] the largest path gain that the discard lays open to a rival: its public exposure."""
        rivals = self.path_gain.copy()
        rivals[np.arange(len(self.seat)), self.seat] = 0
        exposure: NDArray[np.int64] = rivals.max(axis=1)
        return exposure

    @property
    def right_exposure(self) -> NDArray[np.int64]:
        """[D] the largest gain in points that a rival would have of holding it; ex post."""
        own = np.arange(self.right_gain.shape[1])
        of_holder = self.right_gain[:, own, own].copy()  # [D, P] the holder's own change
        of_holder[np.arange(len(self.seat)), self.seat] = 0
        exposure: NDArray[np.int64] = of_holder.max(axis=1)
        return exposure


def discards(games: PlayedGames) -> Discards:
    """Plays the games again, and looks at the table after every discard."""
    batch = len(games)
    parts: list[tuple[NDArray[np.int64], ...]] = []
    taken: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    lying = np.full((batch, games.final.config.num_cards), -1, np.int64)  # discard number
    count, before = 0, None
    for state, actions in games.decisions():
        if before is not None:
            rows, seats, turns = before
            cards = state.rows["pile_top"][rows, seats].astype(np.int64)
            lying[rows, cards] = np.arange(count, count + len(rows))
            count += len(rows)
            parts.append((rows, turns, seats, cards, *_gains(state.select(rows), seats, cards)))
            before = None
        if (state.phase <= Phase.DRAW_SECOND).any():
            taken.append(_taken(state, actions, lying))
        elif (state.phase == Phase.DISCARD).any():
            rows = np.flatnonzero(actions >= 0)
            before = (
                rows,
                state.mover[rows].astype(np.int64),
                state.turn[rows].astype(np.int64),
            )
    rows, seats, turns = before if before is not None else (np.zeros(0, np.int64),) * 3
    cards = games.final.rows["pile_top"][rows, seats].astype(np.int64)
    parts.append((rows, turns, seats, cards, *_gains(games.final.select(rows), seats, cards)))
    game, turn, seat, card, path_gain, right_gain = map(np.concatenate, zip(*parts, strict=True))
    by, on = (np.full(len(game), -1, np.int64) for _ in range(2))
    for number, (discard, taker) in enumerate(taken):
        by[discard] = taker
        on[discard] = number // 2  # two draws a turn
    return Discards(game, turn, seat, card, path_gain, right_gain, by, on)


def _gains(
    state: GameState, seats: NDArray[np.int64], cards: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(``path_gain``, ``right_gain``) of cards just discarded."""
    players, row = state.config.num_players, np.arange(len(state))
    relative = (np.arange(players)[None, :] - seats[:, None]) % players
    path_gain = outlook(redact(state, seats)).total_gain[row[:, None], relative, cards[:, None]]
    before = score(state).points
    right_gain = np.empty((len(state), players, players), np.int64)
    for holder in range(players):
        held = state.clone()
        held.rows["place"][row, cards] = IN_HAND + holder
        right_gain[:, holder] = score(held).points - before
    return path_gain.astype(np.int64), right_gain


def _taken(
    state: GameState, actions: NDArray[np.int64], lying: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(discards that a draw takes up again, the seats that draw); they no longer lie there."""
    players = state.config.num_players
    rows = np.flatnonzero(actions > 0)  # 0 is the deck, -1 no draw
    takers = state.mover[rows].astype(np.int64)
    owners = (takers + actions[rows] - 1) % players
    cards = state.rows["pile_top"][rows, owners].astype(np.int64)
    numbers = lying[rows, cards]
    lying[rows, cards] = -1
    known = numbers >= 0  # a starting discard is none of ours
    return numbers[known], takers[known]
