"""The pages of the research kit: examples as they are, every column, findings of the notebooks."""

import re
from pathlib import Path

import pytest

from arboretum_env.config import GameConfig
from arboretum_lab.cli.main import main
from arboretum_training.research.dataset_schema import schema_of
from scripts.make_findings_docs import PAGE as FINDINGS
from scripts.make_findings_docs import page as findings

ROOT = Path(__file__).parents[2]
BLOCKING = (ROOT / "docs" / "hand-blocking.md").read_text(encoding="utf-8")
DATASETS = (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8")


def test_the_worked_example_is_what_the_command_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    [command] = re.findall(r"`arboretum (blocking tests/[^`]*)`", BLOCKING)
    assert main(command.split()) == 0
    first_half, _ = capsys.readouterr().out.split("\n\n")
    assert f"```text\n{first_half}\n```" in BLOCKING


def test_the_lines_of_python_give_what_stands_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    [code] = re.findall(r"```python\n(.*?)```", BLOCKING, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102 - the page's own example
    account = names["account"]
    assert account.blocking.denials[0, 1, 0].sum() == 8.0  # type: ignore[attr-defined]
    assert account.seat_figures()["wasted"].tolist() == [[4.0, 7.0]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("rows", ["decisions", "games"])
def test_every_column_is_described(rows: str) -> None:
    for name in schema_of(GameConfig(), rows, {}).names:  # type: ignore[arg-type]
        general = re.sub(r"_\d$", "_k" if rows == "games" else "_0", name)
        assert f"`{general}`" in DATASETS, name


def test_the_findings_are_those_of_the_notebooks_that_are_kept() -> None:
    """If not: run scripts/make_findings_docs.py."""
    text = FINDINGS.read_text(encoding="utf-8")
    assert findings() == text
    assert text.count("\n## ") >= 2
    for image in re.findall(r"!\[\w+\]\((.*?)\)", text):
        assert (FINDINGS.parent / image).is_file()
