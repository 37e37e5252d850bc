"""Species by species: who holds how much, who will have the right, and what it would be worth.

``features.rights`` takes several rivals' sums as independent and is fast; here every assignment of
a species' unseen cards to the rivals and the deck is gone through, at most 4^8 of them, so that the
chances are exact for any number of players: that of an assignment is the number of ways to deal the
other unseen cards. Rights are those that the hands of now would give at the end
(docs/rules.md, Scoring: rights).
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import best_path, path_points
from arboretum_env.features.outlook import outlook
from arboretum_env.features.rights import LOG_FACTORIAL
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_training.research.figure import Figure, exact
from arboretum_training.research.hidden import Hidden, hidden_cards, rank_sum


@dataclass(frozen=True)
class SeatRight:
    """One seat's account of one species, as the observer knows it.

    Attributes:
        seat: absolute.
        known_sum: of its cards that the observer knows; all of them, if it is the observer.
        expected_sum: of all its cards; a top rank that a 1 elsewhere cancels counts 0.
        right: the chance that it has the right to score the species.
        path: the best path's cards as texts; [] if there is none.
        path_points: its points, whatever the right.
        potential: the points of the best path after one more card of the species: of the own hand
            for the observer, for a rival any that it may hold or draw.
        expected_points: the chance of the right times the path's points.
    """

    seat: int
    known_sum: int
    expected_sum: Figure
    right: Figure
    path: tuple[str, ...]
    path_points: int
    potential: int
    expected_points: Figure

    def to_json(self) -> dict[str, Any]:
        """For the page and the command."""
        return {
            "seat": self.seat,
            "known_sum": self.known_sum,
            "expected_sum": self.expected_sum.to_json(),
            "right": self.right.to_json(),
            "path": list(self.path),
            "path_points": self.path_points,
            "potential": self.potential,
            "expected_points": self.expected_points.to_json(),
        }


def rights_table(view: PlayerView) -> dict[str, tuple[SeatRight, ...]]:
    """By species letter, every seat's account, seats ascending."""
    config, hidden = view.config, hidden_cards(view)
    standing = outlook(PlayerViews(config, view.to_observation()[None, :]))
    table = {}
    for species, letter in enumerate(config.species):
        chances, sums = _rights(view, hidden, species)
        rows = []
        for seat in range(config.num_players):
            path = best_path(view.arboreta[seat], species, config.num_ranks)
            points = path_points(path, species, config.num_ranks) if path else 0
            gains = standing.own_gain[0, (seat - view.seat) % config.num_players]
            within_reach = _reach(view, hidden, seat, species)
            rows.append(
                SeatRight(
                    seat=seat,
                    known_sum=rank_sum(view, _known(view, seat), species),
                    expected_sum=exact(sums[seat]),
                    right=exact(chances[seat]),
                    path=tuple(map(config.card_text, path)),
                    path_points=points,
                    potential=points + max((int(gains[card]) for card in within_reach), default=0),
                    expected_points=exact(chances[seat] * points),
                )
            )
        table[letter] = tuple(rows)
    return table


def table_json(table: dict[str, tuple[SeatRight, ...]]) -> list[dict[str, Any]]:
    """The table for JSON, a row a species."""
    return [
        {"species": letter, "seats": [row.to_json() for row in rows]}
        for letter, rows in table.items()
    ]


def _known(view: PlayerView, seat: int) -> tuple[int, ...]:
    return view.hand if seat == view.seat else tuple(view.known_hands[seat])


def _reach(view: PlayerView, hidden: Hidden, seat: int, species: int) -> list[int]:
    """Cards of a species that a seat may plant next: held, or drawn first."""
    cards = set(_known(view, seat))
    if seat != view.seat:
        cards.update(hidden.unseen)
        cards.update(pile[-1] for pile in view.discard_piles if pile)
    return [card for card in cards if card // view.config.num_ranks == species]


@lru_cache(maxsize=64)
def _assignments(count: int, places: int) -> NDArray[np.int8]:
    """[places^count, count] every way to put cards into places, the last place being the deck."""
    ways = np.array(list(product(range(places), repeat=count)), np.int8)
    return ways.reshape(places**count, count)


def _rights(view: PlayerView, hidden: Hidden, species: int) -> tuple[list[float], list[float]]:
    """([P] chances of the right, [P] expected sums, cancelled top ranks counted 0)."""
    config = view.config
    rivals = list(hidden.slots)
    ranks = [card % config.num_ranks + 1 for card in hidden.unseen if _of(config, card, species)]
    ways = _assignments(len(ranks), len(rivals) + 1)
    weight = _weights(ways, [*hidden.slots.values(), hidden.deck], len(hidden.unseen))
    sums = np.zeros((config.num_players, len(ways)))
    ones = np.zeros(sums.shape, np.bool_)
    tops = np.zeros(sums.shape, np.bool_)
    for seat in range(config.num_players):
        held = [c % config.num_ranks + 1 for c in _known(view, seat) if _of(config, c, species)]
        sums[seat], ones[seat], tops[seat] = sum(held), 1 in held, config.num_ranks in held
        if seat in hidden.slots:
            mine = ways == rivals.index(seat)
            sums[seat] += mine @ np.array(ranks, np.float64)
            for column, rank in enumerate(ranks):
                ones[seat] |= mine[:, column] & (rank == 1)
                tops[seat] |= mine[:, column] & (rank == config.num_ranks)
    if config.cancel_eights:
        elsewhere = ones.sum(axis=0) - ones > 0
        sums -= config.num_ranks * (tops & elsewhere)
    right = sums == sums.max(axis=0) if config.rights == "highest" else np.ones_like(tops)
    return (right @ weight).tolist(), (sums @ weight).tolist()


def _of(config: GameConfig, card: int, species: int) -> bool:
    return card // config.num_ranks == species


def _weights(ways: NDArray[np.int8], room: list[int], unseen: int) -> NDArray[np.float64]:
    """[n] the chance of every assignment: ways to deal the other unseen cards, of all ways."""
    logs = np.full(len(ways), LOG_FACTORIAL[unseen - ways.shape[1]] - LOG_FACTORIAL[unseen])
    fits = np.ones(len(ways), np.bool_)
    for place, size in enumerate(room):
        left = size - (ways == place).sum(axis=1)
        fits &= left >= 0
        logs += LOG_FACTORIAL[size] - LOG_FACTORIAL[np.maximum(left, 0)]
    return np.where(fits, np.exp(logs), 0.0)
