"""Generators and optimisers go on exactly where they stopped, through a file."""

import json

import numpy as np
import pytest
import torch
from torch import nn

from arboretum_env.errors import CheckpointError
from arboretum_training.optimizer_state import optimizer_state, restore_optimizer
from arboretum_training.random_state import numpy_states, restore_numpy

BIT_GENERATORS = ["PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"]


@pytest.mark.parametrize("kind", BIT_GENERATORS)
def test_a_numpy_generator_goes_on_through_json(kind: str) -> None:
    generator = np.random.Generator(getattr(np.random, kind)(7))
    generator.random(1001)
    generator.integers(0, 10, 3, dtype=np.uint32)  # leaves half of a 64-bit draw buffered
    text = json.dumps(numpy_states({"rollout": generator}), allow_nan=False)
    expected = generator.random(50).tolist(), generator.integers(0, 2**32, 7, np.uint32).tolist()
    other = np.random.Generator(getattr(np.random, kind)(8))
    restore_numpy(json.loads(text), {"rollout": other})
    assert (other.random(50).tolist(), other.integers(0, 2**32, 7, np.uint32).tolist()) == expected


@pytest.mark.parametrize("names", [[], ["a"], ["a", "b", "c"], ["a", "x"]])
def test_no_generator_is_silently_left_out(names: list[str]) -> None:
    saved = numpy_states({name: np.random.default_rng(1) for name in ("a", "b")})
    with pytest.raises(CheckpointError, match=r"random states \['a', 'b'\]: expected"):
        restore_numpy(saved, {name: np.random.default_rng(2) for name in names})


def test_a_state_of_another_kind_is_refused() -> None:
    saved = numpy_states({"a": np.random.Generator(np.random.MT19937(1))})
    with pytest.raises(CheckpointError, match="random state 'a': expected one of PCG64"):
        restore_numpy(saved, {"a": np.random.default_rng(1)})


def make_model() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))


def make_optimizer(model: nn.Module, kind: str) -> torch.optim.Optimizer:
    parameters = list(model.parameters())
    match kind:
        case "adam":
            return torch.optim.Adam(parameters, lr=0.1, betas=(0.8, 0.99))
        case "fused":
            return torch.optim.Adam(parameters, lr=0.1, fused=True)
        case "groups":
            return torch.optim.AdamW(
                [{"params": parameters[:1], "lr": 0.3}, {"params": parameters[1:]}], lr=0.1
            )
        case _:
            return torch.optim.SGD(parameters, lr=0.1, momentum=0.9)


def train(model: nn.Module, optimizer: torch.optim.Optimizer, first: int, count: int) -> None:
    for step in range(first, first + count):
        generator = torch.Generator().manual_seed(step)
        loss = model(torch.randn(5, 3, generator=generator)).square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@pytest.mark.parametrize("kind", ["adam", "fused", "groups", "sgd"])
def test_an_optimizer_goes_on_bit_for_bit(kind: str) -> None:
    model = make_model()
    optimizer = make_optimizer(model, kind)
    train(model, optimizer, 0, 5)
    optimizer.param_groups[0]["lr"] = 0.05  # the annealed rate is part of the state
    tensors, groups = optimizer_state(optimizer, model)
    tensors = {name: tensor.clone() for name, tensor in tensors.items()}
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    text = json.dumps(groups, allow_nan=False)
    train(model, optimizer, 5, 5)

    resumed = make_model()
    resumed.load_state_dict(weights)
    other = make_optimizer(resumed, kind)
    restore_optimizer(other, resumed, tensors, json.loads(text))
    train(resumed, other, 5, 5)
    for name, tensor in model.state_dict().items():
        assert torch.equal(resumed.state_dict()[name], tensor), name
    assert other.param_groups[0]["lr"] == 0.05

    # The test can fail: a fresh optimiser goes elsewhere.
    fresh = make_model()
    fresh.load_state_dict(weights)
    train(fresh, make_optimizer(fresh, kind), 5, 5)
    assert not torch.equal(fresh.state_dict()["0.weight"], model.state_dict()["0.weight"])


def test_the_names_say_whose_state_it_is() -> None:
    model = make_model()
    optimizer = make_optimizer(model, "adam")
    train(model, optimizer, 0, 1)
    tensors, groups = optimizer_state(optimizer, model)
    assert {"step/0.weight", "exp_avg/2.bias", "exp_avg_sq/0.bias"} <= tensors.keys()
    assert groups[0]["params"] == ["0.weight", "0.bias", "2.weight", "2.bias"]


def test_the_state_of_another_network_is_refused() -> None:
    model = make_model()
    optimizer = make_optimizer(model, "adam")
    train(model, optimizer, 0, 1)
    tensors, groups = optimizer_state(optimizer, model)
    other = nn.Sequential(nn.Linear(3, 2))
    with pytest.raises(CheckpointError, match="optimiser state of 4 parameters"):
        restore_optimizer(make_optimizer(other, "adam"), other, tensors, groups)
    wider = nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 2))
    with pytest.raises(CheckpointError, match=r"exp_avg/0.weight' of shape \(8, 3\)"):
        restore_optimizer(make_optimizer(wider, "adam"), wider, tensors, groups)
