"""Who meets whom: every pair, every choice, or a sample in which nobody sits more than others."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.tournament_tables import balanced_sample, tables


def test_round_robin_by_hand() -> None:
    assert tables("round-robin", 3, 2, 60, 0) == [(0, 1), (0, 2), (1, 2)]
    both_ways = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert tables("round-robin", 3, 3, 60, 0) == both_ways
    assert tables("round-robin", 3, 4, 60, 0) == both_ways


def test_mixed_by_hand() -> None:
    assert tables("mixed", 4, 3, 60, 0) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert tables("mixed", 4, 4, 60, 0) == [(0, 1, 2, 3)]
    assert tables("mixed", 3, 2, 60, 0) == [(0, 1), (0, 2), (1, 2)]


def test_a_sample_only_where_there_are_too_many() -> None:
    assert tables("mixed", 6, 3, 20, 0) == list(combinations(range(6), 3))
    sample = tables("mixed", 6, 3, 10, 0)
    assert len(sample) == 10 and set(sample) < set(combinations(range(6), 3))
    assert sample == tables("mixed", 6, 3, 10, 0)
    assert sample != tables("mixed", 6, 3, 10, 1)


@given(
    agents=st.integers(6, 14),
    players=st.integers(2, 4),
    rounds=st.integers(1, 2),
    seed=st.integers(0, 99),
)
def test_a_sample_is_balanced(agents: int, players: int, rounds: int, seed: int) -> None:
    wanted = -(-agents * rounds // players)  # everybody sits about so many times
    sample = balanced_sample(agents, players, wanted, seed)
    assert len(sample) == len(set(sample)) == wanted
    assert all(len(set(table)) == players for table in sample)
    sat = np.bincount(np.array(sample).ravel(), minlength=agents)
    assert np.ptp(sat) <= 1


def test_meetings_are_spread_out() -> None:
    sample = balanced_sample(8, 4, 14, 3)
    met = np.zeros((8, 8), int)
    for table in sample:
        for one, other in combinations(table, 2):
            met[one, other] += 1
    pairs = met[np.triu_indices(8, 1)]
    # 14 tables of 6 pairs over 28 pairs: 3 on average.
    assert pairs.sum() == 84
    assert pairs.min() >= 2 and pairs.max() <= 4


@pytest.mark.parametrize(
    ("form", "agents", "players", "most", "message"),
    [
        ("round-robin", 1, 2, 60, "1 agents: expected 2 to 100"),
        ("mixed", 2, 3, 60, "2 agents at mixed tables of 3: expected at least 3"),
        ("mixed", 9, 4, 2, "2 tables: expected at least 3, for 9 agents to sit once"),
    ],
)
def test_what_cannot_be(form: str, agents: int, players: int, most: int, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        tables(form, agents, players, most, 0)  # type: ignore[arg-type]
