"""Writes the tables of docs/tasks.md from ``arboretum_agents.tasks.TASKS``.

    python scripts/make_task_docs.py

A test in ``tests/docs`` fails while the page differs from what this makes.
"""

import re
from collections.abc import Callable
from pathlib import Path

from arboretum_agents.tasks import TASKS, Task

PAGE = Path(__file__).parents[1] / "docs" / "tasks.md"
BLOCK = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end of generated -->)", re.DOTALL)


def game(task: Task) -> str:
    """The game in words."""
    config = task.config
    return (
        f"{config.num_players} players, {config.num_species} species ({config.species}), ranks 1-"
        f"{config.num_ranks}, hands of {config.hand_size}"
    )


def tasks() -> str:
    """The definitions."""
    rows = [
        f"| `{task.task_id}` | {game(task)} | `{task.opponent}` | {task.budget:,} | "
        f"`{task.layout_hash[:16]}` | `{task.digest[:16]}` |"
        for task in TASKS.values()
    ]
    head = "| task | game | every opponent | budget | layout hash | digest of the definition |"
    return "\n".join([head, "| --- | --- | --- | --- | --- | --- |", *rows, ""])


def references() -> str:
    """The scores to compare with."""
    rows = [
        f"| `{task.task_id}` | `{each.agent}` | {each.win_rate:.1%} | {each.low:.1%} .. "
        f"{each.high:.1%} | {each.deals:,} | `{task.command(each.agent, each.deals)}` |"
        for task in TASKS.values()
        for each in task.references
    ]
    head = "| task | learner | wins | 95 % | deals | command |"
    return "\n".join([head, "| --- | --- | --- | --- | --- | --- |", *rows, ""])


def commands() -> str:
    """How to measure an agent at each task."""
    return "\n".join(["```sh", *(task.command("runs/mine") for task in TASKS.values()), "```", ""])


TABLES: dict[str, Callable[[], str]] = {
    "tasks": tasks,
    "references": references,
    "commands": commands,
}


def with_tables(page: str) -> str:
    """The page with every generated block made anew."""
    return BLOCK.sub(lambda match: match[1] + TABLES[match[2]]() + match[3], page)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
