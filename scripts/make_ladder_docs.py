"""Publishes a played ladder: the scale that ratings stand on, and its table in docs/ladder.md.

arboretum suite --ladder
python scripts/make_ladder_docs.py runs/suite/ladder/ladder.json

Without a file the table is written anew from the scale that is published.
"""

import json
import sys
from pathlib import Path

from arboretum_training.evaluation.ladder import LADDER_NAME, ladder_text

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "ladder.md"
PUBLISHED = ROOT / "training" / "arboretum_training" / "evaluation" / LADDER_NAME
_BEGIN = "<!-- generated: ladder -->\n"
_END = "<!-- end of what is generated -->\n"


def with_table(text: str, ladder: str) -> str:
    """The page's text with the table of a ladder, as JSON text."""
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{ladder_text(json.loads(ladder))}\n\n{_END}{after}"


def main(words: list[str]) -> None:
    """Publishes the file that was named, if one was; then writes the page."""
    for name in words:
        ladder = Path(name).read_text(encoding="utf-8")
        if not json.loads(ladder)["official"]:
            sys.exit(
                f"{name}: not all deals of the suite were played; see arboretum suite --ladder"
            )
        PUBLISHED.write_text(ladder, encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_table(text, PUBLISHED.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
