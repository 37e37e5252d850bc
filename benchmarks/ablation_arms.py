"""The arms of ``benchmarks.ablations``: the default experiment with one idea changed."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final
from unittest import mock

import torch
from torch import Tensor, nn

from arboretum_agents.neural import encoder, network, policy
from arboretum_agents.neural.categorical import Segments
from arboretum_agents.neural.encoder import EncodedViews
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_env.features.placements import PLACEMENT_FEATURES, Placements
from arboretum_env.view import PlayerViews
from arboretum_training import choices, ppo
from arboretum_training.actor_critic import ActorCritic
from arboretum_training.config import ExperimentConfig

Patch = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True)
class Arm:
    """A variant of the trainer.

    Attributes:
        meaning: what is different, for the table.
        sections: keys of the experiment that are, by section.
        patch: what is put in place of the product's own code, in this process.
    """

    meaning: str
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    patch: Patch = nullcontext

    def experiment(self, seed: int) -> ExperimentConfig:
        """The experiment of one seed."""
        return ExperimentConfig.model_validate(
            {"name": "arm", "seed": seed, "precision": "float32", **self.sections}
        )


@contextmanager
def patched(name: str, wrap: Callable[[Any], Any]) -> Iterator[None]:
    """Wraps a function wherever networks get their inputs from: in games and at play."""
    modules = (choices, policy)
    originals = [getattr(module, name) for module in modules]
    for module, original in zip(modules, originals, strict=True):
        setattr(module, name, wrap(original))
    try:
        yield
    finally:
        for module, original in zip(modules, originals, strict=True):
            setattr(module, name, original)


def _columns(
    own_card: list[int], rival_card: list[int], sums: list[int], rival_sums: list[int]
) -> list[int]:
    """Columns of a species of a game of two, by their places within a card and within the sums."""
    ranks = 8
    own = encoder._OWN_CARD * ranks + encoder._OWN_SPECIES
    found = [encoder._OWN_CARD * rank + place for rank in range(ranks) for place in own_card]
    found += [encoder._OWN_CARD * ranks + place for place in sums]
    found += [own + encoder._RIVAL_CARD * r + place for r in range(ranks) for place in rival_card]
    return found + [own + encoder._RIVAL_CARD * ranks + place for place in rival_sums]


def without_columns(columns: list[int], scalars: list[int]) -> Patch:
    """The encoder with some of its numbers always 0."""

    def wrap(
        encode: Callable[[PlayerViews], EncodedViews],
    ) -> Callable[[PlayerViews], EncodedViews]:
        def fewer(views: PlayerViews) -> EncodedViews:
            encoded = encode(views)
            encoded.species[:, :, columns] = 0.0
            encoded.scalars[:, scalars] = 0.0
            return encoded

        return fewer

    return lambda: patched("encode", wrap)


def without_path_gains() -> AbstractContextManager[None]:
    """Placements whose gains and paths are not seen, only what lies next to them."""
    local = (
        "neighbours",
        "new_cells",
        "lower",
        "higher",
        "same_lower",
        "same_higher",
        "gap_below",
        "gap_above",
    )
    hidden = [i for i, name in enumerate(PLACEMENT_FEATURES) if name not in local]

    def wrap(
        placements: Callable[[PlayerViews], Placements],
    ) -> Callable[[PlayerViews], Placements]:
        def fewer(views: PlayerViews) -> Placements:
            found = placements(views)
            found.gain[:] = 0.0
            found.features[:, hidden] = 0.0
            return found

        return fewer

    return patched("placements", wrap)


@contextmanager
def card_then_cell() -> Iterator[None]:
    """A card is chosen by its own logit alone, then a cell for it: not both at once."""
    joint = PolicyNetwork.placement_logits

    def factored(
        self: PolicyNetwork,
        z: Tensor,
        segments: Segments,
        card: Tensor,
        gain: Tensor,
        features: Tensor,
    ) -> Tensor:
        """Log-probabilities, so that the softmax over all placements leaves them as they are."""
        num_cards = z.shape[1] * self.num_ranks
        of_card = segments.spread(torch.arange(len(z))) * num_cards + card
        cards = self.play_card(z).flatten()
        cells = joint(self, z, segments, card, gain, features) - cards[of_card]
        none = cells.new_full((len(cards),), -1e9)
        largest = none.scatter_reduce(0, of_card, cells.detach(), "amax")
        shifted = cells - largest[of_card]
        sums = torch.zeros_like(cards).index_add(0, of_card, shifted.exp())
        held = sums > 0
        of_cards = cards.masked_fill(~held, -1e9).view(len(z), num_cards).log_softmax(1).flatten()
        result: Tensor = shifted - sums[of_card].log() + of_cards[of_card]
        return result

    with mock.patch.object(PolicyNetwork, "placement_logits", factored):
        yield


class OwnWeights(nn.Module):
    """A linear layer with weights of its own for every species, at first all alike.

    Args:
        shared: the layer whose place it takes.
        species: how many there are.
    """

    def __init__(self, shared: nn.Linear, species: int) -> None:
        super().__init__()
        self.out_features = shared.out_features
        self.weight = nn.Parameter(shared.weight.detach().expand(species, -1, -1).clone())
        self.bias = nn.Parameter(shared.bias.detach().expand(species, -1).clone())

    def forward(self, inputs: Tensor) -> Tensor:
        """[B, S, out] of [B, S, in]; the first weights if there are fewer inputs."""
        weight = self.weight[:, :, : inputs.shape[2]].transpose(1, 2)
        outputs = torch.baddbmm(self.bias.unsqueeze(1), inputs.transpose(0, 1), weight)
        return outputs.transpose(0, 1).contiguous()


_OF_SPECIES: Final = (
    "species_in", "species_out", "mix_species", "draw_card", "discard_card", "play_card",
    "play_vector", "play_gain", "belief",
)  # fmt: skip


@contextmanager
def own_weights() -> Iterator[None]:
    """Every species has layers and heads of its own."""
    shared_model, first_inputs = ppo._new_model, network._first_inputs

    def model(config: ExperimentConfig, seed: int) -> ActorCritic:
        result = shared_model(config, seed)
        for name in _OF_SPECIES:
            layer = getattr(result.network, name)
            setattr(result.network, name, OwnWeights(layer, config.game.num_species))
        return result

    def inputs(layer: nn.Linear | OwnWeights, values: Tensor) -> Tensor:
        return layer(values) if isinstance(layer, OwnWeights) else first_inputs(layer, values)

    with (
        mock.patch.object(ppo, "_new_model", model),
        mock.patch.object(network, "_first_inputs", inputs),
    ):
        yield


_RIGHTS: Final = _columns([8, 9], [5, 6], [6, 7, 8], [4, 5])
_CARD_GAINS: Final = _columns([6, 7], [4], [], [])
_EXPECTED_POINTS: Final = [21, 24, 25]  # of the scalars: own, the rival's, the difference

ARMS: Final[dict[str, Arm]] = {
    "default": Arm("everything as it is"),
    "no rights": Arm(
        "no chances of rights among the inputs", patch=without_columns(_RIGHTS, _EXPECTED_POINTS)
    ),
    "no card gains": Arm(
        "cards do not say what planting them would gain", patch=without_columns(_CARD_GAINS, [])
    ),
    "no placement gains": Arm("placements do not say what they gain", patch=without_path_gains),
    "card, then cell": Arm(
        "a card is chosen first, then a cell, by a product of two distributions",
        patch=card_then_cell,
    ),
    "own weights": Arm("every species has weights of its own", patch=own_weights),
    "public critic": Arm(
        "moves are judged by the policy's own value head", {"ppo": {"critic": "public"}}
    ),
    "no beliefs": Arm("no belief head", {"ppo": {"belief": 0.0}}),
    "two epochs": Arm("two passes over the decisions", {"ppo": {"epochs": 2}}),
    "lambda .9": Arm("advantages over fewer decisions", {"ppo": {"lam": 0.9}}),
    "lambda .98": Arm("advantages over more decisions", {"ppo": {"lam": 0.98}}),
    "width 64": Arm("narrower layers", {"network": {"species_width": 64, "global_width": 64}}),
    "width 144": Arm("wider layers", {"network": {"species_width": 144, "global_width": 144}}),
    "win only": Arm("the reward is the win alone", {"rollout": {"reward": "win"}}),
}
