"""Measures Arboretum against other environments, in a virtual environment of its own.

``python benchmarks/peers/run.py [OPTIONS]``, or ``make bench-peers``. The first run installs the
peers into ``.venvs/bench``, some minutes. Options go to ``benchmarks.peers.measure``; ``--help``
lists them. Flags for pip, such as an index, come from the variable ``PIP_FLAGS``.

Standard library only: it runs before anything is installed.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
VENV: Final = ROOT / ".venvs" / "bench"
STAMP: Final = VENV / ".installed"
REQUIREMENTS: Final = Path(__file__).with_name("requirements.txt")
INPUTS: Final = (REQUIREMENTS, ROOT / "constraints.txt", ROOT / "pyproject.toml")


def installed() -> bool:
    """Whether the environment holds what the files ask for."""
    if not STAMP.is_file():
        return False
    return all(path.stat().st_mtime <= STAMP.stat().st_mtime for path in INPUTS)


def install(python: Path) -> None:
    """Creates the environment if need be, and installs the project and its peers into it."""
    print(f"Installing the peers into {VENV} (minutes the first time)", file=sys.stderr)
    if not python.exists():
        subprocess.run([sys.executable, ROOT / "scripts" / "create_venv.py", VENV], check=True)
    pip = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    flags = shlex.split(os.environ.get("PIP_FLAGS", ""))
    what = ["--requirement", str(REQUIREMENTS), "--editable", str(ROOT)]
    subprocess.run([*pip, *flags, "--constraint", str(ROOT / "constraints.txt"), *what], check=True)
    STAMP.touch()  # last, so that an interrupted installation is taken up again


def main() -> int:
    """Installs, measures, and returns the exit code of the measurement."""
    python = VENV / "bin" / "python"
    if not installed():
        install(python)
    measure = [str(python), "-m", "benchmarks.peers.measure", *sys.argv[1:]]
    return subprocess.run(measure, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
