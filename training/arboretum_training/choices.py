"""What a network chooses in positions that all await the same kind of decision.

``B`` positions, ``M`` placements of all of them, ``P`` players.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from arboretum_agents.neural.categorical import Segments, masked_log_softmax, segment_log_softmax
from arboretum_agents.neural.encoder import EncodedViews, encode, pile_tops
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.actions import action_slices
from arboretum_env.agent import sample_rows
from arboretum_env.config import GameConfig
from arboretum_env.features.placements import placements
from arboretum_env.view import PlayerViews


@dataclass(frozen=True)
class Choices:
    """Choices in B positions, with what they were made from.

    Attributes:
        encoded: the network's inputs.
        z, pooled: what its trunk made of them.
        arrays: ``chosen``, ``log_prob`` and what else ``Decisions.arrays`` has of this kind.
        placements: as ``Decisions.placements``.
        actions: [K, B] flat action ids, one after the other: 2 for a placement, else 1.
    """

    encoded: EncodedViews
    z: Tensor
    pooled: Tensor
    arrays: dict[str, NDArray[np.generic]]
    placements: dict[str, NDArray[np.generic]]
    actions: NDArray[np.int64]


def choose(
    network: PolicyNetwork, kind: str, views: PlayerViews, uniform: NDArray[np.float64]
) -> Choices:
    """Samples a network's choices.

    Args:
        network: not changed. Call it without gradients.
        kind: of ``KINDS``, what all views await.
        views: B views of movers; none is fine.
        uniform: [B] in [0, 1), one for each choice.
    """
    encoded = encode(views)
    z, pooled = network.trunk(as_tensor(encoded.species), as_tensor(encoded.scalars))
    if kind == "play":
        return _place(network, views, encoded, z, pooled, uniform)
    columns = head_columns(views.config, kind)
    arrays: dict[str, NDArray[np.generic]] = {"legal": head_legal(views, kind)}
    if kind == "draw":
        arrays["tops"] = pile_tops(views)
        logits = network.draw_logits(z, pooled, as_tensor(arrays["tops"]))
    else:
        logits = network.discard_logits(z)
    log_probs = masked_log_softmax(logits, as_tensor(arrays["legal"])).numpy()
    chosen = sample_rows(np.where(arrays["legal"], np.exp(log_probs), 0), uniform)
    arrays["chosen"] = chosen
    arrays["log_prob"] = log_probs[np.arange(len(chosen)), chosen]
    return Choices(encoded, z, pooled, arrays, {}, (columns.start + chosen)[None])


def head_columns(game: GameConfig, kind: str) -> slice:
    """The flat actions that a draw or a discard chooses from."""
    slices = action_slices(game)
    return slices["discard_card"] if kind == "discard" else slice(0, slices["draw_discard"].stop)


def head_legal(views: PlayerViews, kind: str) -> NDArray[np.bool_]:
    """[B, K] which of ``head_columns`` are legal."""
    return np.ascontiguousarray(views.legal_action_mask()[:, head_columns(views.config, kind)])


def _place(
    network: PolicyNetwork,
    views: PlayerViews,
    encoded: EncodedViews,
    z: Tensor,
    pooled: Tensor,
    uniform: NDArray[np.float64],
) -> Choices:
    options = placements(views)
    segments = Segments.from_lengths(as_tensor(options.counts))
    logits = network.placement_logits(
        z, segments, as_tensor(options.card), as_tensor(options.gain), as_tensor(options.features)
    )
    log_probs = segment_log_softmax(logits, segments).numpy()
    picked = sample_segments(np.exp(log_probs.astype(np.float64)), options.offsets, uniform)
    slices = action_slices(views.config)
    actions = np.stack(
        [
            slices["play_card"].start + options.card[picked],
            slices["place_cell"].start + options.cell[picked],
        ]
    )
    arrays: dict[str, NDArray[np.generic]] = {
        "count": options.counts,
        "chosen": picked - options.offsets[:-1],
        "log_prob": log_probs[picked],
    }
    kept: dict[str, NDArray[np.generic]] = {
        "card": options.card,
        "gain": options.gain,
        "features": options.features,
    }
    return Choices(encoded, z, pooled, arrays, kept, actions.astype(np.int64))


def sample_segments(
    weights: NDArray[np.float64], offsets: NDArray[np.int64], uniform: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Index [B] into the flat weights [M], sampled within each segment by inversion."""
    cumulative = np.cumsum(weights)
    first, last = offsets[:-1], offsets[1:] - 1
    before = cumulative[first] - weights[first]
    targets = before + uniform * (cumulative[last] - before)
    picked = np.searchsorted(cumulative, targets, side="right")
    # Rounding may move a target over its segment's bounds by a hair.
    return np.clip(picked, first, last)
