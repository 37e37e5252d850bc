"""Species by species: who holds how much, who will have the right, and what it would be worth.

``features.rights`` takes several rivals' sums as independent and is fast; these are exact for any
number of players (``research.hand_sums``), every deal of the unseen cards being as likely as
another. Rights are those that the hands of now would give at the end (docs/rules.md, Scoring:
rights).
"""

from dataclasses import dataclass
from typing import Any

from arboretum_env.engine.scoring import best_path, path_points
from arboretum_env.features.outlook import outlook
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_training.research.figure import Figure, exact
from arboretum_training.research.hidden import Hidden, hidden_cards, rank_sum
from arboretum_training.research.odds_belief import UniformModel


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
    belief = UniformModel().believe(view)
    standing = outlook(PlayerViews(config, view.to_observation()[None, :]))
    table = {}
    for species, letter in enumerate(config.species):
        sums = belief.hand_sums((species,))
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
                    expected_sum=exact(sums.expected[seat, 0]),
                    right=exact(sums.rights[seat, 0]),
                    path=tuple(map(config.card_text, path)),
                    path_points=points,
                    potential=points + max((int(gains[card]) for card in within_reach), default=0),
                    expected_points=exact(sums.rights[seat, 0] * points),
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
