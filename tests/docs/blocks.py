"""The code blocks of the pages."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = tuple(ROOT / name for name in ("README.md", "CONTRIBUTING.md")) + tuple(
    page
    for page in sorted((ROOT / "docs").glob("*.md"))
    if "```{" not in page.read_text(encoding="utf-8")  # those are for the website alone
)
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One code block: where it stands, in which language, and its text."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        """As an editor opens it: ``docs/agents.md:186``."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    """All code blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, block.start()) + 1, block[1], block[2])
        for block in _BLOCK.finditer(text)
    ]


BLOCKS = tuple(block for page in PAGES for block in blocks_of(page))


def command_lines(text: str) -> list[list[str]]:
    """The commands of a block for a shell, as words; remarks behind ``#`` are left out.

    Quotes may reach over lines, and a backslash ends a line that goes on.
    """
    lines: list[list[str]] = []
    kept = ""
    for line in text.replace("\\\n", " ").splitlines():
        kept += line
        try:
            words = shlex.split(kept, comments=True)
        except ValueError:  # a quote that is still open
            kept += "\n"
            continue
        kept = ""
        if words:
            lines.append(words)
    assert not kept, f"a quote that nobody closes: {kept}"
    return lines
