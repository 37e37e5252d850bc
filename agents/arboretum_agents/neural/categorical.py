"""Distributions over legal choices only, safe in value and in gradient.

Two layouts, one rule: a choice that is not legal takes no probability, no entropy and no gradient,
and a decision without any legal choice is an error, never a NaN (docs/promises.md, fault 10).

- *Dense*: ``logits`` [B, K] with ``legal`` [B, K]; for heads with few choices (draw, discard).
- *Segments*: the candidates of all decisions in one flat array [M], those of decision ``b`` at
  ``offsets[b]:offsets[b + 1]``; for the joint card x cell choice, whose number of candidates
  varies so much that padding would waste half of the work.

Letters: ``B`` decisions, ``K`` choices of a dense head, ``M`` candidates of all decisions together.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own customary name
from torch import Tensor


@dataclass(frozen=True)
class Segments:
    """Bounds of the candidates of each decision in a flat array. Build it with ``from_lengths``."""

    lengths: Tensor  # [B] int64, each at least 1
    offsets: Tensor  # [B + 1] int64
    num_candidates: int  # M

    @classmethod
    def from_lengths(cls, lengths: Tensor) -> "Segments":
        """Segments of the given numbers of candidates.

        Args:
            lengths: [B] integers.

        Raises:
            ValueError: a decision without a candidate.
        """
        lengths = lengths.to(torch.int64)
        if bool((lengths < 1).any()):
            row = int((lengths < 1).nonzero()[0])
            raise ValueError(
                f"decision {row} of the batch has no legal choice: expected at least 1"
            )
        offsets = F.pad(lengths.cumsum(0), (1, 0))
        return cls(lengths, offsets, int(offsets[-1]))

    def spread(self, per_decision: Tensor) -> Tensor:
        """Repeat a value per decision [B] for each of its candidates, [M]."""
        return per_decision.repeat_interleave(self.lengths, output_size=self.num_candidates)

    def sum(self, per_candidate: Tensor) -> Tensor:
        """Sum [M] over the candidates of each decision, [B]."""
        return self._reduce(per_candidate, "sum")

    def max(self, per_candidate: Tensor) -> Tensor:
        """Largest of [M] over the candidates of each decision, [B]."""
        return self._reduce(per_candidate, "max")

    def _reduce(self, per_candidate: Tensor, reduction: str) -> Tensor:
        if per_candidate.shape != (self.num_candidates,):
            raise ValueError(
                f"candidates of shape {tuple(per_candidate.shape)}: expected one for each of the "
                f"segments' ({self.num_candidates},)"
            )
        # unsafe: the bounds were checked once, at construction.
        return torch.segment_reduce(per_candidate, reduction, offsets=self.offsets, unsafe=True)

    def pick(self, per_candidate: Tensor, chosen: Tensor) -> Tensor:
        """Value [B] of the chosen candidate of each decision.

        Args:
            per_candidate: [M].
            chosen: [B] place of the choice among its decision's own candidates, from 0.

        Raises:
            ValueError: a choice that is not among its decision's candidates.
        """
        outside = (chosen < 0) | (chosen >= self.lengths)
        if bool(outside.any()):
            row = int(outside.nonzero()[0])
            last = int(self.lengths[row]) - 1
            raise ValueError(f"choice {int(chosen[row])} of decision {row}: expected 0..{last}")
        return per_candidate[self.offsets[:-1] + chosen]


def segment_log_softmax(logits: Tensor, segments: Segments) -> Tensor:
    """Log-probability [M] of each candidate among its decision's candidates.

    Every candidate is legal, so nothing is masked; the largest logit of each segment is subtracted
    first, so that no finite logit can overflow. Computed in float32 at least.
    """
    if logits.dtype in (torch.bfloat16, torch.float16):
        logits = logits.float()
    # The shift cancels in value and gradient alike: no need to differentiate through the maximum.
    shifted = logits - segments.spread(segments.max(logits.detach()))
    return shifted - segments.spread(segments.sum(shifted.exp()).log())


def segment_logsumexp(logits: Tensor, segments: Segments) -> Tensor:
    """log(sum(exp(logits))) [B] over the candidates of each decision, safe from overflow."""
    largest = segments.max(logits.detach())
    return largest + segments.sum((logits - segments.spread(largest)).exp()).log()


def segment_entropy(log_probs: Tensor, segments: Segments) -> Tensor:
    """Entropy [B] in nats of each decision, from ``segment_log_softmax``."""
    return -segments.sum(log_probs.exp() * log_probs)


def masked_log_softmax(logits: Tensor, legal: Tensor) -> Tensor:
    """Log-probability [B, K] of each choice; illegal ones get a huge negative, finite number.

    Masked before the softmax, with a finite number: -inf times 0 is NaN, in the entropy as in the
    gradient. Computed in float32 at least.

    Args:
        logits: [B, K]; legal ones above half of the lowest number of their type.
        legal: [B, K] bool, True = legal.

    Raises:
        ValueError: a row without a legal choice.

    Source: Huang & Ontañón 2020, "A Closer Look at Invalid Action Masking in Policy Gradient
    Algorithms" (arXiv:2006.14171).
    """
    has_choice = legal.any(dim=-1)
    if not bool(has_choice.all()):
        row = int((~has_choice).nonzero()[0])
        raise ValueError(f"decision {row} of the batch has no legal choice: expected at least 1")
    if logits.dtype in (torch.bfloat16, torch.float16):
        logits = logits.float()
    # Half of the lowest number: whatever legal logit is subtracted from it, it stays finite.
    lowest = torch.finfo(logits.dtype).min / 2
    return F.log_softmax(logits.masked_fill(~legal, lowest), dim=-1)


def masked_entropy(log_probs: Tensor, legal: Tensor) -> Tensor:
    """Entropy [B] in nats over the legal choices, from ``masked_log_softmax``."""
    # exp of a huge negative number is slow on CPUs; 0 gives the same term, exp(0) * 0.
    legal_log_probs = log_probs.masked_fill(~legal, 0.0)
    return -(legal_log_probs.exp() * legal_log_probs).sum(dim=-1)
