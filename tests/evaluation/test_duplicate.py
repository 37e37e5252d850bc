"""Who sits where: balance of the schedule for every number of players and agents."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from arboretum_training.evaluation.duplicate import (
    casts,
    circular_orders,
    games_per_deal,
    schedule,
)
from arboretum_training.evaluation.errors import EvaluationError

TABLES = [(agents, players) for players in (2, 3, 4) for agents in (2, 3, 4, 5)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_agents_rotate_one_against_the_rest(players: int) -> None:
    plan = schedule(2, players, [5])
    expected = [[0 if seat == k else 1 for seat in range(players)] for k in range(players)]
    assert sorted(plan.seating.tolist()) == sorted(expected)
    assert plan.deal_id.tolist() == [5] * players
    assert plan.game_id.tolist() == [5 * players + k for k in range(players)]


def test_two_players_by_hand() -> None:
    plan = schedule(2, 2, [0, 1])
    assert plan.seating.tolist() == [[0, 1], [1, 0], [0, 1], [1, 0]]
    assert plan.deal_id.tolist() == [0, 0, 1, 1]
    assert plan.game_id.tolist() == [0, 1, 2, 3]


def test_three_agents_at_two_seats_meet_in_pairs() -> None:
    plan = schedule(3, 2, [0])
    assert plan.seating.tolist() == [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]


def test_three_agents_at_three_seats_change_neighbours_from_deal_to_deal() -> None:
    plan = schedule(3, 3, [0, 1, 2])
    assert plan.seating[:3].tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert plan.seating[3:6].tolist() == [[0, 2, 1], [2, 1, 0], [1, 0, 2]]
    assert plan.seating[6:].tolist() == plan.seating[:3].tolist()


@pytest.mark.parametrize(("agents", "players"), TABLES)
def test_every_agent_holds_every_seat_equally_often_on_every_deal(
    agents: int, players: int
) -> None:
    deals = [0, 3, 4, 11]
    plan = schedule(agents, players, deals)
    games = games_per_deal(agents, players)
    assert plan.seating.shape == (len(deals) * games, players)
    for d in range(len(deals)):
        seating = plan.seating[d * games : (d + 1) * games]
        for agent in range(agents):
            held = (seating == agent).sum(axis=0)
            assert held.min() == held.max() > 0
        if agents > 2:
            totals = Counter(seating.ravel().tolist())
            assert len(set(totals.values())) == 1


@pytest.mark.parametrize(("agents", "players"), [(3, 2), (4, 2), (4, 3), (5, 3), (5, 4)])
def test_every_pair_of_agents_meets_equally_often(agents: int, players: int) -> None:
    plan = schedule(agents, players, [0])
    meetings = Counter(
        pair for row in plan.seating.tolist() for pair in combinations(sorted(set(row)), 2)
    )
    assert len(meetings) == agents * (agents - 1) // 2
    assert len(set(meetings.values())) == 1


def test_neighbours_balance_over_the_circular_orders() -> None:
    orders = len(circular_orders((0, 1, 2, 3)))
    assert orders == 6
    plan = schedule(4, 4, range(orders))
    followers = Counter(
        (row[seat], row[(seat + 1) % 4]) for row in plan.seating.tolist() for seat in range(4)
    )
    assert len(followers) == 12
    assert len(set(followers.values())) == 1


@pytest.mark.parametrize(("agents", "players"), [(3, 3), (4, 3), (3, 4), (4, 4), (5, 4)])
def test_mixed_tables_go_through_every_assignment_equally_often(agents: int, players: int) -> None:
    """Six deals are whole rounds of 2, 3 and 6 circular orders."""
    plan = schedule(agents, players, range(6))
    seatings = Counter(map(tuple, plan.seating.tolist()))
    for cast in casts(agents, players):
        assignments = set(permutations(cast))
        times = {seatings.pop(assignment) for assignment in assignments}
        assert len(times) == 1
        # P rotations on each of six deals, spread over all assignments of this cast.
        assert times.pop() * len(assignments) == 6 * players
    assert not seatings


def test_three_agents_at_four_seats_meet_equally_often_and_nobody_is_favoured() -> None:
    plan = schedule(3, 4, range(3))
    meetings: Counter[tuple[int, int]] = Counter()
    for row in plan.seating.tolist():
        meetings.update(
            (min(pair), max(pair)) for pair in combinations(row, 2) if pair[0] != pair[1]
        )
    # Of 12 games a deal, in four each agent sits twice: 4 (2 + 2 + 1) meetings of any two.
    assert meetings == {(0, 1): 60, (0, 2): 60, (1, 2): 60}
    doubles = Counter(
        agent for row in plan.seating.tolist() for agent in range(3) if row.count(agent) == 2
    )
    assert doubles == {0: 12, 1: 12, 2: 12}


def test_circular_orders_of_a_cast_with_a_double() -> None:
    # 4! / 2! / 4 = 3: the doubles side by side in two ways, or opposite each other.
    assert len(circular_orders((0, 1, 2, 0))) == 3


@pytest.mark.parametrize(("agents", "players"), TABLES)
def test_a_deals_games_do_not_depend_on_the_other_deals(agents: int, players: int) -> None:
    together = schedule(agents, players, range(10))
    games = games_per_deal(agents, players)
    for deal in (0, 7):
        alone = schedule(agents, players, [deal])
        part = slice(deal * games, (deal + 1) * games)
        assert (alone.seating == together.seating[part]).all()
        assert (alone.game_id == together.game_id[part]).all()
    assert len(np.unique(together.game_id)) == len(together.game_id)


@pytest.mark.parametrize("agents", [0, 1])
def test_nothing_to_compare_is_refused(agents: int) -> None:
    with pytest.raises(EvaluationError, match="expected at least 2"):
        casts(agents, 2)
