"""Sizes of the policy network, as an experiment's YAML and a checkpoint name them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Width = Annotated[int, Field(ge=1, le=4096)]


class NetworkConfig(BaseModel):
    """Sizes of the species-shared network.

    The weights are shared over species, so none of these sizes depends on the number of species.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    species_width: Width = 96
    """Units of each of the per-species layers."""

    global_width: Width = 96
    """Units of the layer that pools the species and the scalars."""

    placement_hidden: Width = 24
    """Hidden units of the little network over one candidate placement."""

    placement_width: Width = 12
    """Length of the vectors whose product scores a card on a cell."""
