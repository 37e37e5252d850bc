"""Every study is a script and a notebook with the same cells; the notebook's are executed."""

import re
from pathlib import Path

import jupytext
import nbformat
import pytest
from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
SCRIPTS = sorted(NOTEBOOKS.glob("*.py"))
FOREIGN = re.compile(r"(?<![\w.])/(?:root|home|work|tmp|Users)/\w")


def cells(notebook: NotebookNode) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in notebook.cells]


def kept(script: Path) -> NotebookNode:
    return nbformat.read(script.with_suffix(".ipynb"), as_version=4)


def test_every_notebook_has_a_script() -> None:
    assert len(SCRIPTS) >= 4
    assert sorted(NOTEBOOKS.glob("*.ipynb")) == [path.with_suffix(".ipynb") for path in SCRIPTS]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_notebook_has_the_cells_of_its_script(script: Path) -> None:
    assert cells(kept(script)) == cells(jupytext.read(script))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_notebook_was_executed_from_top_to_bottom_without_an_error(script: Path) -> None:
    code = [cell for cell in kept(script).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert outputs
    assert [output for output in outputs if output.output_type == "error"] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_outputs_name_no_folder_of_the_machine_that_made_them(script: Path) -> None:
    assert FOREIGN.findall(script.with_suffix(".ipynb").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_what_is_kept_shows_the_full_setting(script: Path) -> None:
    if "chosen_setting()" not in script.read_text(encoding="utf-8"):
        pytest.skip("has no settings")
    assert "Setting(name='full'" in str(kept(script).cells)
