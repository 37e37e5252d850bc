"""What became of every card that a hand saw: kept to the end, planted or discarded, and when.

A row is a card in the hand of one seat in one game, however often it came into that hand; what
counts is where it ended. ``B`` games, ``P`` players, ``C`` cards, ``N`` rows.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.layout import IN_ARBORETUM
from arboretum_training.research.games import PlayedGames
from arboretum_training.research.hands import held_cards

FATES: Final = ("kept", "planted", "discarded")
"""Where a card ended, by the index that arrays use."""

KEPT, PLANTED, DISCARDED = range(3)


@dataclass(frozen=True)
class CardFates:
    """N cards that hands saw, ordered by game, seat and card.

    Attributes:
        game: [N] index of the game in the batch.
        seat: [N] absolute seat.
        species, rank: [N] index of the species in play, and 1..R.
        fate: [N] index into ``FATES``: in this hand at the end; planted by this seat; or anything
            else: discarded by it, whoever has the card at the end.
        came: [N] share of the game's turns, 0..1, that were over when it last came into the hand;
            0 for cards that were dealt.
        own_path: [N] points of the seat's best path in the card's species, whatever the right.
        rival_path: [N] the largest such points among the rivals.
        right: [N] whether the seat has the right to score the species at the end.
    """

    game: NDArray[np.int64]
    seat: NDArray[np.int64]
    species: NDArray[np.int64]
    rank: NDArray[np.int64]
    fate: NDArray[np.int64]
    came: NDArray[np.float64]
    own_path: NDArray[np.int64]
    rival_path: NDArray[np.int64]
    right: NDArray[np.bool_]

    def kept_by_rank(self, num_ranks: int) -> NDArray[np.float64]:
        """[R] of the cards of each rank that hands saw, the share that was kept; 0 of none."""
        kept = np.bincount(self.rank[self.fate == KEPT], minlength=num_ranks + 1)[1:]
        seen = np.bincount(self.rank, minlength=num_ranks + 1)[1:]
        return kept / np.maximum(seen, 1)


def card_fates(games: PlayedGames) -> CardFates:
    """The fates of all cards that hands saw."""
    config, final, scores = games.final.config, games.final, games.scores
    came = _last_arrivals(games)
    game, seat, card = np.nonzero(came >= 0)
    species = card // config.num_ranks
    fate = np.full(len(game), DISCARDED)
    fate[held_cards(final)[game, seat, card]] = KEPT
    fate[final.rows["place"][game, card] == IN_ARBORETUM + seat] = PLANTED
    paths = scores.path_points  # [B, P, S]
    rival_paths = [np.delete(paths, k, axis=1).max(axis=1) for k in range(config.num_players)]
    return CardFates(
        game=game,
        seat=seat,
        species=species,
        rank=card % config.num_ranks + 1,
        fate=fate,
        came=came[game, seat, card] / final.turn[game],
        own_path=paths[game, seat, species],
        rival_path=np.stack(rival_paths, axis=1)[game, seat, species],
        right=scores.right[game, seat, species],
    )


def _last_arrivals(games: PlayedGames) -> NDArray[np.int64]:
    """[B, P, C] completed turns when a card last came into a hand; -1 if it never did."""
    held = held_cards(games.initial)
    came = np.where(held, 0, -1)
    for state, _ in games.decisions():
        now = held_cards(state)
        arrived = now & ~held
        came[arrived] = np.broadcast_to(state.turn[:, None, None], arrived.shape)[arrived]
        held = now
    return came
