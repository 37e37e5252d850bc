"""Waiting for what workers leave behind, and for their end."""

import time
from pathlib import Path

PATIENCE = 240.0  # seconds; on a busy machine, too


def wait_for(folder: Path, pattern: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not list(folder.glob(pattern)):
        assert time.monotonic() < deadline, f"no {pattern}"
        time.sleep(0.05)


def wait_for_end(folder: Path) -> None:
    """Waits until no process is left that has said who it is."""
    pids = [int(path.stem) for path in folder.glob("*.pid")]
    assert pids
    deadline = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
