"""A command that is sent Ctrl-C in the middle of its work."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

ARBORETUM = Path(sys.executable).parent / "arboretum"
PATIENCE = 120.0  # seconds, on a busy machine


def interrupted(
    words: Sequence[str], cwd: Path, under_way: Callable[[], bool]
) -> subprocess.CompletedProcess[str]:
    """Runs ``arboretum`` in a folder and interrupts it when a condition first holds.

    It has to end with exit code 130 and without a traceback.
    """
    process = subprocess.Popen(
        [ARBORETUM, *words],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        while not under_way():
            if process.poll() is not None:
                pytest.fail(f"ended with {process.returncode}: {process.communicate()}")
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "Traceback" not in errors
    return subprocess.CompletedProcess(process.args, process.returncode, printed, errors)


def has_rows(log: Path, number: int) -> bool:
    """Whether a log has at least so many rows."""
    return log.exists() and log.read_text().count("\n") >= number
