"""The lab's own network over the flat action space, for the trainers of other libraries.

PLAY and PLACE are two decisions there. Their logits are read off the network's joint logits of
(card, cell): a card's is the log-sum-exp over its cells, so that PLAY follows the joint's marginal,
and a cell's is the joint's at the chosen card, so that PLACE follows its conditional. So what was
learned there is an ordinary agent of the lab (``arboretum_agents.neural.policy``), with the same
probabilities.

``B`` views, ``A`` actions, ``M`` placements of all views.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from arboretum_agents.neural.categorical import Segments, segment_logsumexp
from arboretum_agents.neural.encoder import encode, pile_tops
from arboretum_agents.neural.network import PolicyNetwork, SpeciesTrunk
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.actions import action_slices, num_actions
from arboretum_env.agent import sample_rows
from arboretum_env.features.placements import Placements, placements
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews


def run_trunk(trunk: SpeciesTrunk, views: PlayerViews) -> tuple[Tensor, Tensor]:
    """What ``SpeciesTrunk.trunk`` makes of B views: z [B, S, H] and g [B, D]."""
    encoded = encode(views)
    device = next(trunk.parameters()).device
    return trunk.trunk(as_tensor(encoded.species).to(device), as_tensor(encoded.scalars).to(device))


def flat_logits(network: PolicyNetwork, views: PlayerViews, z: Tensor, pooled: Tensor) -> Tensor:
    """[B, A] logits of the movers' decisions; those of illegal actions mean nothing.

    Args:
        network: whose heads.
        views: B views.
        z, pooled: what its trunk made of them.
    """
    slices = action_slices(views.config)
    logits = z.new_zeros(len(views), num_actions(views.config))
    draws = np.flatnonzero(views.phase <= Phase.DRAW_SECOND)
    if len(draws):
        at, tops = _to(z, draws), _to(z, pile_tops(views.select(draws)))
        columns = slice(0, slices["draw_discard"].stop)
        logits[at, columns] = network.draw_logits(z[at], pooled[at], tops)
    discards = np.flatnonzero(views.phase == Phase.DISCARD)
    if len(discards):
        at = _to(z, discards)
        logits[at, slices["discard_card"]] = network.discard_logits(z[at])
    options = placements(views)
    if len(options.card):
        _write_placements(network, options, z, views, logits)
    return logits


def _write_placements(
    network: PolicyNetwork, options: Placements, z: Tensor, views: PlayerViews, logits: Tensor
) -> None:
    """Fills the logits of cards in PLAY and of cells in PLACE."""
    rows = np.flatnonzero(options.counts)
    segments = Segments.from_lengths(as_tensor(options.counts[rows]).to(z.device))
    joint = network.placement_logits(
        z[_to(z, rows)], segments, _to(z, options.card), _to(z, options.gain),
        _to(z, options.features),
    )  # fmt: skip
    slices = action_slices(views.config)
    row = np.repeat(rows, options.counts[rows])
    in_place = views.phase[row] == Phase.PLACE
    cells = np.flatnonzero(in_place)
    if len(cells):
        columns = slices["place_cell"].start + options.cell[cells]
        logits[_to(z, row[cells]), _to(z, columns)] = joint[_to(z, cells)]
    ways = np.flatnonzero(~in_place)
    if len(ways):
        # All ways to plant a card stand together.
        key = row[ways] * views.config.num_cards + options.card[ways]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        lengths = np.diff(first, append=len(key))
        marginal = segment_logsumexp(joint[_to(z, ways)], Segments.from_lengths(_to(z, lengths)))
        columns = slices["play_card"].start + options.card[ways[first]]
        logits[_to(z, row[ways[first]]), _to(z, columns)] = marginal


def _to(like: Tensor, array: NDArray[np.generic]) -> Tensor:
    """The array as a tensor on the device of another one."""
    return as_tensor(array).to(like.device)


def choose_actions(log_probs: Tensor, legal: Tensor, deterministic: bool) -> Tensor:
    """[B] actions: the likeliest, or drawn from torch's global generator as libraries do."""
    if deterministic:
        return log_probs.argmax(dim=1)
    # exp of a huge negative number is slow on CPUs, and so is torch.multinomial.
    probabilities = log_probs.masked_fill(~legal, 0.0).exp() * legal
    uniform = torch.rand(len(log_probs), dtype=torch.float64)
    return _to(log_probs, sample_rows(probabilities.cpu().numpy(), uniform.numpy()))


def log_prob_of(log_probs: Tensor, actions: Tensor) -> Tensor:
    """[B] what [B, A] log-probabilities say of [B] actions."""
    return log_probs.gather(1, actions.long().reshape(-1, 1)).squeeze(1)
