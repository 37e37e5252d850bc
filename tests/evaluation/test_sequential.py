"""Sequential evaluations on the engine: the same end for any number of workers, and Ctrl-C."""

import json

import pytest

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.report import to_json
from arboretum_training.evaluation.sequential import SequentialResult, evaluate_sequentially
from arboretum_training.evaluation.sequential_report import sequential_json, sequential_text
from arboretum_training.evaluation.sprt import SprtSettings
from arboretum_training.evaluation.summary import summarise

SMALL = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)
THREE = GameConfig(num_players=3)


def reported(ended: SequentialResult) -> str:
    summary = summarise(ended.result)
    return json.dumps([to_json(summary), sequential_json(ended)])


@pytest.mark.parametrize(("config", "elo1"), [(SMALL, 60), (THREE, 150)], ids=["small", "three"])
def test_the_number_of_workers_cannot_be_seen(config: GameConfig, elo1: float) -> None:
    ended = [
        evaluate_sequentially(
            ["random", "random"],
            config,
            SprtSettings(0, elo1),
            max_deals=6_400,
            seed=1,
            workers=workers,
        )
        for workers in (1, 2, 3)
    ]
    assert ended[0].verdict == "H0"
    assert ended[0].result.deals % 64 == 0
    assert len({reported(one) for one in ended}) == 1


def test_it_stops_at_the_first_unit_that_suffices_and_plays_the_first_deals_of_the_seed() -> None:
    seen: list[tuple[int, float]] = []
    settings = SprtSettings(0, 60)
    ended = evaluate_sequentially(
        ["random", "random"],
        SMALL,
        settings,
        max_deals=6_400,
        seed=1,
        watch=lambda deals, llr: seen.append((deals, llr)),
    )
    low, high = settings.bounds
    assert [deals for deals, _ in seen] == [64 * k for k in range(1, len(seen) + 1)]
    assert all(low < llr < high for _, llr in seen[:-1])
    assert len(seen) > 1 and seen[-1] == (ended.result.deals, ended.llr) and ended.llr <= low
    again = evaluate(["random", "random"], SMALL, deals=ended.result.deals, seed=1)
    assert (again.games.points == ended.result.games.points).all()


def test_a_stronger_agent_is_found_out_and_a_weaker_one_too() -> None:
    for agents, verdict in ((["greedy", "random"], "H1"), (["random", "greedy"], "H0")):
        ended = evaluate_sequentially(
            agents, GameConfig(), SprtSettings(0, 50), max_deals=640, seed=2
        )
        assert ended.verdict == verdict
        assert ended.result.deals == 64
    text = sequential_text(ended)
    assert "H0 accepted: the lead of random is less than +50 Elo" in text
    elo = sequential_json(ended)["elo"]
    assert elo is None or elo < -200


def test_it_ends_undecided() -> None:
    ended = evaluate_sequentially(
        ["random", "random"], SMALL, SprtSettings(0, 1), max_deals=100, seed=1
    )
    assert (ended.verdict, ended.interrupted, ended.result.deals) == ("undecided", False, 100)
    assert "undecided after 100 deals" in sequential_text(ended)


def test_ctrl_c_keeps_what_was_weighed() -> None:
    def interrupt(deals: int, llr: float) -> None:
        if deals == 128:
            raise KeyboardInterrupt

    def play(workers: int) -> SequentialResult:
        return evaluate_sequentially(
            ["random", "random"],
            SMALL,
            SprtSettings(0, 1),
            max_deals=640,
            seed=1,
            workers=workers,
            watch=interrupt,
        )

    ended = play(1)
    assert (ended.verdict, ended.interrupted, ended.result.deals) == ("undecided", True, 128)
    assert "undecided after 128 deals (interrupted)" in sequential_text(ended)
    assert reported(play(2)) == reported(ended)


def test_ctrl_c_before_anything_was_weighed_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(unit: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arboretum_training.evaluation.sequential.play_unit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        evaluate_sequentially(["random", "random"], SMALL, SprtSettings(0, 1), max_deals=9, seed=1)


def test_three_agents_are_refused() -> None:
    with pytest.raises(EvaluationError, match="3 agents: expected 2 for a sequential test"):
        evaluate_sequentially(["random"] * 3, SMALL, SprtSettings(0, 1), max_deals=9, seed=1)
