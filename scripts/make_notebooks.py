"""Executes the notebooks in the full setting and keeps them with their outputs.

    python scripts/run_studies.py              # first: what they show, for as long as it takes
    python scripts/make_notebooks.py [NAME ...]

The scripts in ``notebooks/`` are what is edited; the notebooks beside them are made of these. It
needs the extra ``research``, jupytext, nbclient and ipykernel.
"""

import argparse
import os
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

from arboretum_training.research.studies.study import FULL, VARIABLE

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"


def execute(script: Path) -> Path:
    """Makes the notebook of a script; one that fails leaves the old notebook as it was."""
    notebook = jupytext.read(script)
    kernel = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, timeout=None, resources=kernel).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran is no part of what came out
    path = script.with_suffix(".ipynb")
    path.write_text(nbformat.writes(notebook), encoding="utf-8")
    return path


def main() -> None:
    """The command; see the module."""
    names = [path.stem for path in sorted(NOTEBOOKS.glob("*.py"))]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[*names, []], default=names, metavar="NAME")
    options = parser.parse_args()
    os.environ[VARIABLE] = FULL.name
    for name in options.names:
        print(execute(NOTEBOOKS / f"{name}.py").name, flush=True)


if __name__ == "__main__":
    main()
