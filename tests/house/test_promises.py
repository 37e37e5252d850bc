"""docs/promises.md names tests that exist, and leaves no fault without one."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "promises.md"
NAMED = re.compile(r"`((?:tests|integrations)/[\w/]+\.py)(?:::(\w+))?`")
FAULTS = 24
IN_SHORT = (
    "exact rules",
    "secrecy",
    "the mask is the set of legal actions",
    "reproducibility",
    "exact resume",
    "no code on load",
    "crash safety",
    "reproducible numbers",
    "no telemetry",
    "stable versions",
)


@cache
def names_of_tests(path: Path) -> frozenset[str]:
    """Names of the test functions and methods of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = (node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return frozenset(name for name in names if name.startswith("test_"))


def missing(text: str) -> list[str]:
    """Every test or file that a text names and that is not there."""
    absent = []
    for file, test in NAMED.findall(text):
        path = ROOT / file
        if not path.is_file() or (test and test not in names_of_tests(path)):
            absent.append(f"{file}::{test}")
    return absent


def fault_rows(text: str) -> dict[int, str]:
    """What stands behind every kind of fault, by its number."""
    return {int(row[1]): row[2] for row in re.finditer(r"^\| (\d+) \|.*\|(.*)\|$", text, re.M)}


def test_every_test_that_is_named_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(NAMED.findall(text)) > 150
    assert missing(text) == []


def test_every_promise_and_every_fault_has_a_test_or_a_reason() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = fault_rows(text)
    assert list(rows) == list(range(1, FAULTS + 1))
    for number, tests in rows.items():
        assert "::" in tests or "does not apply, because" in tests, f"fault {number}"
    promises = re.findall(r"^\| (?!\d+ |promise |fault |---)(.*) \|(.*)\|$", text, re.M)
    assert len(promises) > 40
    for promise, tests in promises:
        assert "::" in tests, promise


def test_the_ten_promises_come_first() -> None:
    short = PAGE.read_text(encoding="utf-8").split("## In short\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (?!promise |---)(.*?) \|.*::.*\|$", short, re.M)
    assert [re.split(r"[:,]", row)[0] for row in rows] == list(IN_SHORT)


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("`tests/house/test_promises.py::test_that_was_renamed`", True),
        ("`tests/house/test_gone.py::test_anything`", True),
        ("`integrations/gone.py`", True),
        ("`tests/house/test_promises.py::test_every_test_that_is_named_exists`", False),
        ("`tests/api/aec_conformance.py`", False),
    ],
)
def test_a_missing_test_is_noticed(text: str, absent: bool) -> None:
    assert bool(missing(f"| promise | {text} |")) is absent


def test_the_pages_that_cite_a_fault_cite_one_that_is_there() -> None:
    """``docs/promises.md, fault 19`` in the sources."""
    cited = [
        int(number)
        for folder in ("arboretum_env", "agents", "training", "lab")
        for path in (ROOT / folder).rglob("*.py")
        for number in re.findall(r"\bfault (\d+)", path.read_text(encoding="utf-8"))
    ]
    assert cited
    assert set(cited) <= set(fault_rows(PAGE.read_text(encoding="utf-8")))
