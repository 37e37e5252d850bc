"""Reading checkpoints: a folder that is verified whole before anything in it is used.

    000000004096/
        manifest.json          schema version; size and SHA-256 of every other file
        state.json             rules version, layout hash, experiment, counters, random states, ...
        weights.safetensors    the network
        optimizer.safetensors  (and other groups of named tensors, for going on with the training)

Nothing in a checkpoint is code, so nothing can be executed: JSON and safetensors hold data only, a
pickle is refused whatever it is called (docs/promises.md, fault 19). The hashes find damage, not
forgery.

Training writes these folders with ``arboretum_training.checkpoint``; here is the one way to read
them, so that agents can be loaded without the training library.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from arboretum_env.config import GameConfig
from arboretum_env.errors import ArboretumError, CheckpointError
from arboretum_env.layout_hash import layout_hash
from arboretum_env.version import RULES_VERSION

SCHEMA_VERSION: Final = 1
MANIFEST_NAME: Final = "manifest.json"
STATE_NAME: Final = "state.json"
WEIGHTS: Final = "weights"  # the group of tensors that every checkpoint has
POINTER_NAME: Final = "LATEST"
CHECKPOINTS_NAME: Final = "checkpoints"

MAX_JSON_BYTES: Final = 64 << 20
MAX_TENSOR_BYTES: Final = 2 << 30

_FILE_NAME: Final = re.compile(r"state\.json|[a-z][a-z_]{0,40}\.safetensors")
_STEP_NAME: Final = re.compile(r"[0-9]{1,18}")
_PICKLE_STARTS: Final = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"PK\x03\x04")


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint holds.

    Attributes:
        step: decisions that the run had learned from.
        config: the experiment, resolved, as plain data; ``config["game"]`` is the game.
        counters: numbers that count on over a resumed run.
        state: further plain data, e.g. random states.
        tensors: group -> name -> tensor; the group ``weights`` is always there.
        digest: SHA-256 of the weights' file, in hex: who plays. None before it is written.
    """

    step: int
    config: Mapping[str, Any]
    counters: Mapping[str, int | float]
    state: Mapping[str, Any]
    tensors: Mapping[str, Mapping[str, Tensor]]
    digest: str | None = None

    @property
    def game(self) -> GameConfig:
        """The game that was learned."""
        return GameConfig(**self.config["game"])


def step_name(step: int) -> str:
    """Name of the folder of a step, so that names sort as steps do."""
    return f"{step:012d}"


def latest_step(run_folder: Path) -> int | None:
    """Step that the run's pointer names; None where there is no pointer yet.

    Raises:
        CheckpointError: a pointer that names no step.
    """
    pointer = run_folder / POINTER_NAME
    try:
        text = pointer.read_bytes()[:64].decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CheckpointError(f"{pointer}: cannot be read: {error.strerror}") from error
    # The pointer is a bare number, so that it can lead nowhere but into the run's own folder.
    if not _STEP_NAME.fullmatch(text):
        raise CheckpointError(
            f"{pointer}: {text!r}: expected the step of a checkpoint, digits only"
        )
    return int(text)


def find_checkpoint(path: Path) -> Path:
    """The checkpoint folder that a path means: itself, or the one a run's ``LATEST`` points to.

    Raises:
        CheckpointError: neither a checkpoint folder nor a run folder that has one.
    """
    if (path / MANIFEST_NAME).exists():
        return path
    step = latest_step(path)
    if step is None:
        raise CheckpointError(
            f"{path}: expected a checkpoint folder (with {MANIFEST_NAME}) or a run folder "
            f"(with {POINTER_NAME})"
        )
    folder = path / CHECKPOINTS_NAME / step_name(step)
    if not folder.is_dir():
        raise CheckpointError(f"{path / POINTER_NAME}: points to {folder}, which is not there")
    return folder


def read_checkpoint(folder: Path) -> Checkpoint:
    """Verify a checkpoint folder, then read all of it.

    Args:
        folder: a checkpoint folder, see ``find_checkpoint``.

    Raises:
        CheckpointError: a file missing, extra, truncated, too large, changed, or not of its kind;
            a number that is not finite; a schema, rules or layout that this version does not have.
    """
    entries = _read_manifest(folder)
    _check_listing(folder, entries)
    contents = {name: _read_verified(folder / name, entry) for name, entry in entries.items()}
    state = _parse_json(folder / STATE_NAME, contents.pop(STATE_NAME))
    tensors = {
        name.removesuffix(".safetensors"): _parse_tensors(folder / name, data)
        for name, data in contents.items()
    }
    if WEIGHTS not in tensors:
        raise CheckpointError(f"{folder}: has no {WEIGHTS}.safetensors")
    return _assemble(folder, state, tensors, entries[f"{WEIGHTS}.safetensors"].sha256)


@dataclass(frozen=True)
class _Entry:
    """One file of a manifest."""

    sha256: str
    size: int


def _read_manifest(folder: Path) -> dict[str, _Entry]:
    path = folder / MANIFEST_NAME
    if not folder.is_dir():
        raise CheckpointError(f"{folder}: there is no such checkpoint folder")
    manifest = _parse_json(path, _read(path, 1 << 20))
    version = manifest.get("schema_version")
    # First of all: a newer format may have moved everything that is looked at below.
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise CheckpointError(
            f"{path}: schema version {version} is newer than this program's {SCHEMA_VERSION}: "
            "use a newer arboretum-lab"
        )
    if version != SCHEMA_VERSION:
        raise CheckpointError(f"{path}: schema version {version!r}: expected {SCHEMA_VERSION}")
    files = manifest.get("files")
    if not isinstance(files, dict) or STATE_NAME not in files:
        raise CheckpointError(f"{path}: expected 'files' with {STATE_NAME}")
    entries = {}
    for name, entry in files.items():
        match entry:
            case {"sha256": str(sha256), "bytes": int(size)} if _FILE_NAME.fullmatch(name):
                entries[name] = _Entry(sha256, size)
            case _:
                raise CheckpointError(
                    f"{path}: {name!r}: expected {STATE_NAME} or GROUP.safetensors with its sha256 "
                    "and bytes"
                )
    return entries


def _check_listing(folder: Path, entries: Mapping[str, _Entry]) -> None:
    """The folder holds exactly the manifest and its files, all of them regular."""
    expected = {MANIFEST_NAME, *entries}
    found = {entry.name: entry for entry in folder.iterdir()}
    if missing := sorted(expected - found.keys()):
        raise CheckpointError(
            f"{folder}: {', '.join(missing)} missing: expected as in its manifest"
        )
    if extra := sorted(found.keys() - expected):
        raise CheckpointError(f"{folder}: {', '.join(extra)} not in its manifest: expected no more")
    for name, path in found.items():
        if path.is_symlink() or not path.is_file():
            raise CheckpointError(f"{folder / name}: expected a regular file")


def _read_verified(path: Path, entry: _Entry) -> bytes:
    """Content of a file whose size and hash are those of the manifest."""
    cap = MAX_JSON_BYTES if path.name == STATE_NAME else MAX_TENSOR_BYTES
    size = path.stat().st_size
    if size > cap:
        raise CheckpointError(f"{path}: {size} bytes: expected at most {cap}")
    if size < entry.size:
        raise CheckpointError(f"{path}: truncated to {size} bytes: expected {entry.size}")
    if size > entry.size:
        raise CheckpointError(f"{path}: {size} bytes: expected {entry.size}")
    # What was hashed is what is parsed: the file is not opened a second time.
    data = _read(path, cap)
    digest = hashlib.sha256(data).hexdigest()
    if digest != entry.sha256:
        raise CheckpointError(
            f"{path}: SHA-256 {digest[:12]}...: expected {entry.sha256[:12]}... of its manifest; "
            "the file was damaged or changed"
        )
    return data


def _read(path: Path, cap: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(cap + 1)
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > cap:
        raise CheckpointError(f"{path}: more than {cap} bytes: expected at most that")
    return data


def _parse_json(path: Path, data: bytes) -> dict[str, Any]:
    _refuse_pickle(path, data)
    try:
        parsed = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise CheckpointError(f"{path}: is not JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise CheckpointError(f"{path}: expected a JSON object, given {type(parsed).__name__}")
    return parsed


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _parse_tensors(path: Path, data: bytes) -> dict[str, Tensor]:
    # A safetensors file starts with the length of its header, whose bytes may look like a pickle's
    # (a header of 640 bytes does); but then the header itself follows.
    if data[8:9] != b"{":
        _refuse_pickle(path, data)
    try:
        tensors = dict(safetensors.torch.load(data))
    except (
        safetensors.SafetensorError,
        AssertionError,
        KeyError,
        RuntimeError,
        ValueError,
    ) as error:
        raise CheckpointError(f"{path}: is not a safetensors file: {error}") from error
    check_finite(path, tensors)
    return tensors


def check_finite(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Refuse NaN and infinities before they surface as moves that make no sense.

    Raises:
        CheckpointError: the message names the file and the tensor.
    """
    for name, tensor in tensors.items():
        faulty = int((~torch.isfinite(tensor)).sum())
        if faulty:
            raise CheckpointError(
                f"{path}: {name!r}: {faulty} of {tensor.numel()} numbers are NaN or infinite: "
                "expected finite numbers"
            )


def _refuse_pickle(path: Path, data: bytes) -> None:
    # The parsers would refuse it too; but whoever tries it should learn why.
    if data.startswith(_PICKLE_STARTS):
        raise CheckpointError(
            f"{path}: is a pickle or zip archive, which could run code when loaded: refused; "
            "expected JSON or safetensors"
        )


def _assemble(
    folder: Path, state: dict[str, Any], tensors: dict[str, dict[str, Tensor]], digest: str
) -> Checkpoint:
    path = folder / STATE_NAME
    match state:
        case {
            "rules_version": int(rules),
            "layout_hash": str(layout),
            "step": int(step),
            "config": {"game": dict(game), **_others} as config,
            "counters": dict(counters),
            "state": dict(further),
        }:
            pass
        case _:
            raise CheckpointError(
                f"{path}: expected rules_version, layout_hash, step, config with game, counters "
                "and state"
            )
    if rules != RULES_VERSION:
        raise CheckpointError(f"{path}: rules version {rules}: expected {RULES_VERSION}")
    try:
        current = layout_hash(GameConfig(**game))
    except (ArboretumError, TypeError) as error:
        raise CheckpointError(f"{path}: config.game: {error}") from error
    if layout != current:
        raise CheckpointError(
            f"{path}: observation-layout hash {layout[:12]}...: expected {current[:12]}...; the "
            "weights were learned with another observation or action layout"
        )
    return Checkpoint(step, config, counters, further, tensors, digest)
