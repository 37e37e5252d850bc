"""bfloat16 where the processor has it: nearly the same numbers, and weights in float32."""

import numpy as np
import pytest
import torch

from arboretum_env.config import GameConfig
from arboretum_training.ppo import Learner
from arboretum_training.precision import in_hardware, processor_flags, resolved
from tests.training.experiments import experiment

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("fpu avx2 avx512f avx512_bf16", True),
        ("avx2 amx_tile amx_bf16", True),
        ("fp asimd bf16 i8mm", True),
        ("fpu avx2 avx512f avx512_vnni", False),
        ("", False),
    ],
)
def test_auto_is_bfloat16_only_in_hardware(flags: str, expected: bool) -> None:
    assert in_hardware(flags.split()) == expected


def test_precisions_are_what_they_say() -> None:
    assert resolved("float32") == "float32"
    assert resolved("bfloat16") == "bfloat16"
    assert (resolved("auto") == "bfloat16") == in_hardware(processor_flags())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bfloat16_learns_from_nearly_the_same_numbers(players: int) -> None:
    game = GameConfig(num_players=players)
    single, half = (
        Learner(experiment(game, games=4, turns=4, precision=precision))
        for precision in ("float32", "bfloat16")
    )
    before = {name: tensor.clone() for name, tensor in half.model.state_dict().items()}
    rows = [learner.iterate(0.0) for learner in (single, half)]
    for name in ("policy/entropy", "loss/belief"):
        assert rows[1][name] == pytest.approx(rows[0][name], rel=0.05)
        assert rows[1][name] != rows[0][name]
    after = half.model.state_dict()
    assert all(tensor.dtype == torch.float32 for tensor in after.values())
    assert any(not torch.equal(after[name], tensor) for name, tensor in before.items())
    for waiting in half.carried.values():
        assert waiting.arrays["value"].dtype == np.float32
        assert waiting.arrays["log_prob"].dtype == np.float32


def test_minibatches_in_bfloat16_have_few_numbers_of_rows() -> None:
    """A product is compiled for every new one; all decisions are in one of them all the same."""
    game = GameConfig(num_players=2)
    for precision, block in (("float32", 1), ("bfloat16", 64)):
        learner = Learner(experiment(game, games=50, turns=7, precision=precision))
        decisions, finished = learner.collector.collect(learner.model.eval())
        judged, _ = learner._judge(decisions, finished)
        parts = [part.batch() for part in learner._minibatches(judged)]
        for kind, of_kind in judged.items():
            batch = of_kind.batch()
            rows = [
                row.tobytes()
                for part in parts
                if part.decisions.kind == kind
                for row in part.decisions.arrays["species"]
            ]
            assert set(rows) == {row.tobytes() for row in batch.decisions.arrays["species"]}
            assert (len(rows) > len(batch.returns)) == (block > 1)
        assert all(len(part.returns) % block == 0 for part in parts)
