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
    describe_defaults,
    describe_options,
    list_agents,
)


@dataclass(frozen=True)
class Command:
    """Lists the agents that can be named, with their options.

    A run or checkpoint folder is an agent too.
    """

    json: bool = False
    """Print the list as JSON."""


def run(command: Command) -> int:
    """Prints the list."""
    entries = list_agents()
    if command.json:
        print(json.dumps([to_json(entry) for entry in entries], indent=2))
    else:
        console = Console()
        console.print(to_table(entries))
        console.print(
            "A run or checkpoint folder is an agent too: arboretum evaluate runs/demo greedy"
        )
    return 0


def to_json(entry: AgentEntry) -> dict[str, Any]:
    """One agent as plain data; its frozen name is ``name@version``."""
    return {
        "name": entry.name,
        "version": entry.version,
        "options": describe_options(entry),
        "defaults": describe_defaults(entry),
        "source": entry.source,
        "summary": entry.summary,
    }


def to_table(entries: Sequence[AgentEntry]) -> Table:
    """The list for people."""
    table = Table()
    for title in ("agent", "frozen name", "options", "from", "what it does"):
        table.add_column(title, overflow="fold")  # names are to be copied: never cut short
    for entry in entries:
        defaults = describe_defaults(entry)
        table.add_row(
            Text(entry.name),
            Text(f"{entry.name}@{entry.version}"),
            Text(", ".join(f"{key}={_shown(value)}" for key, value in defaults.items()) or "-"),
            Text(entry.source),
            Text(entry.summary),
        )
    return table


def _shown(default: Any) -> str:
    """A default as one would write it in a spec."""
    return str(default).lower() if default is None or isinstance(default, bool) else str(default)
