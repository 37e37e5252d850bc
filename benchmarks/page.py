"""Measures anew what ``docs/performance.md`` says of the engine, features, peers and cold starts.

``python -m benchmarks.page``, or ``make bench-page``: some ten minutes on an idle machine, and the
peers' environment on top the first time. The page's tables between ``<!-- measured: NAME -->`` and
``<!-- end of measured -->`` are replaced, each with the machine and the date that it is from.
"""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arboretum_env.config import GameConfig
from arboretum_env.engine.layout import row_bytes
from arboretum_env.observation import observation_length

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "performance.md"

COMMANDS: Final = {
    "engine": ["-m", "benchmarks.engine", "3"],
    "features": ["-m", "benchmarks.features"],
    "cold start": ["-m", "benchmarks.cold_start", "--repeats", "5"],
    "peers": ["benchmarks/peers/run.py", "--rounds", "9", "--seconds", "1"],
}


def memory_table() -> str:
    """Bytes of the default games, in Markdown."""
    lines = ["| players | bytes a game | bytes an observation |", "|---|---|---|"]
    for players in (2, 3, 4):
        config = GameConfig(num_players=players)
        lines.append(f"| {players} | {row_bytes(config):,} | {observation_length(config)} |")
    return "\n".join(lines)


def replaced(page: str, name: str, content: str) -> str:
    """The page with other content between the marks of one name.

    Raises:
        ValueError: the page has no such marks, or several.
    """
    begin, end = f"<!-- measured: {name} -->\n", "<!-- end of measured -->"
    piece = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    text, count = piece.subn(lambda _: f"{begin}{content.strip()}\n{end}", page)
    if count != 1:
        raise ValueError(f"{count} pieces marked {name!r}: expected 1")
    return text


def main(names: Sequence[str] | None = None) -> int:
    """Measures and rewrites the named tables, by default all; the exit code tells missed bars."""
    chosen = list(sys.argv[1:] if names is None else names) or ["memory", *COMMANDS]
    code = 0
    for name in chosen:
        if name == "memory":
            content = memory_table()
        else:
            words = [sys.executable, *COMMANDS[name]]
            done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
            content = done.stdout
            code = max(code, done.returncode)
            if not content.strip():
                print(f"{name}: exit code {done.returncode} and no figures", file=sys.stderr)
                continue
        PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), name, content), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
