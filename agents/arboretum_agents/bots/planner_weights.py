"""What the planner weighs, and the tuned tables for each number of players."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class PlannerWeights(NamedTuple):
    """Weights in points, unless said otherwise; ``left`` is the share of the deck that is left.

    The first block makes up the stakes, what a species may bring in the end; the second values hand
    cards; the third placements; the fourth discards; the fifth draws.
    """

    grow: float = 1.0  # own stake: a planted card of the species, times left
    rival_grow: float = 1.0  # a rival's stake: likewise
    trust: float = 0.5  # share of a gain that counts even without the right to score

    hold: float = 1.0  # own points that a hand card secures
    deny: float = 0.6  # rivals' points that a hand card takes away
    hold_any: float = 0.05  # a rank held of a species it has not planted
    hold_planted: float = 0.15  # a rank held of a species it has planted
    guard: float = 0.3  # a 1 held where a rival may hold the top rank: share of the stakes

    same_species: float = 1.2  # a neighbour of the same species in rank order
    gap: float = 0.4  # a rank skipped to the nearest neighbour in order
    new_cells: float = 0.4  # a cell that opens up

    keep: float = 0.5  # share of what the card would gain if it were planted, times left
    offer: float = 0.5  # share of what a discard would gain a rival
    offer_hold: float = 0.05  # a rank offered of a species that the rival has planted
    later: float = 0.6  # an offer to a seat that moves after the next one, against the next one

    spare: float = 0.3  # a drawn card's lesser use (planted or held), against its better one
    take: float = 0.3  # share of a rival's gain that taking a pile's top prevents
    deck: float = 0.0  # the deck itself
    tempo: float = 0.05  # drawing from the deck for every point ahead


UNTUNED: Final = PlannerWeights()
"""Chosen by hand, for every number of players."""

TUNED: Final[Mapping[int, PlannerWeights]] = MappingProxyType({})
"""By number of players; made by ``python -m arboretum_training.tuning``."""
