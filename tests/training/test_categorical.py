"""Masked and segmented softmax against dense torch, at the extremes, and when refused."""

import math

import pytest
import torch

from arboretum_agents.neural.categorical import (
    Segments,
    masked_entropy,
    masked_log_softmax,
    segment_entropy,
    segment_log_softmax,
    segment_logsumexp,
)

LOW = torch.finfo(torch.float32).min


def random_case(seed: int) -> tuple[torch.Tensor, torch.Tensor, Segments]:
    """Dense logits with a mask, and the same as segments in the mask's order."""
    rows, width = 40, 30
    generator = torch.Generator().manual_seed(seed)
    logits = 5 * torch.randn(rows, width, generator=generator, dtype=torch.float64)
    legal = torch.rand(rows, width, generator=generator) < 0.4
    legal[torch.arange(rows), torch.randint(width, (rows,), generator=generator)] = True
    return logits, legal, Segments.from_lengths(legal.sum(1))


def test_segment_softmax_by_hand() -> None:
    segments = Segments.from_lengths(torch.tensor([2, 1, 3]))
    logits = torch.tensor([0.0, math.log(3.0), 7.0, 1.0, 1.0, 1.0])
    log_probs = segment_log_softmax(logits, segments)
    assert log_probs.exp().tolist() == pytest.approx([0.25, 0.75, 1.0, 1 / 3, 1 / 3, 1 / 3])
    assert segment_entropy(log_probs, segments).tolist() == pytest.approx(
        [0.25 * math.log(4) + 0.75 * math.log(4 / 3), 0.0, math.log(3)], abs=1e-6
    )


def test_segment_logsumexp_by_hand() -> None:
    """Its gradient is the softmax; huge logits neither overflow nor vanish."""
    segments = Segments.from_lengths(torch.tensor([2, 1, 2]))
    logits = torch.tensor([0.0, math.log(3.0), -7.0, 1e30, 1e30], requires_grad=True)
    result = segment_logsumexp(logits, segments)
    assert result.tolist() == pytest.approx([math.log(4), -7.0, 1e30])
    (gradient,) = torch.autograd.grad(result.sum(), logits)
    assert gradient.tolist() == pytest.approx([0.25, 0.75, 1.0, 0.5, 0.5])


@pytest.mark.parametrize("seed", range(5))
def test_both_layouts_equal_dense_torch_with_gradients(seed: int) -> None:
    logits, legal, segments = random_case(seed)
    weight = torch.randn(logits.shape, generator=torch.Generator().manual_seed(99)).double()

    def gradient(
        log_probs: torch.Tensor, entropy: torch.Tensor, leaf: torch.Tensor
    ) -> torch.Tensor:
        loss = (log_probs * weight[legal]).sum() + (entropy * weight[:, 0]).sum()
        (result,) = torch.autograd.grad(loss, leaf)
        return result

    reference_leaf = logits.clone().requires_grad_()
    rows = [
        torch.log_softmax(row[mask], 0) for row, mask in zip(reference_leaf, legal, strict=True)
    ]
    reference = torch.cat(rows)
    reference_entropy = torch.stack([-(row.exp() * row).sum() for row in rows])
    expected = gradient(reference, reference_entropy, reference_leaf)

    leaf = logits.clone().requires_grad_()
    flat = segment_log_softmax(leaf[legal], segments)
    entropy = segment_entropy(flat, segments)
    torch.testing.assert_close(flat, reference)
    torch.testing.assert_close(entropy, reference_entropy)
    torch.testing.assert_close(gradient(flat, entropy, leaf), expected)

    leaf = logits.clone().requires_grad_()
    dense = masked_log_softmax(leaf, legal)
    entropy = masked_entropy(dense, legal)
    torch.testing.assert_close(dense[legal], reference)
    torch.testing.assert_close(entropy, reference_entropy)
    torch.testing.assert_close(gradient(dense[legal], entropy, leaf), expected)
    assert dense[~legal].exp().max() == 0


def test_illegal_choices_take_nothing_whatever_their_logit() -> None:
    logits = torch.tensor([[1.0, 1.0, 1e30], [LOW / 4, LOW, 0.0]], requires_grad=True)
    legal = torch.tensor([[True, True, False], [True, False, False]])
    log_probs = masked_log_softmax(logits, legal)
    entropy = masked_entropy(log_probs, legal)
    assert log_probs[legal].tolist() == pytest.approx([math.log(0.5), math.log(0.5), 0.0])
    assert entropy.tolist() == pytest.approx([math.log(2), 0.0])
    (entropy.sum() + log_probs[:, 0].sum()).backward()
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert logits.grad[~legal].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("offset", [0.0, 3e38, -3e38, 88.8, -104.0])
def test_extreme_logits_stay_finite(offset: float) -> None:
    logits = torch.tensor([offset, offset, offset / 2, 0.0, -1e30, 1e30], requires_grad=True)
    segments = Segments.from_lengths(torch.tensor([2, 2, 2]))
    log_probs = segment_log_softmax(logits, segments)
    entropy = segment_entropy(log_probs, segments)
    assert torch.isfinite(log_probs).all()
    assert log_probs[:2].tolist() == pytest.approx([-math.log(2)] * 2)
    assert torch.isfinite(entropy).all()
    assert entropy[2] == 0
    (log_probs.sum() + entropy.sum()).backward()
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()


def test_a_thousand_choices_sum_to_one() -> None:
    # The size at which torch.distributions' simplex check is known to fail.
    logits = 20 * torch.randn(64, 5000, generator=torch.Generator().manual_seed(0))
    segments = Segments.from_lengths(torch.full((64,), 5000))
    log_probs = segment_log_softmax(logits.flatten(), segments)
    assert segments.sum(log_probs.exp()).tolist() == pytest.approx([1.0] * 64, abs=1e-5)


def test_half_precision_logits_are_computed_in_float32() -> None:
    segments = Segments.from_lengths(torch.tensor([300]))
    log_probs = segment_log_softmax(torch.zeros(300, dtype=torch.bfloat16), segments)
    assert log_probs.dtype == torch.float32
    assert log_probs[0].item() == pytest.approx(-math.log(300), abs=1e-5)
    dense = masked_log_softmax(torch.zeros(1, 300).to(torch.float16), torch.ones(1, 300) > 0)
    assert dense.dtype == torch.float32


def test_a_decision_without_a_legal_choice_raises() -> None:
    with pytest.raises(ValueError, match="decision 1 of the batch has no legal choice"):
        Segments.from_lengths(torch.tensor([3, 0, 2]))
    legal = torch.tensor([[True], [True], [False]])
    with pytest.raises(ValueError, match="decision 2 of the batch has no legal choice"):
        masked_log_softmax(torch.zeros(3, 1), legal)


def test_pick_takes_the_decisions_own_candidate() -> None:
    segments = Segments.from_lengths(torch.tensor([2, 1, 3]))
    flat = torch.arange(6.0)
    assert segments.pick(flat, torch.tensor([1, 0, 2])).tolist() == [1.0, 2.0, 5.0]
    with pytest.raises(ValueError, match=r"choice 1 of decision 1: expected 0\.\.0"):
        segments.pick(flat, torch.tensor([1, 1, 2]))
    with pytest.raises(ValueError, match=r"choice -1 of decision 0: expected 0\.\.1"):
        segments.pick(flat, torch.tensor([-1, 0, 2]))


def test_candidates_of_another_batch_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected one for each of the segments' \(3,\)"):
        segment_log_softmax(torch.zeros(4), Segments.from_lengths(torch.tensor([2, 1])))
