"""The table of commands; the help text, the dispatch and the tests are driven by it.

A command is one module of this package with the same name. It holds

* ``Command``, a frozen dataclass or pydantic model whose fields are the arguments (tyro reads
  their types, defaults and docstrings), and
* ``run(command) -> int``, which does the work and returns the exit code (0, or 2 on bad input).

A command whose defaults depend on its arguments, such as options on top of a YAML file, also has
``parse(arguments: list[str])``, which returns what ``run`` takes.

Modules are imported only when their command is called, so that ``score``, ``replay``, ``render``,
``bench`` and ``agents --help`` work, and start fast, without the libraries of the extra ``train``.
"""

import difflib
import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import Final


@dataclass(frozen=True)
class CommandEntry:
    """One command: the name of its module, and one line on what it does."""

    name: str
    summary: str

    def load(self) -> ModuleType:
        """Imports the command's module."""
        return importlib.import_module(f"arboretum_lab.cli.{self.name}")


COMMANDS: Final[tuple[CommandEntry, ...]] = (
    CommandEntry("play", "play in the terminal, against agents or other people"),
    CommandEntry("serve", "open the studio: play, watch and understand in a browser"),
    CommandEntry("train", "train a policy by self-play from a YAML configuration"),
    CommandEntry("evaluate", "measure agents against each other over duplicate deals"),
    CommandEntry("tournament", "rate many agents by letting them meet, with a report"),
    CommandEntry("exploit", "train a best response against an agent, and say what it wins"),
    CommandEntry("suite", "measure an agent with the fixed public benchmark, or verify a result"),
    CommandEntry("dataset", "write games of agents as a Parquet file, a row a decision or a game"),
    CommandEntry("export", "write a network as one ONNX file that plays without torch"),
    CommandEntry("replay", "check a recorded game move by move and print its result"),
    CommandEntry("analyse", "split a recorded game into luck and decisions, or study a position"),
    CommandEntry("blocking", "say what held cards did in recorded games: who denied whom"),
    CommandEntry("beliefs", "measure how well hidden cards can be told, by belief and by games"),
    CommandEntry("score", "score a board that was noted by hand or by another program"),
    CommandEntry("render", "draw a position of a recorded game as text, SVG or PNG"),
    CommandEntry("bench", "measure the engine's speed on this machine"),
    CommandEntry("engine", "answer requests of other programs for moves, over JSON lines"),
    CommandEntry("agents", "list the agents that can be named, with their options"),
)


def find_command(name: str) -> CommandEntry | None:
    """The command of that name, or ``None``."""
    return next((entry for entry in COMMANDS if entry.name == name), None)


def closest_name(name: str) -> str | None:
    """The command's name that a misspelt one was most likely meant to be, or ``None``."""
    if name.startswith("-"):
        return None  # an option: `--players` is no attempt at `play`
    matches = difflib.get_close_matches(name, [entry.name for entry in COMMANDS], n=1)
    return matches[0] if matches else None
