"""Writing files so that a crash leaves the old content or the new one, never half of it."""

import os
from pathlib import Path


def write_synced(path: Path, data: bytes) -> None:
    """Write a file and wait until it is on the disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, which syncing its files does not do."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_file(path: Path, data: bytes) -> None:
    """Give a file new content in one step."""
    temporary = path.with_name(f".tmp-{path.name}")
    write_synced(temporary, data)
    temporary.replace(path)
    sync_folder(path.parent)
