"""docs/environment.md: its tables are those of the code."""

import pytest

from arboretum_env.actions import ACTION_LAYOUT
from arboretum_env.errors import ConfigError
from arboretum_env.observation import OBSERVATION_LAYOUT
from arboretum_env.pettingzoo_env import METADATA, raw_env
from arboretum_env.rewards import REWARD_KINDS
from scripts.make_environment_docs import PAGE, TABLES, with_tables

TEXT = PAGE.read_text(encoding="utf-8")


def test_tables_are_current() -> None:
    """If not: run scripts/make_environment_docs.py."""
    assert with_tables(TEXT) == TEXT
    for name in TABLES:
        assert f"<!-- generated: {name} -->\n| " in TEXT


def test_every_piece_is_in_the_tables() -> None:
    for piece in (*ACTION_LAYOUT, *OBSERVATION_LAYOUT):
        assert f"| `{piece.name}` | " in TEXT


def test_an_outdated_table_is_noticed() -> None:
    assert with_tables(TEXT.replace("| `draw_deck` |", "| `draw_dock` |")) == TEXT


def test_every_option_is_explained() -> None:
    for kind in REWARD_KINDS:
        assert f'| `"{kind}"` | ' in TEXT
    for mode in METADATA["render_modes"]:
        assert f'`"{mode}"`' in TEXT
    with pytest.raises(ConfigError):
        raw_env(render_mode="svg")
