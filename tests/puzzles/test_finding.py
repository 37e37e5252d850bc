"""How puzzles are found: games and measures that can be repeated, and answers that are clear."""

from pathlib import Path

import numpy as np
import pytest

from arboretum_agents.search.agent import SearchAgent
from arboretum_env.config import GameConfig
from arboretum_env.notation import legal_moves
from arboretum_env.phase import Phase
from arboretum_env.records.board_json import board_from_json
from arboretum_lab.puzzles.find import Candidate, agreed_lead, is_clear, is_tricky
from arboretum_lab.puzzles.games import decisions, play_games
from arboretum_lab.puzzles.make import main
from arboretum_lab.puzzles.measure import Z95, Measured, estimate, measure
from arboretum_lab.puzzles.puzzle import Source, read_puzzles
from arboretum_lab.puzzles.searched import search_lead

CONFIG = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=2)


def measured(first: list[float], second: list[float]) -> Measured:
    worths = np.array([first, second])
    return Measured(worths, worths)


def test_estimates_by_hand() -> None:
    found = estimate(np.array([0.0, 1.0, 1.0, 0.0]))
    # Sample variance 1/3 over 4 samples.
    assert (found.mean, found.half) == (0.5, pytest.approx(Z95 * (1 / 12) ** 0.5))


def test_only_a_sure_and_large_gap_is_clear() -> None:
    even = [0.5, 0.7] * 50
    assert is_clear(measured(even, [worth - 0.1 for worth in even]))
    assert not is_clear(measured(even, [worth - 0.02 for worth in even]))  # sure, but small
    wild = [0.0, 1.0] * 5
    assert not is_clear(measured([*wild, 1.0], [*wild[::-1], 0.0]))  # large, but not sure
    low = [0.10, 0.12] * 50
    assert not is_clear(measured(low, [worth - 0.05 for worth in low]))  # lost anyway
    worths = measured(even, [worth - 0.1 for worth in even])
    assert not is_clear(Measured(worths.worths, worths.worths[::-1]))  # the other wins more


def test_all_choices_meet_the_same_worlds_and_the_last_discard_is_exact() -> None:
    agent = SearchAgent(CONFIG, rollouts="greedy")
    agent.reset(np.zeros(1, np.uint64), 0)
    [record] = play_games("random", CONFIG, 3, 1)
    last = [view for view, _ in decisions(record) if view.phase is Phase.DISCARD][-1]
    assert last.deck_size == 0
    actions = [ids[0] for ids in legal_moves(last).values()]
    found = measure(agent, last, [*actions, actions[0]], 30, np.random.default_rng(1))
    again = measure(agent, last, [*actions, actions[0]], 30, np.random.default_rng(1))
    assert np.array_equal(found.worths, again.worths)
    assert np.array_equal(found.worths[0], found.worths[-1])
    assert set(np.unique(found.wins)) <= {0.0, 0.5, 1.0}


def test_searches_agree_on_what_ends_the_game_well() -> None:
    agent = SearchAgent(CONFIG, rollouts="greedy", simulations=64)
    agent.reset(np.zeros(1, np.uint64), 0)
    [record] = play_games("random", CONFIG, 3, 1)
    last = [view for view, _ in decisions(record) if view.phase is Phase.DISCARD][-1]
    lead = search_lead(agent, last)
    actions = [ids[0] for ids in legal_moves(last).values()]
    exact = measure(agent, last, actions, 400, np.random.default_rng(2))
    assert lead.gap.half == pytest.approx(0.0, abs=1e-12)  # solved exactly, so all runs agree
    assert lead.action in [
        actions[k] for k in np.flatnonzero(exact.wins.mean(1) == exact.wins.mean(1).max())
    ]


def test_a_search_that_does_not_agree_makes_no_puzzle() -> None:
    agent = SearchAgent(CONFIG, rollouts="greedy", simulations=64)
    agent.reset(np.zeros(1, np.uint64), 0)
    [record] = play_games("random", CONFIG, 3, 1)
    view = [view for view, _ in decisions(record) if view.phase is Phase.DISCARD][-1]
    source = Source(agents=["random", "random"], seed=3, game=0, turn=view.turn)
    candidate = Candidate("discard", view, source)
    found = {ids[0]: agreed_lead(candidate, ids[0], 64) for ids in legal_moves(view).values()}
    assert sum(lead is not None for lead in found.values()) <= 1


def test_tricky_rights() -> None:
    def tricky(*hands: list[str]) -> bool:
        planted = [[0, 0, "M2"], [1, 0, "M4"]]
        players = [{"hand": hand, "arboretum": []} for hand in hands]
        board = board_from_json({"players": [{**players[0], "arboretum": planted}, *players[1:]]})
        return is_tricky(board.score(), board.species.index("M"))

    assert not tricky(["M6"], ["M5"])
    assert tricky(["M8"], ["M1"])  # the 1 cancels the 8
    assert tricky(["M6"], ["M5", "M1"])  # equal sums
    assert not tricky(["C1"], ["C2"])  # nobody holds any


def test_the_command_adds_and_does_not_repeat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "found.json"
    call = ["--agent", "planner", "--games", "6", "--rights", "2", "--out", str(out)]
    assert main(call) == 0
    first = out.read_text("utf-8")
    assert [puzzle.kind for puzzle in read_puzzles(first).puzzles] == ["right", "right"]
    assert main(call) == 0
    assert out.read_text("utf-8") == first
    assert "2 puzzles in" in capsys.readouterr().err
    assert main(["--worlds", "1", "--out", str(out)]) == 2
    assert "expected 20 or more" in capsys.readouterr().err
    out.write_text("{}", "utf-8")
    assert main(call) == 2
    assert "holds no puzzles" in capsys.readouterr().err
    assert out.read_text("utf-8") == "{}"
