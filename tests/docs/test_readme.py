"""All pages, README.md first: links lead somewhere, and what they name is there."""

import re
from pathlib import Path

import pytest

from arboretum_training.metrics import METRICS
from scripts.make_metrics_docs import PAGE as LEARNING
from scripts.make_metrics_docs import with_table

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = (README, LEARNING, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_are_as_short_as_their_titles_say() -> None:
    loop, measuring = (len([line for line in code.splitlines() if line]) for code in EXAMPLES)
    assert loop <= 20
    assert measuring <= 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    for target in targets:
        assert "://" in target or (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_configurations_exist(page: Path) -> None:
    for name in re.findall(r"configs/\w+\.yaml", page.read_text(encoding="utf-8")):
        assert (ROOT / name).exists(), name


def test_the_table_of_metrics_is_current() -> None:
    """If not: run scripts/make_metrics_docs.py."""
    text = LEARNING.read_text(encoding="utf-8")
    assert with_table(text) == text
    for metric in METRICS:
        assert f"| `{metric.name}" in text
