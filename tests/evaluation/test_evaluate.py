"""Whole evaluations on the engine: fairness, duplicates, workers, faults of agents."""

import json
from pathlib import Path

import numpy as np
import pytest

from arboretum_agents.registry import AgentSpecError
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.errors import IllegalActionError
from arboretum_env.records.files import load_record
from arboretum_env.records.replay import replay
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.evaluate import EvaluationResult, evaluate
from arboretum_training.evaluation.report import to_json
from arboretum_training.evaluation.summary import summarise
from tests.evaluation.stub_agents import (
    FirstLegal,
    LastLegal,
    ModeTeller,
    NeverLegal,
    OnceReset,
)

CONFIGS = [GameConfig(num_players=p, starting_discards=p == 3) for p in (2, 3, 4)]
REDUCED = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)


def same_games(one: EvaluationResult, other: EvaluationResult) -> bool:
    mine, theirs = vars(one.games), vars(other.games)
    return all((mine[name] == theirs[name]).all() for name in mine)


@pytest.mark.parametrize("config", [*CONFIGS, REDUCED], ids=str)
def test_a_deterministic_agent_against_itself_is_exactly_fair(config: GameConfig) -> None:
    summary = summarise(evaluate([FirstLegal, FirstLegal], config, deals=5, seed=3))
    players = config.num_players
    first, second = summary.agents["FirstLegal"], summary.agents["FirstLegal#2"]
    assert summary.games == 5 * players
    assert first.win_rate == pytest.approx(1 / players)
    assert second.win_rate == pytest.approx(1 / players)
    assert first.mean_score == pytest.approx(second.mean_score)
    assert first.denied_points == pytest.approx(second.denied_points)
    # Who holds a seat makes no difference to what is won there.
    assert first.seat_win_rates == pytest.approx(second.seat_win_rates)
    assert sum(first.seat_win_rates) == pytest.approx(1.0)
    assert summary.margin == pytest.approx(0.0)
    assert summary.margin_ci95 == pytest.approx((0.0, 0.0))
    assert first.win_rate_ci95.low < 1 / players < first.win_rate_ci95.high


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_random_against_random_is_near_fair(config: GameConfig) -> None:
    summary = summarise(evaluate(["random", "random"], config, deals=320, seed=1))
    fair = 1 / config.num_players
    for agent in summary.agents.values():
        assert agent.win_rate == pytest.approx(fair, abs=0.05)
        assert agent.win_rate_ci95.low < fair < agent.win_rate_ci95.high
    assert summary.margin_ci95 is not None
    assert summary.margin_ci95.low < 0.0 < summary.margin_ci95.high
    assert list(summary.agents) == ["random", "random#2"]
    # The two are not the same player: in mirrored games they make choices of their own.
    assert summary.agents["random"].mean_score != summary.agents["random#2"].mean_score


@pytest.mark.parametrize("agents", [["random", "random"], ["random", FirstLegal, "random"]])
def test_the_number_of_workers_cannot_be_seen(agents: list[str | type[FirstLegal]]) -> None:
    config = GameConfig()
    runs = [evaluate(agents, config, deals=150, seed=5, workers=workers) for workers in (1, 2)]
    assert same_games(runs[0], runs[1])
    reports = {json.dumps(to_json(summarise(run))) for run in runs}
    assert len(reports) == 1


def test_equal_seeds_repeat_and_others_differ() -> None:
    first = evaluate(["random", "random"], GameConfig(), deals=10, seed=5)
    assert same_games(first, evaluate(["random", "random"], GameConfig(), deals=10, seed=5))
    assert not same_games(first, evaluate(["random", "random"], GameConfig(), deals=10, seed=6))


def test_a_deal_is_played_alike_whatever_other_deals_there_are() -> None:
    few = evaluate(["random", FirstLegal], GameConfig(), deals=20, seed=5).games
    many = evaluate(["random", FirstLegal], GameConfig(), deals=90, seed=5).games
    assert (few.points == many.points[:40]).all()
    assert (few.turns == many.turns[:40]).all()


def test_every_game_counts_however_long() -> None:
    games = evaluate([FirstLegal, LastLegal, "random"], GameConfig(), deals=70, seed=2).games
    assert len(games) == 70 * 6
    assert len(np.unique(games.game_id)) == len(games)
    assert games.turns.min() < games.turns.max()
    assert games.win_shares.sum(axis=1) == pytest.approx(np.ones(len(games)))


def test_every_work_unit_has_agents_of_its_own_that_know_their_games() -> None:
    OnceReset.resets.clear()
    evaluate([OnceReset, OnceReset], GameConfig(), deals=70, seed=2)
    first, second = list(range(128)), list(range(128, 140))
    assert OnceReset.resets == [(2, first), (2, first), (2, second), (2, second)]


def test_the_mode_reaches_the_agents() -> None:
    config = GameConfig()
    assert same_games(
        evaluate([ModeTeller, ModeTeller], config, deals=3, seed=1, mode="sample"),
        evaluate([FirstLegal, FirstLegal], config, deals=3, seed=1),
    )
    assert same_games(
        evaluate([ModeTeller, ModeTeller], config, deals=3, seed=1, mode="greedy"),
        evaluate([LastLegal, LastLegal], config, deals=3, seed=1),
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_an_illegal_move_is_an_error_and_not_replaced(workers: int) -> None:
    with pytest.raises(IllegalActionError, match="agent 1 \\(NeverLegal\\)"):
        evaluate([FirstLegal, NeverLegal], GameConfig(), deals=70, seed=1, workers=workers)


@pytest.mark.parametrize(
    ("agents", "options", "message"),
    [
        (["random"], {}, "1 agents: expected at least 2"),
        (["random", "random"], {"deals": 0}, "0 deals: expected at least 1"),
        (["random", "random"], {"seed": -1}, "seed -1: expected"),
        (["random", "random"], {"workers": 0}, "0 workers: expected at least 1"),
    ],
)
def test_bad_input(agents: list[str], options: dict[str, int], message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        evaluate(agents, GameConfig(), **{"deals": 2, "seed": 1, **options})


def test_a_bad_spec_fails_before_anything_is_played(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    with pytest.raises(AgentSpecError, match="did you mean 'random'"):
        evaluate(["random", "randm"], GameConfig(), deals=2, seed=1, save_games=folder)
    assert not folder.exists()


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_saved_games_replay_to_the_same_result(config: GameConfig, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    result = evaluate(["random", FirstLegal], config, deals=3, seed=9, save_games=folder)
    paths = sorted(folder.iterdir())
    assert len(paths) == len(result.games) == 3 * config.num_players
    dealt = deal(config, root_from_seed(9, Purpose.EVALUATE), range(3))
    trained = deal(config, root_from_seed(9, Purpose.TRAIN), range(3))
    for index, path in enumerate(paths):
        record = load_record(path)
        deal_id = index // config.num_players
        assert path.name == f"deal{deal_id:06d}-game{index:07d}.arb"
        assert record.deal == f"evaluate seed 9 deal {deal_id}"
        played = replay(record)
        assert played.sheet is not None
        assert list(record.result or ()) == result.games.points[index].tolist()
        winners = np.flatnonzero(result.games.win_shares[index])
        assert list(record.winners or ()) == winners.tolist()
        assert played.turns == result.games.turns[index]
        names = [result.names[agent] for agent in result.games.seating[index]]
        assert list(record.seats) == names
        assert names.index("random") == record.seats.index("random")
        # The same cards in every rotation, from the evaluation's own deals.
        assert [list(hand) for hand in record.hands] == [
            dealt.hand(deal_id, seat) for seat in range(config.num_players)
        ]
        assert list(record.deck) == dealt.deck(deal_id)
        assert list(record.deck) != trained.deck(deal_id)


def test_saving_games_changes_nothing_whatever_the_workers(tmp_path: Path) -> None:
    plain = evaluate(["random", "random"], REDUCED, deals=70, seed=4)
    texts = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        saved = evaluate(
            ["random", "random"], REDUCED, deals=70, seed=4, workers=workers, save_games=folder
        )
        assert same_games(plain, saved)
        texts.append({path.name: path.read_text() for path in folder.iterdir()})
    assert texts[0] == texts[1]
    assert len(texts[0]) == 140


def test_games_of_another_evaluation_are_not_mixed_in(tmp_path: Path) -> None:
    evaluate(["random", "random"], REDUCED, deals=1, seed=4, save_games=tmp_path)
    with pytest.raises(EvaluationError, match="expected a new or empty folder"):
        evaluate(["random", "random"], REDUCED, deals=1, seed=4, save_games=tmp_path)
