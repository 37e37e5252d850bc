"""The pieces of a raw observation as integer tensors."""

from typing import NamedTuple

import torch
from torch import Tensor

from arboretum_env.config import GameConfig
from arboretum_env.observation import CARD_FIELDS, Place, observation_slices


class Table(NamedTuple):
    """An observation's pieces, see ``OBSERVATION_LAYOUT``; all int64.

    Attributes:
        place, order, x, y: [B, S, R] of every card.
        mover, seat, phase, deck_size, turn, chosen_card: [B, 1].
        starting_discards, cancel_eights, rights_all: [B, 1] the rule options.
    """

    place: Tensor
    order: Tensor
    x: Tensor
    y: Tensor
    mover: Tensor
    seat: Tensor
    phase: Tensor
    deck_size: Tensor
    turn: Tensor
    chosen_card: Tensor
    starting_discards: Tensor
    cancel_eights: Tensor
    rights_all: Tensor

    @property
    def in_hand(self) -> Tensor:
        """[B, S, R] bool: the observer's hand cards."""
        return (self.place == Place.OWN_HAND) | (self.place == Place.OWN_KNOWN)


def read_table(observation: Tensor, config: GameConfig) -> Table:
    """Takes [B, L] int8 observations apart."""
    numbers = observation.long()
    slices = observation_slices(config)
    shape = (config.num_species, config.num_ranks, len(CARD_FIELDS))
    cards = torch.unflatten(numbers[:, slices["cards"]], 1, shape)
    scalars = {name: numbers[:, slices[name]] for name in Table._fields if name in slices}
    return Table(*(cards[..., field] for field in range(len(CARD_FIELDS))), **scalars)
