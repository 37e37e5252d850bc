"""What the studies measure, held against sums that have to come out and against plain counting."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.ladder import published_ratings
from arboretum_training.research.studies import STUDIES, denial_sweep, first_seat, holdings
from arboretum_training.research.studies import rule_switch as rules
from arboretum_training.research.studies.study import FULL, SMALL
from arboretum_training.research.studies.tables import games_among_equals


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_share_all_games_turns_and_last_cards(players: int) -> None:
    row = first_seat.measure(players, "greedy@1", 20)
    assert sum(row["win_rate"]) == pytest.approx(1)
    assert sum(row["closed"]) == pytest.approx(1)
    assert sum(row["turns"]) == pytest.approx(row["game_turns"])
    for low, rate, high in zip(row["win_low"], row["win_rate"], row["win_high"], strict=True):
        assert low < rate < high
    games = games_among_equals("greedy@1", GameConfig(num_players=players), 20, first_seat.SEED)
    assert row["points"] == pytest.approx(games.scores.points.mean(axis=0).tolist())


def test_the_share_of_the_deck_is_that_of_a_count_by_hand() -> None:
    games = games_among_equals("planner@1", GameConfig(num_players=2), 10, first_seat.SEED)
    of_deck, draws = np.zeros(10), np.zeros(10)
    for game in range(10):
        actions = [int(action) for action in games.actions[:, game] if action >= 0]
        turns = len(actions) // 5
        for turn in range(turns):
            for action in actions[5 * turn : 5 * turn + 2]:
                draws[turn * 10 // turns] += 1
                of_deck[turn * 10 // turns] += action == 0
    row = first_seat.measure(2, "planner@1", 10)
    assert row["deck_share"] == pytest.approx((of_deck / draws).tolist())


@pytest.mark.parametrize("players", [2, 4])
def test_every_card_has_one_fate_and_every_kept_card_one_reason(players: int) -> None:
    row = holdings.measure(players, "blocker@1", 20)
    fates = np.array([row["kept"], row["planted"], row["discarded"]])
    np.testing.assert_allclose(fates.sum(axis=0), 1)
    assert row["own"] + row["block"] + row["idle"] == pytest.approx(1)
    assert 0 < row["late"] < 1
    assert (np.array(row["kept_low"]) <= row["kept"]).all()
    assert (np.array(row["kept_high"]) >= row["kept"]).all()


def test_the_planner_that_nothing_turned_is_rated_as_on_the_ladder() -> None:
    row = denial_sweep.measure(2, 1.0, 24)
    assert row["rating_low"] < published_ratings(2)["planner@1"] < row["rating_high"]
    results = [
        evaluate(["planner:denial=1", member], GameConfig(), deals=24, seed=denial_sweep.SEED)
        for member in denial_sweep.FIELD
    ]
    own = [
        int(result.games.denied_points[game, seat])
        for result in results
        for game, seating in enumerate(result.games.seating)
        for seat, agent in enumerate(seating)
        if agent == 0
    ]
    assert row["lost"] == pytest.approx(np.mean(own))


@pytest.mark.slow
def test_policies_learn_the_game_that_they_are_told_and_meet_in_both() -> None:
    row = rules.measure(0, 512, 4)
    assert set(row["in_standard"]) == set(row["in_own"]) == {"rights for all", "no cancelled 8"}
    assert row["lost"]["rights for all"] == 0  # nobody can lose a path there
    assert row["lost"]["standard"] > 0


def test_studies_are_as_large_as_their_setting() -> None:
    for make in STUDIES.values():
        assert make(SMALL).parts.keys() <= make(FULL).parts.keys()
    assert len(STUDIES["rule_switch"](FULL).parts) == FULL.seeds >= 5
