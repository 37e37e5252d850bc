"""Checkpoints come back exactly, and a crash at any moment of a save leaves the last one whole."""

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from arboretum_agents.neural.checkpoint_reader import (
    find_checkpoint,
    latest_step,
    read_checkpoint,
)
from arboretum_env.config import GameConfig
from arboretum_env.errors import CheckpointError
from arboretum_env.layout_hash import layout_hash
from arboretum_training.checkpoint import save_checkpoint
from tests.resume.tiny_run import make_checkpoint


def steps(run_folder: Path) -> list[int]:
    return sorted(int(path.name) for path in (run_folder / "checkpoints").iterdir())


def bits(tensor: torch.Tensor) -> list[int]:
    bytes_of: list[int] = tensor.detach().flatten().contiguous().view(torch.uint8).tolist()
    return bytes_of


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_was_saved_is_what_is_read(run_folder: Path, players: int) -> None:
    saved = make_checkpoint(640, players)
    folder = save_checkpoint(run_folder, saved, keep=3)
    assert folder == run_folder / "checkpoints" / "000000000640"
    read = read_checkpoint(folder)
    assert read.step == 640
    assert read.game == GameConfig(num_players=players)
    assert read.config["name"] == "tiny"
    assert read.counters == {"iteration": 64, "seconds": 640 / 7}
    assert read.state == {"numpy": {"rollout": {"state": 2**127 + 640}}, "pool": ["a", "b"]}
    assert read.tensors.keys() == {"weights", "optimizer", "random"}
    for group, tensors in saved.tensors.items():
        assert read.tensors[group].keys() == tensors.keys()
        for name, tensor in tensors.items():
            assert read.tensors[group][name].dtype == tensor.dtype
            assert torch.equal(read.tensors[group][name], tensor)


def test_every_kind_of_tensor_survives(run_folder: Path) -> None:
    base = torch.arange(12, dtype=torch.float64).reshape(3, 4)
    tensors = {
        "scalar": torch.tensor(3.5),
        "empty": torch.zeros(0, 7, dtype=torch.int8),
        "transposed": base.T,
        "slice": base[1:, ::2],
        "shared": base,
        "bits": torch.tensor([True, False]),
        "half": torch.tensor([1.5, -2.0], dtype=torch.bfloat16),
        "keys": torch.tensor([2**63 + 5], dtype=torch.uint64),
        "special": torch.tensor([-0.0, 1e-42, -3.4e38]),
        "learned": torch.ones(2, requires_grad=True),
    }
    saved = make_checkpoint(1)
    saved = type(saved)(
        saved.step, saved.config, saved.counters, saved.state, {"weights": {}, "extra": tensors}
    )
    read = read_checkpoint(save_checkpoint(run_folder, saved, keep=1)).tensors["extra"]
    for name, tensor in tensors.items():
        assert read[name].dtype == tensor.dtype, name
        assert read[name].shape == tensor.shape, name
        assert bits(read[name]) == bits(tensor), name
    read["slice"][0, 0] = 9  # what was read is the reader's own
    assert base[1, 0] == 4


ONE = torch.ones(1)


def starts_like_a_pickle(data: bytes) -> bool:
    return data[:2] == b"\x80\x02"


def test_a_header_that_looks_like_a_pickle_is_no_pickle(run_folder: Path) -> None:
    # A safetensors header of 640 bytes starts the file with 80 02, the bytes of pickle protocol 2.
    names = ("w" * length for length in range(500, 640))
    name = next(n for n in names if starts_like_a_pickle(safetensors.torch.save({n: ONE})))
    saved = make_checkpoint(1)
    folder = save_checkpoint(
        run_folder, type(saved)(1, saved.config, {}, {}, {"weights": {name: ONE}}), keep=1
    )
    assert starts_like_a_pickle((folder / "weights.safetensors").read_bytes())
    assert read_checkpoint(folder).tensors["weights"].keys() == {name}


def test_the_digest_names_the_weights_and_nothing_else(run_folder: Path) -> None:
    first = read_checkpoint(save_checkpoint(run_folder, make_checkpoint(1), keep=9)).digest
    one = make_checkpoint(1)
    later = type(one)(2, one.config, {"iteration": 9}, {}, {"weights": one.tensors["weights"]})
    second = read_checkpoint(save_checkpoint(run_folder, later, keep=9)).digest
    other = read_checkpoint(save_checkpoint(run_folder, make_checkpoint(3), keep=9)).digest
    assert first is not None
    assert len(first) == 64
    assert first == second != other


def test_a_run_folder_means_its_latest_checkpoint(run_folder: Path) -> None:
    assert latest_step(run_folder) is None
    with pytest.raises(CheckpointError, match="expected a checkpoint folder"):
        find_checkpoint(run_folder)
    first = save_checkpoint(run_folder, make_checkpoint(10), keep=3)
    second = save_checkpoint(run_folder, make_checkpoint(20), keep=3)
    assert latest_step(run_folder) == 20
    assert find_checkpoint(run_folder) == second
    assert find_checkpoint(first) == first
    assert (run_folder / "LATEST").read_text() == "000000000020\n"


@pytest.mark.parametrize("text", ["", "../../etc", "12x", "-1", "1\n2", "²"])
def test_a_pointer_leads_nowhere_but_into_its_run(run_folder: Path, text: str) -> None:
    (run_folder / "LATEST").write_text(text)
    with pytest.raises(CheckpointError, match="digits only"):
        find_checkpoint(run_folder)


def test_a_pointer_to_a_missing_checkpoint_is_refused(run_folder: Path) -> None:
    folder = save_checkpoint(run_folder, make_checkpoint(10), keep=3)
    shutil.rmtree(folder)
    with pytest.raises(CheckpointError, match="which is not there"):
        find_checkpoint(run_folder)


def test_only_the_newest_stay(run_folder: Path) -> None:
    for step in (10, 20, 30, 40):
        save_checkpoint(run_folder, make_checkpoint(step), keep=2)
    assert steps(run_folder) == [30, 40]


def test_a_step_is_saved_once(run_folder: Path) -> None:
    save_checkpoint(run_folder, make_checkpoint(10), keep=2)
    with pytest.raises(CheckpointError, match="step 10 is saved already"):
        save_checkpoint(run_folder, make_checkpoint(10), keep=2)


def test_steps_that_the_pointer_never_reached_go(run_folder: Path) -> None:
    save_checkpoint(run_folder, make_checkpoint(10), keep=1)
    save_checkpoint(run_folder, make_checkpoint(30), keep=2)
    (run_folder / "LATEST").write_text("000000000010\n")  # killed between rename and pointer
    save_checkpoint(run_folder, make_checkpoint(20), keep=1)
    assert steps(run_folder) == [20]
    # The same step again: the folder that is there is replaced by the one of this run.
    (run_folder / "LATEST").write_text("000000000010\n")
    save_checkpoint(run_folder, make_checkpoint(20), keep=1)
    assert read_checkpoint(find_checkpoint(run_folder)).step == 20


def break_call(
    monkeypatch: pytest.MonkeyPatch, name: str, number: int, error: BaseException
) -> None:
    """Let call ``number`` (from 0) of ``os.<name>`` raise instead of doing its work."""
    real = getattr(os, name)
    count = iter(range(10**6))

    def broken(*args: Any, **options: Any) -> Any:
        if next(count) == number:
            raise error
        return real(*args, **options)

    monkeypatch.setattr(os, name, broken)


# One save of `make_checkpoint` syncs 5 files, their folder, the checkpoints' folder, the pointer,
# and the folder of the run.
NUM_FSYNCS = 9


@pytest.mark.parametrize(
    ("name", "number"),
    [("fsync", number) for number in range(NUM_FSYNCS)] + [("rename", 0), ("replace", 0)],
)
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), SystemExit()])
def test_a_save_that_breaks_off_leaves_a_whole_checkpoint(
    run_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    number: int,
    error: BaseException,
) -> None:
    save_checkpoint(run_folder, make_checkpoint(10), keep=1)
    with monkeypatch.context() as broken:
        break_call(broken, name, number, error)
        with pytest.raises((CheckpointError, SystemExit)) as raised:
            save_checkpoint(run_folder, make_checkpoint(20), keep=1)
    if isinstance(error, OSError):
        assert "No space left on device" in str(raised.value)
        assert "step 10 is intact" in str(raised.value)
    # Only the last sync of all comes after the pointer has moved.
    expected = 20 if (name, number) == ("fsync", NUM_FSYNCS - 1) else 10
    read = read_checkpoint(find_checkpoint(run_folder))
    assert read.step == expected
    assert torch.equal(
        read.tensors["weights"]["trunk.bias"],
        make_checkpoint(expected).tensors["weights"]["trunk.bias"],
    )
    # And the run goes on: the next save cleans up and succeeds.
    save_checkpoint(run_folder, make_checkpoint(30), keep=1)
    assert read_checkpoint(find_checkpoint(run_folder)).step == 30
    assert steps(run_folder) == [30]


def test_all_fsyncs_are_covered_above(run_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (calls.append(0), real(descriptor))[1])
    save_checkpoint(run_folder, make_checkpoint(10), keep=1)
    assert len(calls) == NUM_FSYNCS


def test_leftovers_of_a_kill_are_cleaned_up(run_folder: Path) -> None:
    save_checkpoint(run_folder, make_checkpoint(10), keep=3)
    left = run_folder / "checkpoints" / ".tmp-000000000020"
    left.mkdir()
    (left / "weights.safetensors").write_bytes(b"half")
    save_checkpoint(run_folder, make_checkpoint(20), keep=3)
    assert steps(run_folder) == [10, 20]


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"No such file or directory \(there is no previous"):
        save_checkpoint(tmp_path / "gone", make_checkpoint(10), keep=3)
    assert not (tmp_path / "gone").exists()


def test_keeping_none_is_refused(run_folder: Path) -> None:
    with pytest.raises(ValueError, match="expected at least 1"):
        save_checkpoint(run_folder, make_checkpoint(10), keep=0)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_not_saved(run_folder: Path, number: float) -> None:
    save_checkpoint(run_folder, make_checkpoint(10), keep=1)
    checkpoint = make_checkpoint(20)
    checkpoint.tensors["weights"]["trunk.bias"][1] = number
    with pytest.raises(CheckpointError, match=r"weights.safetensors: 'trunk.bias': 1 of 3 numbers"):
        save_checkpoint(run_folder, checkpoint, keep=1)
    assert latest_step(run_folder) == 10
    assert read_checkpoint(find_checkpoint(run_folder)).step == 10
    assert steps(run_folder) == [10]


def test_numbers_that_json_has_not_are_refused(run_folder: Path) -> None:
    saved = make_checkpoint(10)
    with pytest.raises(ValueError, match="not JSON compliant"):
        save_checkpoint(
            run_folder,
            type(saved)(10, saved.config, {"loss": float("nan")}, {}, saved.tensors),
            keep=1,
        )
    assert latest_step(run_folder) is None


def test_the_layout_hash_tells_games_apart() -> None:
    hashes = {layout_hash(GameConfig(num_players=players)) for players in (2, 3, 4)}
    hashes.add(layout_hash(GameConfig(num_ranks=5)))
    assert len(hashes) == 4
    # Which species are removed has no effect on the layout (docs/rules.md, Setup).
    assert layout_hash(GameConfig(species="CDJVLG")) == layout_hash(GameConfig(species="MPOWCD"))


def test_the_manifest_is_readable_by_anyone(run_folder: Path) -> None:
    folder = save_checkpoint(run_folder, make_checkpoint(10), keep=1)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["schema_version"] == 1
    assert manifest["files"].keys() == {
        "state.json",
        "weights.safetensors",
        "optimizer.safetensors",
        "random.safetensors",
    }
