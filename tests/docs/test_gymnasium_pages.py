"""docs/gymnasium.md and docs/tasks.md: their tables are those of the code."""

import inspect
from pathlib import Path

from gymnasium.vector import AutoresetMode

from arboretum_agents.gymnasium_env import ArboretumEnv
from arboretum_agents.learner_games import ILLEGAL_RULES
from arboretum_agents.tasks import TASKS
from scripts.make_task_docs import PAGE, TABLES, with_tables

TASKS_TEXT = PAGE.read_text(encoding="utf-8")
TEXT = (Path(__file__).parents[2] / "docs" / "gymnasium.md").read_text(encoding="utf-8")


def test_tables_are_current() -> None:
    """If not: run scripts/make_task_docs.py."""
    assert with_tables(TASKS_TEXT) == TASKS_TEXT
    for name in TABLES:
        assert f"<!-- generated: {name} -->\n" in TASKS_TEXT
    for task_id in TASKS:
        assert f"| `{task_id}` | " in TASKS_TEXT
    assert with_tables(TASKS_TEXT.replace("`greedy@1`", "`greedy`")) == TASKS_TEXT


def test_every_option_is_explained() -> None:
    for parameter in inspect.signature(ArboretumEnv).parameters:
        assert f"`{parameter}`" in TEXT
    for rule in ILLEGAL_RULES:
        assert f'`"{rule}"`' in TEXT
    for mode in AutoresetMode:
        assert f'| `"{mode.value}"`' in TEXT


def test_what_all_tasks_share_is_as_the_page_says() -> None:
    for task in TASKS.values():
        assert (task.reward, task.seat, task.illegal_action) == ("win", "rotate", "lose")
