"""Writes docs/findings.md from the notebooks that are kept: their findings, and their figures.

python scripts/make_findings_docs.py
"""

import json
import re
from pathlib import Path
from typing import Final

CHECKOUT = Path(__file__).resolve().parent.parent
NOTEBOOKS = CHECKOUT / "notebooks"
PAGE = CHECKOUT / "docs" / "findings.md"

_HEAD: Final = """# Findings

What the notebooks found, in words that their figures support, and what would refute
it. Each checks its findings against its rows whenever it is executed. `scripts/run_studies.py`
computes the rows, `scripts/make_notebooks.py` draws the figures, `scripts/make_findings_docs.py`
writes this page.
"""
_FINDINGS: Final = "## Findings\n"


def page() -> str:
    """The page's text."""
    parts = [_HEAD]
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        findings = [text for text in prose if text.startswith(_FINDINGS)]
        if not findings:
            continue
        title = prose[0].splitlines()[0].removeprefix("# ")
        figures = re.findall(r'FIGURES / "(\w+)"', code)
        images = [f"![{name}](../notebooks/figures/full/{name}.svg)\n" for name in figures]
        where = f"Computed and drawn in [the notebook](../notebooks/{path.name}).\n"
        words = findings[0].removeprefix(_FINDINGS).replace("](../docs/", "](").strip()
        parts += [f"## {title}\n", where, *images, words + "\n"]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
