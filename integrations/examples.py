"""The examples of docs/compatibility.md, which only an environment of their own can run."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "compatibility.md"


def run_example(section: str) -> dict[str, Any]:
    """Runs the Python block of a section of the page, and returns its names."""
    text = PAGE.read_text(encoding="utf-8")
    [code] = re.findall(
        rf"^## {section}\n(?:(?!^## ).)*?```python\n(.*?)```", text, re.DOTALL | re.M
    )
    names: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec"), names)  # noqa: S102 - the page's own example
    return names
