"""Every study is a script and a notebook with the same cells; the notebook's are executed."""

import re
from pathlib import Path

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from arboretum_training.research.studies import STUDIES
from arboretum_training.research.studies.study import FULL, SMALL, VARIABLE

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
SCRIPTS = sorted(NOTEBOOKS.glob("*.py"))


def is_computed(script: Path) -> bool:
    """Whether all that a script shows was computed in the full setting."""
    for name in re.findall(r'STUDIES\["(\w+)"\]', script.read_text(encoding="utf-8")):
        results = NOTEBOOKS / "results" / "full" / f"{name}.jsonl"
        rows = results.read_text(encoding="utf-8").splitlines()[1:] if results.is_file() else []
        if len(rows) < len(STUDIES[name](FULL).parts):
            return False
    return True


KEPT = [script for script in SCRIPTS if is_computed(script)]
FOREIGN = re.compile(r"(?<![\w.])/(?:root|home|work|tmp|Users)/\w")


def cells(notebook: NotebookNode) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in notebook.cells]


def kept(script: Path) -> NotebookNode:
    return nbformat.read(script.with_suffix(".ipynb"), as_version=4)


def test_a_notebook_is_kept_once_its_study_was_computed() -> None:
    assert len(KEPT) >= 3
    assert sorted(NOTEBOOKS.glob("*.ipynb")) == [path.with_suffix(".ipynb") for path in KEPT]


@pytest.mark.parametrize(
    "script", [path for path in SCRIPTS if path not in KEPT], ids=lambda path: path.stem
)
def test_a_script_without_a_notebook_runs_in_the_small_setting(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, SMALL.name)
    where = {"metadata": {"path": str(NOTEBOOKS)}}
    executed = NotebookClient(jupytext.read(script), timeout=None, resources=where).execute()
    assert any(cell.outputs for cell in executed.cells if cell.cell_type == "code")


@pytest.mark.parametrize("script", KEPT, ids=lambda path: path.stem)
def test_a_notebook_has_the_cells_of_its_script(script: Path) -> None:
    assert cells(kept(script)) == cells(jupytext.read(script))


@pytest.mark.parametrize("script", KEPT, ids=lambda path: path.stem)
def test_a_notebook_was_executed_from_top_to_bottom_without_an_error(script: Path) -> None:
    code = [cell for cell in kept(script).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert outputs
    assert [output for output in outputs if output.output_type == "error"] == []


@pytest.mark.parametrize("script", KEPT, ids=lambda path: path.stem)
def test_outputs_name_no_folder_of_the_machine_that_made_them(script: Path) -> None:
    assert FOREIGN.findall(script.with_suffix(".ipynb").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("script", KEPT, ids=lambda path: path.stem)
def test_what_is_kept_shows_the_full_setting(script: Path) -> None:
    if "chosen_setting()" not in script.read_text(encoding="utf-8"):
        pytest.skip("has no settings")
    assert "Setting(name='full'" in str(kept(script).cells)
