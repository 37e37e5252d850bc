"""The figures of a tournament, worked out by hand."""

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from arboretum_training.evaluation.evaluate import Games, evaluate
from arboretum_training.evaluation.holm import holm
from arboretum_training.evaluation.permutation import permutation_p_value
from arboretum_training.evaluation.rating import Rating
from arboretum_training.evaluation.standings import Standings, standings
from arboretum_training.evaluation.statistics import Interval
from arboretum_training.evaluation.summary import summarise
from arboretum_training.evaluation.tournament import Tournament
from arboretum_training.evaluation.tournament_report import spread, to_json, to_table
from tests.evaluation.stub_agents import FirstLegal, LastLegal
from tests.evaluation.tournaments import REDUCED, made_games, played, settings_of


def tournament_of(players: int, form: str, games: list[Games], agents: list[str]) -> Tournament:
    """A tournament with made games, one list entry a table, local seating."""
    settings = settings_of(agents, players, form, deals=2)  # type: ignore[arg-type]
    tournament = Tournament(settings, Path("nowhere"))
    assert len(games) == len(settings.tables)
    tournament.finished = {(table, 0): part for table, part in enumerate(games)}
    return tournament


def printed(result: Standings) -> str:
    console = Console(width=80)
    with console.capture() as capture:
        console.print(to_table(result))
    return capture.get()


TURNED = [[0, 1], [1, 0], [0, 1], [1, 0]]
TWO_PLAYERS = [
    # greedy (0) against random (1)
    made_games(
        [0, 0, 1, 1],
        TURNED,
        [[9, 3], [2, 6], [7, 7], [5, 4]],
        winners=[[0], [1], [0, 1], [0]],
        denied=[[1, 4], [8, 3], [0, 2], [6, 5]],
    ),
    # greedy (0) against blocker (1)
    made_games([0, 0, 1, 1], TURNED, [[1, 4], [6, 0], [2, 8], [5, 3]]),
    # random (0) against blocker (1)
    made_games([0, 0, 1, 1], TURNED, [[1, 2], [3, 2], [4, 2], [1, 6]]),
]


def test_two_players() -> None:
    result = standings(
        tournament_of(2, "round-robin", TWO_PLAYERS, ["greedy", "random", "blocker"])
    )
    agents = {agent.name: agent for agent in result.agents}
    # greedy: 1 + 1 + 1/2 + 0 of 4 against random; nothing of 4 against blocker.
    assert agents["greedy"].win_rate == pytest.approx(2.5 / 8)
    # random: 0 + 0 + 1/2 + 1 against greedy; 0 + 0 + 1 + 1 against blocker.
    assert agents["random"].win_rate == pytest.approx(3.5 / 8)
    assert agents["blocker"].win_rate == pytest.approx(6 / 8)
    assert [agent.name for agent in result.agents] == ["blocker", "random", "greedy"]
    # greedy sat in seat 0 in games 1 and 3 of each table.
    assert agents["greedy"].seat_win_rates == pytest.approx((1.5 / 4, 1 / 4))
    assert agents["greedy"].mean_score == pytest.approx((9 + 6 + 7 + 4 + 1 + 0 + 2 + 3) / 8)
    assert agents["greedy"].denied_points == pytest.approx((1 + 3 + 0 + 5) / 8)
    assert agents["greedy"].denied_to_others == pytest.approx((4 + 8 + 2 + 6) / 8)
    assert agents["greedy"].ties == pytest.approx(1 / 8)
    assert agents["blocker"].ties == 0
    assert agents["greedy"].games == 8 and result.games == 12
    pairing = result.pairings["greedy", "random"]
    assert pairing.games == 4
    assert pairing.ahead == pairing.win_rate == pytest.approx(2.5 / 4)
    assert pairing.ahead_ci95 == pairing.win_rate_ci95
    assert pairing.margin == pytest.approx((6 + 4 + 0 - 1) / 4)
    mirrored = result.pairings["random", "greedy"]
    assert mirrored.ahead == pytest.approx(1.5 / 4)
    assert mirrored.margin == pytest.approx(-9 / 4)
    assert mirrored.ahead_ci95 == pytest.approx([1 - end for end in pairing.ahead_ci95[::-1]])
    assert mirrored.p_holm == pairing.p_holm
    assert [sorted(table) for table in result.tables] == [
        ["greedy", "random"],
        ["blocker", "greedy"],
        ["blocker", "random"],
    ]
    assert result.tables[0]["greedy"] == {"win_rate": 2.5 / 4, "mean_score": 26 / 4}


def test_p_values_are_those_of_the_deals_adjusted_over_all_pairs() -> None:
    result = standings(
        tournament_of(2, "round-robin", TWO_PLAYERS, ["greedy", "random", "blocker"])
    )
    by_deal = [[0.5, -0.25], [-0.5, -0.5], [0.0, 0.0]]  # share less 1/2, of each table
    expected = [permutation_p_value(np.array(values), 4) for values in by_deal]
    assert expected == pytest.approx([1.0, 0.5, 1.0])
    pairs = [("greedy", "random"), ("greedy", "blocker"), ("random", "blocker")]
    assert [result.pairings[pair].p_value for pair in pairs] == expected
    assert [result.pairings[pair].p_holm for pair in pairs] == holm(expected)
    assert holm(expected) == pytest.approx([1.0, 1.0, 1.0])


def test_one_against_copies_of_another() -> None:
    alone, copies = (
        made_games(
            [0, 0, 0, 1, 1, 1],
            [[0, 1, 1], [1, 1, 0], [1, 0, 1]] * 2,
            points,
        )
        for points in (
            # greedy's seat: 0, 2, 1
            [[9, 5, 1], [3, 2, 3], [4, 4, 4], [0, 5, 5], [1, 2, 8], [6, 7, 6]],
            # random's seat: 0, 2, 1
            [[1, 2, 3], [4, 4, 0], [5, 5, 5], [9, 1, 1], [1, 1, 2], [3, 3, 2]],
        )
    )
    result = standings(tournament_of(3, "round-robin", [alone, copies], ["greedy", "random"]))
    pairing = result.pairings["greedy", "random"]
    # Alone: won, half a win, a third, lost, won, won.
    assert pairing.win_rate == pytest.approx((1 + 1 / 2 + 1 / 3 + 0 + 1 + 1) / 6)
    # Ahead of the two randoms, then two greedies of one random.
    ahead_alone = [2, 1.5, 1, 0, 2, 2]
    ahead_copies = [2, 2, 1, 0, 0, 0.5]
    assert pairing.ahead == pytest.approx(sum(ahead_alone + ahead_copies) / 24)
    assert result.pairings["random", "greedy"].win_rate == pytest.approx(
        (0 + 0 + 1 / 3 + 1 + 1 + 1 / 2) / 6
    )
    # One seat of greedy won 23/6 games; its two seats shared 6 less random's 17/6.
    greedy = next(agent for agent in result.agents if agent.name == "greedy")
    assert greedy.win_rate == pytest.approx((23 / 6 + 6 - 17 / 6) / 18)


def test_mixed_tables() -> None:
    games = made_games(
        [0, 0, 0, 1, 1, 1],
        [[0, 1, 2], [1, 2, 0], [2, 0, 1]] * 2,
        # agents 0, 1, 2 get these, whichever their seat:
        [[5, 3, 1], [3, 1, 5], [1, 5, 3], [2, 2, 4], [2, 4, 2], [4, 2, 2]],
    )
    result = standings(tournament_of(3, "mixed", [games], ["greedy", "random", "blocker"]))
    first = result.pairings["greedy", "random"]
    assert first.ahead == pytest.approx((3 + 3 * 0.5) / 6)
    assert first.win_rate == pytest.approx(3 / 6)
    assert first.margin == pytest.approx((3 * 2 + 3 * 0) / 6)
    assert result.pairings["blocker", "greedy"].ahead == pytest.approx(3 / 6)
    assert {name: of["win_rate"] for name, of in result.tables[0].items()} == {
        "greedy": 0.5,
        "random": 0.0,
        "blocker": 0.5,
    }


def test_unfinished_tournaments_have_figures_of_what_was_played() -> None:
    tournament = tournament_of(2, "round-robin", TWO_PLAYERS, ["greedy", "random", "blocker"])
    del tournament.finished[1, 0], tournament.finished[2, 0]
    result = standings(tournament)
    assert not result.complete
    assert [agent.name for agent in result.agents] == ["greedy", "random"]
    assert set(result.pairings) == {("greedy", "random"), ("random", "greedy")}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_pair_is_what_evaluate_says_of_it(players: int, tmp_path: Path) -> None:
    result = standings(
        played(tmp_path / "t", settings_of([FirstLegal, LastLegal, "random"], players, deals=5))
    )
    agents = [FirstLegal, LastLegal]
    summary = summarise(evaluate(agents, REDUCED[players], deals=5, seed=4))
    pairing = result.pairings["FirstLegal", "LastLegal"]
    first = summary.agents["FirstLegal"]
    assert pairing.win_rate == pytest.approx(first.win_rate)
    assert pairing.win_rate_ci95 == pytest.approx(first.win_rate_ci95)
    if players == 2:
        assert pairing.margin == pytest.approx(summary.margin)
        assert pairing.margin_ci95 == pytest.approx(summary.margin_ci95)


def test_an_anchor_has_a_thousand() -> None:
    tournament = tournament_of(2, "round-robin", TWO_PLAYERS, ["greedy", "random", "blocker"])
    by_name = {agent.name: agent.rating for agent in standings(tournament, "greedy").agents}
    assert by_name["greedy"] == Rating(1000.0, Interval(1000.0, 1000.0))
    free = {agent.name: agent.rating.rating for agent in standings(tournament).agents}
    assert sum(free.values()) / 3 == pytest.approx(1000)
    assert by_name["blocker"].rating - 1000 == pytest.approx(free["blocker"] - free["greedy"])


def test_forfeits_are_counted_and_are_no_ties() -> None:
    """Of two games with three seats, random forfeits the first; the second is shared."""
    games = made_games(
        [0, 1],
        [[0, 1, 2], [0, 1, 2]],
        [[5, 0, 2], [4, 4, 1]],
        winners=[[0, 2], [0, 1]],
    )
    games.forfeits[0] = 1
    result = standings(tournament_of(3, "mixed", [games], ["greedy", "random", "blocker"]))
    agents = {agent.name: agent for agent in result.agents}
    assert {name: agent.forfeits for name, agent in agents.items()} == {
        "greedy": 0,
        "random": 1,
        "blocker": 0,
    }
    assert all(agent.ties == 1 / 2 for agent in agents.values())
    report = to_json(result)["agents"]
    assert report["random"]["forfeits"] == 1 and "forfeits" not in report["greedy"]
    assert "games that random forfeited, counted as lost: 1 (--save-games DIR" in printed(result)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ratings_keep_their_intervals_whole_at_eighty_columns(players: int) -> None:
    agents = ["search:simulations=64,rollouts=greedy", "greedy", "random", "blocker"]
    seats = [[(turn + seat) % players for seat in range(players)] for turn in range(players)] * 2
    points = [[(3 * seat + row) % 7 for seat in range(players)] for row in range(len(seats))]
    games = made_games([0] * players + [1] * players, seats, points)
    tables = settings_of(agents, players, "mixed").tables
    result = standings(tournament_of(players, "mixed", [games] * len(tables), agents))
    words = printed(result).split()
    for agent in result.agents:
        assert f"({spread(agent.rating)})" in words


def test_only_an_anchor_is_called_one() -> None:
    assert spread(Rating(1000.0, Interval(1000.0, 1000.0))) == "anchor"
    assert spread(Rating(1191.0, Interval(1191.0, 1191.0))) == "1191..1191"
    assert spread(Rating(1191.0, None)) == "-"
