"""Sample games: named by step, valid records, and no more of them than asked for."""

from pathlib import Path

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import MatchResult, play_match
from arboretum_env.records.files import load_record
from arboretum_env.records.replay import replay
from arboretum_training.sample_games import (
    forget_games,
    keep_newest,
    sample_games,
    save_sample_games,
)

GAME = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=2)


@pytest.fixture(scope="module")
def match() -> MatchResult:
    ids = np.arange(12, dtype=np.uint64)
    agent = make_agent("random", GAME)
    agent.reset(ids, 1)
    seating = np.array([[0, 1], [1, 0]] * 6)
    return play_match(deal(GAME, 5, ids), [agent, agent], seating, ids, keep_actions=True)


def test_they_are_records_of_the_games_that_were_played(match: MatchResult, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    save_sample_games(folder, 640, match, ["me@640", 'process:bot "x"'], ["deal 0", "deal 1"])
    assert sorted(path.name for path in folder.iterdir()) == [
        "000000000640-1.arb",
        "000000000640-2.arb",
    ]
    for index in (0, 1):
        record = load_record(folder / f"000000000640-{index + 1}.arb")
        seats = ("me@640", "process:bot 'x'")
        assert record.seats == (seats if index == 0 else seats[::-1])
        assert record.deal == f"deal {index}"
        assert record.result == tuple(match.scores.points[index])
        assert replay(record).finished


def test_the_newest_stay(match: MatchResult, tmp_path: Path) -> None:
    for step in (900, 1000):
        save_sample_games(tmp_path, step, match, ["a", "b"], ["deal"] * 11)
    (tmp_path / "game1.arb").write_text("a game of the end")
    keep_newest(tmp_path, 13)
    names = [path.name for _, path in sample_games(tmp_path)]
    assert names == [f"{900:012d}-{n}.arb" for n in (10, 11)] + [
        f"{1000:012d}-{n}.arb" for n in range(1, 12)
    ]
    keep_newest(tmp_path, 100)
    assert len(sample_games(tmp_path)) == 13
    keep_newest(tmp_path, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["game1.arb"]


def test_those_after_a_step_are_forgotten(match: MatchResult, tmp_path: Path) -> None:
    for step in (10, 20, 30):
        save_sample_games(tmp_path, step, match, ["a", "b"], ["deal"])
    (tmp_path / "game1.arb").write_text("a game of the end")
    forget_games(tmp_path, 20)
    assert [step for step, _ in sample_games(tmp_path)] == [10, 20]
    assert (tmp_path / "game1.arb").exists()
    forget_games(tmp_path / "gone", 20)
