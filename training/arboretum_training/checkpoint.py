"""Writing checkpoints so that a crash at any moment leaves the last one whole.

    1. every file goes to a temporary folder beside the checkpoints, and to the disk (fsync)
    2. the temporary folder gets its name in one step (rename)
    3. the run's pointer ``LATEST`` is replaced in one step
    4. only then old checkpoints go, never the one that the pointer names

Before 3 the pointer names the previous checkpoint, which nothing has touched; after it the new one,
which is complete. The format, and reading it: ``arboretum_agents.neural.checkpoint_reader``.
"""

import contextlib
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import safetensors.torch
from torch import Tensor

from arboretum_agents.neural.checkpoint_reader import (
    CHECKPOINTS_NAME,
    MANIFEST_NAME,
    POINTER_NAME,
    SCHEMA_VERSION,
    STATE_NAME,
    Checkpoint,
    check_finite,
    latest_step,
    step_name,
)
from arboretum_env.errors import CheckpointError
from arboretum_env.layout_hash import layout_hash
from arboretum_env.version import RULES_VERSION
from arboretum_training.files import replace_file, sync_folder, write_synced

_TEMPORARY = ".tmp-"


def save_checkpoint(run_folder: Path, checkpoint: Checkpoint, *, keep: int) -> Path:
    """Write a checkpoint, point ``LATEST`` to it and remove old ones.

    A folder of the same step that the pointer does not name is the rest of a run that was killed
    between steps 2 and 3, and is replaced.

    Args:
        run_folder: the run; its subfolder ``checkpoints`` exists.
        checkpoint: what to save. Tensors of any device; not changed.
        keep: how many of the newest checkpoints stay, at least 1.

    Returns:
        The new checkpoint's folder.

    Raises:
        ValueError: ``keep`` below 1.
        CheckpointError: this step is saved already, the folder is missing, the disk is full or
            anything else that the system refuses, or a number is not finite. The previous
            checkpoint is intact.
    """
    if keep < 1:
        raise ValueError(f"keep {keep} checkpoints: expected at least 1")
    folder = run_folder / CHECKPOINTS_NAME
    previous = latest_step(run_folder)
    if previous == checkpoint.step:
        raise CheckpointError(f"{folder}: step {checkpoint.step} is saved already")
    final = folder / step_name(checkpoint.step)
    for group, tensors in checkpoint.tensors.items():
        check_finite(final / f"{group}.safetensors", tensors)
    try:
        _remove_leftovers(folder)
        write_folder(final, checkpoint)
        replace_file(run_folder / POINTER_NAME, f"{final.name}\n".encode())
    except OSError as error:
        kept = "there is no previous one" if previous is None else f"step {previous} is intact"
        raise CheckpointError(
            f"{final}: cannot be saved: {error.strerror or error} ({kept})"
        ) from error
    try:
        _remove_old(folder, final, keep)
    except OSError as error:
        raise CheckpointError(
            f"{final}: saved, but older checkpoints cannot be removed: {error.strerror or error}"
        ) from error
    return final


def write_folder(final: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint's folder, whole or not at all; one of that name is replaced.

    Args:
        final: the folder; the one that it is to be in exists.
        checkpoint: what to save.

    Raises:
        OSError: what the system refuses.
    """
    with _temporary_folder(final.parent, final.name) as temporary:
        _write_files(temporary, checkpoint)
        if final.exists():
            _remove(final)
        temporary.rename(final)
        sync_folder(final.parent)


@contextlib.contextmanager
def _temporary_folder(parent: Path, name: str) -> Iterator[Path]:
    """A new folder that is gone afterwards, unless it was renamed meanwhile."""
    temporary = parent / f"{_TEMPORARY}{name}"
    temporary.mkdir()
    try:
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _write_files(folder: Path, checkpoint: Checkpoint) -> None:
    state = {
        "rules_version": RULES_VERSION,
        "layout_hash": layout_hash(checkpoint.game),
        "step": checkpoint.step,
        "config": checkpoint.config,
        "counters": checkpoint.counters,
        "state": checkpoint.state,
    }
    contents = {STATE_NAME: _to_json(state)}
    for group, tensors in checkpoint.tensors.items():
        contents[f"{group}.safetensors"] = safetensors.torch.save(_detached(tensors))
    manifest = {
        "schema_version": SCHEMA_VERSION,
        "files": {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
            for name, data in contents.items()
        },
    }
    contents[MANIFEST_NAME] = _to_json(manifest)
    for name, data in contents.items():
        write_synced(folder / name, data)
    sync_folder(folder)


def _detached(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    # Copies: safetensors refuses tensors that share memory, which tied or sliced ones do.
    return {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}


def _to_json(data: Mapping[str, Any]) -> bytes:
    # NaN and infinities are not JSON: they are refused here rather than by whoever reads the file.
    return (json.dumps(data, indent=1, allow_nan=False) + "\n").encode()


def _remove_old(folder: Path, pointed: Path, keep: int) -> None:
    steps = sorted(path for path in folder.iterdir() if path.name.isdecimal())
    # Steps beyond the pointer belong to a future that a killed run did not have.
    past = [path for path in steps if path.name <= pointed.name]
    for path in steps:
        if path != pointed and path not in past[-keep:]:
            _remove(path)


def _remove(path: Path) -> None:
    """Remove a checkpoint; killed meanwhile, it leaves a leftover and no half checkpoint."""
    doomed = path.with_name(f"{_TEMPORARY}old-{path.name}")
    path.rename(doomed)
    shutil.rmtree(doomed)


def _remove_leftovers(folder: Path) -> None:
    for path in folder.glob(f"{_TEMPORARY}*"):
        shutil.rmtree(path)
