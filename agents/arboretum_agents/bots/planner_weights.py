"""What the planner weighs, and the tuned tables for each number of players."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class PlannerWeights(NamedTuple):
    """Weights in points, unless said otherwise; ``left`` is the share of the deck that is left.

    The first block makes up the stakes, what a species may bring in the end; the second values hand
    cards; the third placements; the fourth discards; the fifth draws; the last says which unseen
    cards rivals are thought to hold.
    """

    grow: float = 1.0  # own stake: a planted card of the species, times left
    rival_grow: float = 1.0  # a rival's stake: likewise
    grow_more: float = 0.0  # more for every other card of the species, as a share
    trust: float = 0.5  # share of a gain that counts even without the right to score
    trust_early: float = 0.0  # more of it, times left

    hold: float = 1.0  # own points that a hand card secures
    deny: float = 0.6  # rivals' points that a hand card takes away
    hold_early: float = 0.0  # more of the former, as a share, times left
    deny_early: float = 0.0  # more of the latter, likewise
    hold_any: float = 0.05  # a rank held of a species it has not planted
    hold_planted: float = 0.15  # a rank held of a species it has planted
    guard: float = 0.3  # a 1 held where a rival may hold the top rank: share of the stakes

    same_species: float = 1.2  # a neighbour of the same species in rank order
    gap: float = 0.4  # a rank skipped to the nearest neighbour in order
    new_cells: float = 0.4  # a cell that opens up
    own_way: float = 0.0  # a card on the best ways in from and on to the species, times left
    any_way: float = 0.0  # likewise of any species

    keep: float = 0.5  # share of what the card would gain if it were planted, times left
    offer: float = 0.5  # share of what a discard would gain a rival
    offer_hold: float = 0.05  # a rank offered of a species that the rival has planted
    later: float = 0.6  # an offer to a seat that moves after the next one, against the next one

    spare: float = 0.3  # a drawn card's lesser use (planted or held), against its better one
    take: float = 0.3  # share of a rival's gain that taking a pile's top prevents
    deck: float = 0.0  # the deck itself
    tempo: float = 0.05  # drawing from the deck for every point ahead

    belief_planted: float = 0.0  # log odds of a rival's holding a card, for each of its planted
    belief_shed: float = 0.0  # less for each of the species that the rival has discarded
    belief_rank: float = 0.0  # log odds of a hand card for every rank


UNTUNED: Final = PlannerWeights()
"""Chosen by hand, for every number of players."""

TUNED: Final[Mapping[int, PlannerWeights]] = MappingProxyType(
    {
        2: PlannerWeights(
            grow=2.74,
            rival_grow=1.15,
            grow_more=-0.0632,
            trust=0.118,
            trust_early=0.0649,
            hold=2.6,
            deny=1.39,
            hold_early=0.165,
            deny_early=0.121,
            hold_any=0.0457,
            hold_planted=0.27,
            guard=0.168,
            same_species=0.0825,
            gap=0.124,
            new_cells=0.0643,
            own_way=0.0982,
            any_way=0.475,
            keep=0.314,
            offer=0.74,
            offer_hold=0.0266,
            later=1.35,
            spare=0.805,
            take=0.406,
            deck=0.252,
            tempo=0.159,
            belief_planted=0.262,
            belief_shed=0.148,
            belief_rank=0.199,
        ),
        3: PlannerWeights(
            grow=1.57,
            rival_grow=1.25,
            grow_more=-0.118,
            trust=0.0139,
            trust_early=-0.121,
            hold=2.86,
            deny=0.648,
            hold_early=0.0183,
            deny_early=0.00781,
            hold_any=0.04,
            hold_planted=0.147,
            guard=0.425,
            same_species=-0.129,
            gap=0.0979,
            new_cells=0.0555,
            own_way=0.0259,
            any_way=0.452,
            keep=0.0568,
            offer=0.0344,
            offer_hold=0.0533,
            later=0.0955,
            spare=0.535,
            take=0.195,
            deck=0.0404,
            tempo=-0.00714,
            belief_planted=0.259,
            belief_shed=0.102,
            belief_rank=0.216,
        ),
        4: PlannerWeights(
            grow=2.29,
            rival_grow=0.611,
            grow_more=0.0498,
            trust=0.13,
            trust_early=-0.232,
            hold=3.35,
            deny=0.539,
            hold_early=0.089,
            deny_early=-0.0572,
            hold_any=0.046,
            hold_planted=0.163,
            guard=0.54,
            same_species=-0.0917,
            gap=0.0754,
            new_cells=0.106,
            own_way=-0.0724,
            any_way=0.644,
            keep=0.172,
            offer=0.0815,
            offer_hold=0.0404,
            later=0.0394,
            spare=0.551,
            take=0.248,
            deck=-0.00498,
            tempo=-0.0085,
            belief_planted=0.176,
            belief_shed=-0.104,
            belief_rank=0.13,
        ),
    }
)
"""By number of players; made by ``python -m arboretum_training.tuning`` and then rounded.

They are ``planner@1`` and never change: better ones are another version.
"""
