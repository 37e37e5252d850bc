"""Every rule test asks two witnesses: the literal reference and the engine."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import pytest

from tests.engine_game import EngineGame, engine_score_table
from tests.reference import Cell, Options, ReferenceGame, Score, score_table
from tests.table import NewGame

ScoreTable = Callable[[Options, Sequence[Sequence[str]], Sequence[Mapping[Cell, str]]], Score]


@pytest.fixture(params=[ReferenceGame, EngineGame], ids=["reference", "engine"])
def new_game(request: pytest.FixtureRequest) -> NewGame:
    """Begins a game from an exact deal."""
    return cast(NewGame, request.param)


@pytest.fixture(params=[score_table, engine_score_table], ids=["reference", "engine"])
def scored(request: pytest.FixtureRequest) -> ScoreTable:
    """Scores hands and arboreta."""
    return cast(ScoreTable, request.param)
