"""docs/openspiel.md: its examples run, and its tables say what is true."""

import re
from pathlib import Path

import pytest

from arboretum_env.openspiel.game import PARAMETERS

PAGE = Path(__file__).parents[2] / "docs" / "openspiel.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102 - the page's own examples
    assert capsys.readouterr().out


def test_the_first_example_is_short() -> None:
    assert len([line for line in EXAMPLES[0].splitlines() if line]) <= 15


def test_the_table_of_parameters_is_complete() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `?(\w+)`? \|", TEXT, re.MULTILINE))
    assert rows == {name: str(default) for name, default in PARAMETERS.items()}
