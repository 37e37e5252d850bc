"""Refuses files that are too large for a repository: ``python scripts/check_sizes.py FILE ...``.

Called by pre-commit with the files of a commit, and by ``tests/house`` with all of them.
Checkpoints that training goes on from are let through (``training/checkpoints``).
"""

import sys
from pathlib import Path
from typing import Final

LIMIT: Final = 1_000_000  # bytes
LET_THROUGH: Final = "training/checkpoints/"


def too_large(files: list[str], root: Path) -> list[str]:
    """A line for every file under ``root`` that is larger than the limit."""
    faults = []
    for name in files:
        path = root / name
        if name.startswith(LET_THROUGH) or not path.is_file():
            continue
        if (size := path.stat().st_size) > LIMIT:
            faults.append(f"{name}: {size:,} bytes, expected at most {LIMIT:,}")
    return faults


if __name__ == "__main__":
    found = too_large(sys.argv[1:], Path.cwd())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
