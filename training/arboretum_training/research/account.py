"""All that is measured of hand-blocking in a batch of games, and one game's account of it."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from arboretum_training.research.blocking import Blocking, blocking
from arboretum_training.research.cancelled import Cancelled, cancelled
from arboretum_training.research.discards import Discards, discards
from arboretum_training.research.games import PlayedGames
from arboretum_training.research.holding import Holding, holding, wasted_points
from arboretum_training.research.margins import NOBODY, Margins, margins
from arboretum_training.research.tempo import SOURCES, Tempo, tempo


@dataclass(frozen=True)
class Account:
    """The measures of B games; see the modules that they come from.

    Attributes:
        games: the games.
        hand_sum: [B, P, S] int64, ranks held at the end, cancelled top ranks counted 0.
        blocking, cancelled, margins, holding, discards, tempo: the measures.
        wasted: [B, P, S] int64, ``holding.wasted_points``.
    """

    games: PlayedGames
    hand_sum: NDArray[np.int64]
    blocking: Blocking
    cancelled: Cancelled
    margins: Margins
    holding: Holding
    wasted: NDArray[np.int64]
    discards: Discards
    tempo: Tempo

    @classmethod
    def of(cls, games: PlayedGames) -> Self:
        """Measures games."""
        scores, held = games.scores, holding(games.final)
        return cls(
            games=games,
            hand_sum=scores.hand_sum,
            blocking=blocking(scores),
            cancelled=cancelled(games.final),
            margins=margins(games.final),
            holding=held,
            wasted=wasted_points(games.final, held),
            discards=discards(games),
            tempo=tempo(games),
        )

    def seat_figures(self) -> dict[str, NDArray[np.float64]]:
        """[B, P] by name, one number a seat and game: what summaries are means of.

        Units: points, but for ``idle_cards`` (cards), ``cancelled_tops`` (cards), ``rivals_took``
        (share of the seat's discards) and ``deck_share`` (share of its draws).
        """
        split, held, left = self.blocking, self.holding, self.discards
        shape = split.potential.shape[:2]
        at_held, at_left = (held.game, held.seat), (left.game, left.seat)
        taken = (left.taken_by >= 0) & (left.taken_by != left.seat)
        discarded = _summed(shape, at_left, np.ones(len(left.game)))
        hand = np.maximum(_summed(shape, at_held, np.ones(len(held.game))), 1)
        draws = self.tempo.draws
        return {
            "potential": split.potential.sum(axis=2).astype(np.float64),
            "scored": split.scored.sum(axis=2).astype(np.float64),
            "denied": split.denied.sum(axis=2).astype(np.float64),
            "took": split.denials.sum(axis=(2, 3)),
            "took_in_spite": split.spite.sum(axis=(2, 3)),
            "wasted": self.wasted.sum(axis=2).astype(np.float64),
            "idle_cards": _summed(shape, at_held, held.idle),
            "price_at_last_plant": _summed(shape, at_held, np.nan_to_num(held.own_exchange)) / hand,
            "price_of_one_more_plant": _summed(shape, at_held, held.own_tempo) / hand,
            "cancelled_tops": (self.cancelled.by >= 0).sum(axis=2).astype(np.float64),
            "points_by_cancelling": self.cancelled.points.astype(np.float64),
            "exposure": _summed(shape, at_left, left.exposure) / np.maximum(discarded, 1),
            "right_exposure": _summed(shape, at_left, left.right_exposure)
            / np.maximum(discarded, 1),
            "rivals_took": _summed(shape, at_left, taken) / np.maximum(discarded, 1),
            "deck_share": draws[..., 0] / np.maximum(draws.sum(axis=2), 1),
        }

    def to_json(self, game: int) -> dict[str, Any]:
        """One game in full."""
        players = range(self.games.final.config.num_players)
        return {
            "scores": self.blocking.scored[game].sum(axis=1).tolist(),
            "turns": int(self.tempo.turns[game]),
            "closer": int(self.tempo.closer[game]),
            "draw_sources": [
                [SOURCES[source] for source in draws]
                for draws in self.tempo.source[: self.tempo.turns[game], :, game].tolist()
            ],
            "seats": [self._seat_json(game, seat) for seat in players],
        }

    def _seat_json(self, game: int, seat: int) -> dict[str, Any]:
        config, at = self.games.final.config, (game, seat)
        text = config.card_text
        held = np.flatnonzero((self.holding.game == game) & (self.holding.seat == seat))
        left = np.flatnonzero((self.discards.game == game) & (self.discards.seat == seat))
        return {
            "species": {
                letter: self._species_json((*at, species))
                for species, letter in enumerate(config.species)
            },
            "points_by_cancelling": int(self.cancelled.points[at]),
            "held": [
                {
                    "card": text(int(self.holding.card[row])),
                    "idle": bool(self.holding.idle[row]),
                    "without": self.holding.without[row].tolist(),
                    "at_last_plant": _numbers(self.holding.exchange[row]),
                    "one_more_plant": self.holding.tempo[row].tolist(),
                }
                for row in held
            ],
            "discards": [
                {
                    "turn": int(self.discards.turn[row]) + 1,
                    "card": text(int(self.discards.card[row])),
                    "path_gain": self.discards.path_gain[row].tolist(),
                    "right_gain": self.discards.right_gain[row].tolist(),
                    "taken_by": _seat_or_none(self.discards.taken_by[row]),
                }
                for row in left
            ],
            "draws": dict(zip(SOURCES, self.tempo.draws[at].tolist(), strict=True)),
        }

    def _species_json(self, at: tuple[int, int, int]) -> dict[str, Any]:
        game, seat, species = at
        safe, card = self.margins, int(self.margins.card[at])
        return {
            "hand_sum": int(self.hand_sum[at]),
            "right": bool(safe.right[at]),
            "margin": int(safe.margin[at]),
            "turned_over_by": None
            if card < 0
            else {
                "card": self.games.final.config.card_text(card),
                "leaves": _seat_or_none(safe.leaves[at]),
                "enters": _seat_or_none(safe.enters[at]),
                "ways": int(safe.ways[at]),
            },
            "top_cancelled_by": _seat_or_none(self.cancelled.by[at]),
            "potential": int(self.blocking.potential[at]),
            "scored": int(self.blocking.scored[at]),
            "denied": int(self.blocking.denied[at]),
            "denied_by": self.blocking.denials[game, :, seat, species].tolist(),
            "took": float(self.blocking.denials[game, seat, :, species].sum()),
            "spite_hold": bool(self.blocking.spite_holds[at]),
            "wasted": int(self.wasted[at]),
        }


def _summed(
    shape: tuple[int, ...], where: tuple[NDArray[np.int64], NDArray[np.int64]], values: Any
) -> NDArray[np.float64]:
    """[B, P] sums of values that belong to a game and a seat."""
    total = np.zeros(shape)
    np.add.at(total, where, values)
    return total


def _seat_or_none(seat: Any) -> int | None:
    return None if seat == NOBODY else int(seat)


def _numbers(values: NDArray[np.float64]) -> list[int] | None:
    return None if np.isnan(values).any() else [int(value) for value in values]
