"""Fixtures of the resume tests."""

from pathlib import Path

import pytest


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """An empty run folder, as ``RunFolder.create`` leaves it for checkpoints."""
    (tmp_path / "run" / "checkpoints").mkdir(parents=True)
    return tmp_path / "run"
