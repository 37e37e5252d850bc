"""Creates a virtual environment with pip, also where Python came without ``ensurepip``.

Some Linux distributions package ``ensurepip`` apart, and ``python -m venv`` fails there; the pip
that is installed beside the interpreter can bring pip into the new environment just as well.
Standard library only: it runs before anything is installed.
"""

import importlib.util
import subprocess
import sys
import venv
from pathlib import Path


def create_venv(folder: Path) -> Path:
    """Creates ``folder`` afresh and returns its Python.

    Raises:
        subprocess.CalledProcessError: neither way of getting pip worked.
    """
    has_ensurepip = importlib.util.find_spec("ensurepip") is not None
    venv.create(folder, with_pip=has_ensurepip, clear=True, symlinks=True)
    python = folder / "bin" / "python"
    if not has_ensurepip:
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "pip"],
            check=True,
        )
    return python


if __name__ == "__main__":
    create_venv(Path(sys.argv[1]))
