"""A checkpoint that is not what it says is refused, with the reason, and nothing of it runs."""

import hashlib
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from arboretum_agents.neural import checkpoint_reader
from arboretum_agents.neural.checkpoint_reader import read_checkpoint
from arboretum_env.errors import ArboretumError, CheckpointError
from arboretum_training.checkpoint import save_checkpoint
from tests.resume.tiny_run import make_checkpoint


@pytest.fixture
def folder(run_folder: Path) -> Path:
    """A good checkpoint."""
    return save_checkpoint(run_folder, make_checkpoint(10), keep=1)


def refused(folder: Path, message: str) -> None:
    with pytest.raises(CheckpointError, match=message) as error:
        read_checkpoint(folder)
    assert "\n" not in str(error.value)


def rewrite(folder: Path, name: str, data: bytes) -> None:
    """Replace a file and put its true size and hash in the manifest, as a forger would."""
    (folder / name).write_bytes(data)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def change_state(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    state = json.loads((folder / "state.json").read_text())
    change(state)
    rewrite(folder, "state.json", json.dumps(state).encode())


class Bomb:
    """Unpickling this creates a file."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.target,))


@pytest.mark.parametrize("name", ["weights.safetensors", "state.json", "manifest.json"])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_refused_and_nothing_runs(
    folder: Path, tmp_path: Path, name: str, protocol: int
) -> None:
    target = tmp_path / "executed"
    bomb = pickle.dumps(Bomb(target), protocol=protocol)
    if name == "manifest.json":
        (folder / name).write_bytes(bomb)
    else:
        rewrite(folder, name, bomb)
    refused(folder, "is a pickle" if protocol >= 2 else "is not (a safetensors|JSON)")
    assert not target.exists()
    pickle.loads(bomb)  # noqa: S301 - the bomb is a real one
    assert target.exists()


def test_a_torch_archive_is_refused(folder: Path, tmp_path: Path) -> None:
    torch.save({"trunk.bias": torch.zeros(3)}, tmp_path / "weights.pt")
    rewrite(folder, "weights.safetensors", (tmp_path / "weights.pt").read_bytes())
    refused(folder, "is a pickle or zip archive")


@pytest.mark.parametrize("name", ["weights.safetensors", "optimizer.safetensors", "state.json"])
def test_a_truncated_file_is_refused(folder: Path, name: str) -> None:
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[:-1])
    refused(folder, f"{name}: truncated to {len(data) - 1} bytes: expected {len(data)}")


def test_a_truncated_file_with_a_forged_manifest_is_refused(folder: Path) -> None:
    data = (folder / "weights.safetensors").read_bytes()
    for length in (0, 4, 8, 9, len(data) // 2, len(data) - 1):
        rewrite(folder, "weights.safetensors", data[:length])
        refused(folder, "is not a safetensors file")


def test_a_file_with_bytes_added_is_refused(folder: Path) -> None:
    path = folder / "random.safetensors"
    path.write_bytes(path.read_bytes() + b"x")
    refused(folder, r"random.safetensors: \d+ bytes: expected \d+")


@pytest.mark.parametrize(
    ("name", "cap"), [("weights.safetensors", "MAX_TENSOR_BYTES"), ("state.json", "MAX_JSON_BYTES")]
)
def test_an_oversize_file_is_refused_unread(folder: Path, name: str, cap: str) -> None:
    # A sparse file: it would fill the memory if it were read.
    size = getattr(checkpoint_reader, cap) + 1
    with (folder / name).open("r+b") as file:
        file.truncate(size)
    refused(folder, f"{name}: {size} bytes: expected at most {size - 1}")


def test_an_oversize_manifest_is_refused(folder: Path) -> None:
    with (folder / "manifest.json").open("r+b") as file:
        file.truncate((1 << 20) + 1)
    refused(folder, r"manifest.json: more than 1048576 bytes")


def test_a_changed_bit_is_found(folder: Path) -> None:
    path = folder / "weights.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    refused(folder, r"weights.safetensors: SHA-256 .*: expected .* of its manifest")


@pytest.mark.parametrize("name", ["weights.safetensors", "state.json", "optimizer.safetensors"])
def test_a_missing_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    refused(folder, f"{name} missing")


@pytest.mark.parametrize("name", ["extra.bin", "hook.py", ".hidden", "more.safetensors"])
def test_an_extra_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"")
    refused(folder, f"{name} not in its manifest")


def test_an_extra_folder_is_refused(folder: Path) -> None:
    (folder / "sub").mkdir()
    refused(folder, "sub not in its manifest")


def test_a_link_is_refused(folder: Path, tmp_path: Path) -> None:
    path = folder / "weights.safetensors"
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    refused(folder, "expected a regular file")


def test_a_missing_manifest_or_folder_is_refused(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    refused(folder, "manifest.json: cannot be read: No such file")
    refused(folder / "gone", "there is no such checkpoint folder")


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (2, "schema version 2 is newer than this program's 1: use a newer arboretum-lab"),
        (0, "schema version 0: expected 1"),
        (None, "schema version None: expected 1"),
        ("1", "schema version '1': expected 1"),
    ],
)
def test_another_schema_is_refused(folder: Path, version: Any, message: str) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["schema_version"] = version
    (folder / "manifest.json").write_text(json.dumps(manifest))
    refused(folder, message)


@pytest.mark.parametrize(
    "files",
    [
        [],
        {},
        {"weights.safetensors": {"sha256": "0", "bytes": 1}},
        {"state.json": {"sha256": "0"}},
        {"state.json": {"sha256": "0", "bytes": "1"}},
        {"state.json": {"sha256": "0", "bytes": 1}, "../x": {"sha256": "0", "bytes": 1}},
        {"state.json": {"sha256": "0", "bytes": 1}, "x.pkl": {"sha256": "0", "bytes": 1}},
    ],
)
def test_a_malformed_manifest_is_refused(folder: Path, files: Any) -> None:
    (folder / "manifest.json").write_text(json.dumps({"schema_version": 1, "files": files}))
    refused(folder, "manifest.json: .*expected")


def test_another_layout_is_refused(folder: Path) -> None:
    change_state(folder, lambda state: state.update(layout_hash="0" * 64))
    refused(folder, r"observation-layout hash 000000000000\.\.\.: expected")


def test_weights_of_another_game_are_refused(folder: Path) -> None:
    change_state(folder, lambda state: state["config"]["game"].update(num_players=4, species=10))
    refused(folder, "learned with another observation or action layout")


def test_other_rules_are_refused(folder: Path) -> None:
    change_state(folder, lambda state: state.update(rules_version=99))
    refused(folder, "rules version 99: expected 1")


def test_an_impossible_game_is_refused(folder: Path) -> None:
    change_state(folder, lambda state: state["config"]["game"].update(num_players=9))
    refused(folder, "state.json: config.game: .*num_players")


@pytest.mark.parametrize("key", ["rules_version", "layout_hash", "step", "config", "counters"])
def test_a_state_without_a_key_is_refused(folder: Path, key: str) -> None:
    change_state(folder, lambda state: state.pop(key))
    refused(folder, "state.json: expected rules_version")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"[]", "expected a JSON object, given list"),
        (b"{", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b'{"step": NaN}', "NaN is not a JSON number"),
        (b"[" * 100_000, "is not JSON"),
    ],
)
def test_a_state_that_is_no_json_is_refused(folder: Path, text: bytes, message: str) -> None:
    rewrite(folder, "state.json", text)
    refused(folder, message)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("group", ["weights", "optimizer"])
def test_numbers_that_are_not_finite_are_refused(folder: Path, group: str, number: float) -> None:
    name = f"{group}.safetensors"
    tensors = safetensors.torch.load((folder / name).read_bytes())
    key = min(tensors)
    tensors[key].view(-1)[0] = number
    rewrite(folder, name, safetensors.torch.save(tensors))
    total = tensors[key].numel()
    refused(folder, f"{name}: '{key}': 1 of {total} numbers are NaN or infinite: expected finite")


def test_a_checkpoint_without_weights_is_refused(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["files"]["weights.safetensors"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "weights.safetensors").unlink()
    refused(folder, "has no weights.safetensors")


def test_the_error_is_one_of_the_family() -> None:
    assert issubclass(CheckpointError, ArboretumError)
