"""``arboretum agents``: what can be named where an agent is asked for."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arboretum_agents.registry import (
    AgentEntry,
    AgentSpecError,
    describe_defaults,
    describe_options,
    list_agents,
)


@dataclass(frozen=True)
class Command:
    """Lists the agents that can be named, with their options.

    A run or checkpoint folder is an agent too, and so is an exported .onnx file.
    """

    json: bool = False
    """Print the list as JSON."""


def run(command: Command) -> int:
    """Prints the list."""
    entries = list_agents()
    if command.json:
        print(json.dumps([to_json(entry) for entry in entries], indent=2, allow_nan=False))
    else:
        console = Console()
        console.print(to_table(entries))
        console.print(
            "A run or checkpoint folder is an agent too, and so is an exported .onnx file: "
            "arboretum evaluate runs/demo greedy"
        )
    return 0


def to_json(entry: AgentEntry) -> dict[str, Any]:
    """One agent as plain data; its frozen name is ``name@version``.

    One that cannot be loaded has no options, and a ``fault``.
    """
    about: dict[str, Any] = {
        "name": entry.name,
        "version": entry.version,
        "options": {},
        "defaults": {},
        "source": entry.source,
        "summary": entry.summary,
    }
    try:
        return about | {
            "options": describe_options(entry),
            "defaults": {key: _plain(value) for key, value in describe_defaults(entry).items()},
        }
    except AgentSpecError as error:
        return about | {"fault": str(error)}


def to_table(entries: Sequence[AgentEntry]) -> Table:
    """The list for people."""
    table = Table()
    for title in ("agent", "frozen name", "options", "from", "what it does"):
        table.add_column(title, overflow="fold")  # names are to be copied: never cut short
    for entry in entries:
        about = to_json(entry)
        defaults = about["defaults"].items()
        table.add_row(
            Text(entry.name),
            Text(f"{entry.name}@{entry.version}"),
            Text(", ".join(f"{key}={_shown(value)}" for key, value in defaults) or "-"),
            Text(entry.source),
            Text(about.get("fault", entry.summary)),
        )
    return table


def _plain(default: Any) -> Any:
    """A default as JSON: somebody's own agent may have one that has to be put into words."""
    try:
        json.dumps(default, allow_nan=False)
    except (TypeError, ValueError):
        return str(default)
    return default


def _shown(default: Any) -> str:
    """A default as one would write it in a spec."""
    return str(default).lower() if default is None or isinstance(default, bool) else str(default)
