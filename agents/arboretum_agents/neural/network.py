"""The species-shared policy and value network (docs/learning.md, What the network sees).

::

    species [B, S, F] -> layer -> layer -> h [B, S, H] ---------------+--> layer -> z [B, S, H]
                                            |                         |
    scalars [B, G] ------------> mean and maximum, layer -> g [B, D] -+

Every card's logit is read off its species' ``z``. A placement adds the product of its card's vector
with a small network over the placement, and its gain in every species, weighed by that species'
``z``. One set of weights serves all species, so relabelling them relabels the output.

The weights are those of a game of four whatever the number of players: a smaller game has fewer
rivals, whose inputs and outputs stand at the end, and leaves their weights alone.

``B`` views, ``S`` species, ``R`` ranks, ``C`` cards, ``P`` players, ``M`` placements of all views.
"""

from collections.abc import Mapping

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own customary name
from torch import Tensor, nn

from arboretum_agents.neural.categorical import Segments
from arboretum_agents.neural.encoder import (
    RIVAL_SCALARS,
    rival_species_features,
    scalar_features,
    species_features,
)
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.neural.reductions import mean_and_maximum
from arboretum_agents.neural.segment_products import hidden_products, products_by_segment
from arboretum_env.config import MAX_PLAYERS, GameConfig
from arboretum_env.features.placements import PLACEMENT_FEATURES


class SpeciesTrunk(nn.Module):
    """The layers under every head, up to z and g.

    Args:
        game: sizes of inputs.
        config: sizes of the layers.
    """

    def __init__(self, game: GameConfig, config: NetworkConfig) -> None:
        super().__init__()
        width, pooled = config.species_width, config.global_width
        self.sizes = config
        self.num_players = game.num_players
        self.num_ranks = game.num_ranks
        self.species_in = nn.Linear(species_features(MAX_PLAYERS, game.num_ranks), width)
        self.species_out = nn.Linear(width, width)
        self.pool = nn.Linear(2 * width + scalar_features(MAX_PLAYERS), pooled)
        self.mix_species = nn.Linear(width, width)
        self.mix_pooled = nn.Linear(pooled, width)

    def trunk(self, species: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor]:
        """Shared layers.

        Args:
            species: [B, S, F].
            scalars: [B, G].

        Returns:
            z [B, S, H] and g [B, D].
        """
        hidden = _first_inputs(self.species_in, species).relu()
        hidden = self.species_out(hidden).relu()
        inputs = torch.cat([mean_and_maximum(hidden), scalars], dim=1)
        pooled = _first_inputs(self.pool, inputs).relu()
        mixed = self.mix_species(hidden) + self.mix_pooled(pooled).unsqueeze(1)
        return mixed.relu(), pooled


def _first_inputs(layer: nn.Linear, inputs: Tensor) -> Tensor:
    """The layer on as many of its inputs as there are."""
    return F.linear(inputs, first_columns(layer.weight, inputs.shape[-1]), layer.bias)


def first_columns(weight: Tensor, number: int) -> Tensor:
    """The first columns of a weight, next to each other: products with a part are far slower."""
    return weight[:, :number].contiguous()


class PolicyNetwork(SpeciesTrunk):
    """Logits of every kind of decision, and the value of the deciding seat.

    Args:
        game: sizes of inputs and outputs.
        config: sizes of the layers.
    """

    def __init__(self, game: GameConfig, config: NetworkConfig) -> None:
        super().__init__(game, config)
        width, pooled = config.species_width, config.global_width
        self.value_head = nn.Sequential(
            nn.Linear(width + pooled, pooled), nn.ReLU(), nn.Linear(pooled, 1)
        )
        self.draw_deck = nn.Linear(pooled, 1)
        self.draw_pile = nn.Linear(pooled, MAX_PLAYERS)
        self.draw_card = nn.Linear(width, game.num_ranks)
        self.discard_card = nn.Linear(width, game.num_ranks)
        self.play_card = nn.Linear(width, game.num_ranks)
        self.play_vector = nn.Linear(width, game.num_ranks * config.placement_width)
        self.play_gain = nn.Linear(width, 1)
        self.placement = nn.Sequential(
            nn.Linear(len(PLACEMENT_FEATURES), config.placement_hidden),
            nn.ReLU(inplace=True),
            nn.Linear(config.placement_hidden, config.placement_width),
        )
        self.belief = nn.Linear(width, (MAX_PLAYERS - 1) * game.num_ranks)
        self._small_outputs()

    def _small_outputs(self) -> None:
        """Near-uniform first policy and near-zero first values (Andrychowicz et al. 2021)."""
        heads = (self.draw_deck, self.draw_pile, self.draw_card, self.discard_card, self.play_card)
        last = self.value_head[2]
        assert isinstance(last, nn.Linear)
        with torch.no_grad():
            for layer in (*heads, self.play_vector, self.play_gain, last):
                layer.weight.mul_(0.1)
                layer.bias.zero_()

    def value(self, z: Tensor, pooled: Tensor) -> Tensor:
        """[B] expected return of the deciding seat."""
        value: Tensor = self.value_head(torch.cat([z.mean(dim=1), pooled], dim=1)).squeeze(1)
        return value

    def draw_logits(self, z: Tensor, pooled: Tensor, tops: Tensor) -> Tensor:
        """Logits of drawing from the deck and from every pile.

        Args:
            tops: [B, P] card id on top of each pile, -1 for none (its logit means nothing).

        Returns:
            [B, 1 + P].
        """
        cards = self.draw_card(z).flatten(1)
        of_tops = cards.gather(1, tops.clamp(min=0))
        of_piles = self.draw_pile(pooled)[:, : self.num_players]
        return torch.cat([self.draw_deck(pooled), of_piles + of_tops], dim=1)

    def discard_logits(self, z: Tensor) -> Tensor:
        """[B, C] logits of discarding each card."""
        logits: Tensor = self.discard_card(z).flatten(1)
        return logits

    def belief_logits(self, z: Tensor) -> Tensor:
        """[B, P - 1, C] log odds that a card which the seat does not see is in a rival's hand."""
        rivals = self.num_players - 1
        of_cards: Tensor = self.belief(z)[..., : rivals * self.num_ranks]
        by_rival = of_cards.reshape(*z.shape[:2], rivals, self.num_ranks)
        return by_rival.transpose(1, 2).flatten(2)

    def placement_logits(
        self, z: Tensor, segments: Segments, card: Tensor, gain: Tensor, features: Tensor
    ) -> Tensor:
        """Logits of planting a card on a cell.

        Args:
            segments: which of the M placements belong to which of the B views.
            card: [M] card ids.
            gain: [M, S] points gained by species.
            features: [M, 16] ``PLACEMENT_FEATURES``.

        Returns:
            [M].
        """
        row = torch.arange(len(z), device=z.device)
        of_card = segments.spread(row) * (z.shape[1] * self.num_ranks) + card
        # A card's placements stand together: what depends on the card alone is computed once.
        cards, counts = torch.unique_consecutive(of_card, return_counts=True)
        by_card = Segments.from_lengths(counts)
        length = self.play_vector.out_features // self.num_ranks
        vectors = self.play_vector(z).view(-1, length).index_select(0, cards).float()
        bias = self.play_card(z).flatten().index_select(0, cards)
        weight = 0.1 * self.play_gain(z).squeeze(2).float()
        first, second = (layer for layer in self.placement if isinstance(layer, nn.Linear))
        # Never in bfloat16: the layers are too small to gain by it.
        with torch.autocast(z.device.type, enabled=False):
            # The product of a card's vector with the second layer is linear in the first one's
            # units: the layer is taken to the vectors, of which there are far fewer.
            matched = hidden_products(
                features, first.weight, first.bias, vectors @ second.weight, by_card
            )
            # No product with a vector: what a row gives would depend on how many rows there are.
            of_cards = bias + (vectors * second.bias).sum(dim=1)
            gained = products_by_segment(weight, gain, segments)
        logits: Tensor = by_card.spread(of_cards) + matched + gained
        return logits


def with_more_rivals(
    weights: Mapping[str, Tensor], network: PolicyNetwork, known: int
) -> dict[str, Tensor]:
    """Weights of a network that was trained with fewer players, to begin training with more.

    Rivals that it never met are seen as the last one that it knew.

    Args:
        weights: a state dict; copied.
        network: whose sizes they are of.
        known: number of players that it was trained with.
    """
    result = {name: tensor.clone() for name, tensor in weights.items()}
    ranks = network.num_ranks
    width = network.species_out.in_features
    for name, start, block in (
        ("species_in.weight", species_features(1, ranks), rival_species_features(ranks)),
        ("pool.weight", 2 * width + scalar_features(1), RIVAL_SCALARS),
    ):
        last = start + (known - 2) * block
        for first in range(last + block, result[name].shape[1], block):
            result[name][:, first : first + block] = result[name][:, last : last + block]
    for name, block in (("draw_pile", 1), ("belief", ranks)):
        last = (known - 2) * block + (1 if name == "draw_pile" else 0)
        for kind in ("weight", "bias"):
            tensor = result[f"{name}.{kind}"]
            for first in range(last + block, len(tensor), block):
                tensor[first : first + block] = tensor[last : last + block]
    return result
