"""How to call a program of this installation again, in hints that one can copy."""

import os
import shutil
import sys
from pathlib import Path


def program(name: str = "arboretum") -> str:
    """``name`` if the shell finds ours by it, else its path beside the interpreter.

    ``make demo`` runs in a virtual environment that the user's shell need not have activated.
    """
    ours = Path(sys.executable).parent / name
    found = shutil.which(name)
    if not ours.exists() or (found is not None and Path(found).samefile(ours)):
        return name
    relative = os.path.relpath(ours)
    return str(ours) if relative.startswith("..") else relative
