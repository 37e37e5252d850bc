"""docs/sb3.md: its examples run, and its tables say what the code says."""

import re
from pathlib import Path

import pytest

from arboretum_training.league_config import PoolConfig
from arboretum_training.sb3.session import borrowed_randomness

PAGE = Path(__file__).parents[2] / "docs" / "sb3.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("code", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_run(code: str) -> None:
    with borrowed_randomness():
        exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102 - the page's own examples


def test_the_table_of_the_pool_has_its_defaults() -> None:
    assert len(EXAMPLES) == 2
    pool = PoolConfig()
    for key in ("latest", "every", "size"):
        assert f"| `pool.{key}` | {getattr(pool, key)} |" in TEXT
    assert pool.bots == () and "| `pool.bots`, `pool.bot_share` | none |" in TEXT
