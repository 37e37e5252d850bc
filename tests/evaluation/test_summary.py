"""The figures of a report, from games written down by hand."""

from collections.abc import Sequence

import numpy as np
import pytest
from rich.console import Console

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import EvaluationResult, Games
from arboretum_training.evaluation.report import to_json, to_table
from arboretum_training.evaluation.statistics import bootstrap_interval, win_rate_interval
from arboretum_training.evaluation.summary import summarise

Row = tuple[Sequence[int], Sequence[int], Sequence[float], Sequence[int]]


def played(names: Sequence[str], deals: int, rows: Sequence[Row]) -> EvaluationResult:
    """A result from rows of (seating, points, win shares, denied points)."""
    seating, points, shares, denied = (np.array(column) for column in zip(*rows, strict=True))
    games = len(rows)
    return EvaluationResult(
        names=tuple(names),
        config=GameConfig(num_players=seating.shape[1]),
        seed=7,
        mode="sample",
        deals=deals,
        games=Games(
            deal_id=np.repeat(np.arange(deals, dtype=np.uint64), games // deals),
            game_id=np.arange(games, dtype=np.uint64),
            seating=seating,
            points=points,
            win_shares=shares.astype(np.float64),
            denied_points=denied,
            turns=np.full(games, 20),
            forfeits=np.full(games, -1),
        ),
    )


TWO_PLAYERS = played(
    ["A", "B"],
    2,
    [
        ((0, 1), (10, 8), (1, 0), (0, 3)),  # A wins in seat 0
        ((1, 0), (12, 12), (0.5, 0.5), (2, 4)),  # shared
        ((0, 1), (5, 9), (0, 1), (6, 0)),  # B wins in seat 1
        ((1, 0), (7, 20), (0, 1), (1, 1)),  # A wins in seat 1
    ],
)


def test_two_players_by_hand() -> None:
    summary = summarise(TWO_PLAYERS)
    a, b = summary.agents["A"], summary.agents["B"]
    assert (summary.deals, summary.games, summary.players) == (2, 4, 2)
    assert (a.win_rate, b.win_rate) == (2.5 / 4, 1.5 / 4)
    assert a.seat_win_rates == (1 / 2, 1.5 / 2)
    assert b.seat_win_rates == (0.5 / 2, 1 / 2)
    assert (a.ties, b.ties) == (1 / 4, 1 / 4)
    assert (a.mean_score, b.mean_score) == (47 / 4, 36 / 4)
    assert (a.denied_points, b.denied_points) == (11 / 4, 6 / 4)
    # Margins 2, 0, -4, 13; deal means 1 and 4.5.
    assert summary.margin == 11 / 4
    assert summary.margin_ci95 == bootstrap_interval([1.0, 4.5], seed=7)
    assert a.win_rate_ci95 == win_rate_interval([0.75, 0.5], 2)
    assert b.win_rate_ci95 == win_rate_interval([0.25, 0.5], 2)


def test_three_players_one_against_two_seats_of_the_other() -> None:
    summary = summarise(
        played(
            ["A", "B"],
            1,
            [
                ((0, 1, 1), (9, 3, 5), (1, 0, 0), (1, 0, 2)),
                ((1, 1, 0), (6, 6, 2), (0.5, 0.5, 0), (0, 4, 5)),  # B shares with itself
                ((1, 0, 1), (4, 4, 4), (1 / 3, 1 / 3, 1 / 3), (3, 3, 3)),
            ],
        )
    )
    a, b = summary.agents["A"], summary.agents["B"]
    assert a.win_rate == pytest.approx((1 + 1 / 3) / 3)
    assert b.win_rate == pytest.approx((1 + 2 / 3) / 6)  # per seat occupied: six
    assert a.win_rate + 2 * b.win_rate == pytest.approx(1.0)
    assert a.seat_win_rates == pytest.approx((1.0, 1 / 3, 0.0))
    assert b.seat_win_rates == pytest.approx(((0.5 + 1 / 3) / 2, 0.5 / 2, (1 / 3) / 2))
    assert a.ties == b.ties == pytest.approx(2 / 3)
    assert a.mean_score == pytest.approx(15 / 3)
    assert b.mean_score == pytest.approx(28 / 6)
    assert b.denied_points == pytest.approx(12 / 6)
    # 9 - 4, 2 - 6, 4 - 4
    assert summary.margin == pytest.approx(1 / 3)
    assert summary.margin_ci95 is None  # one deal
    assert b.win_rate_ci95 == pytest.approx([(1 - end) / 2 for end in reversed(a.win_rate_ci95)])


def test_three_agents_at_two_seats_count_only_their_own_games() -> None:
    summary = summarise(
        played(
            ["A", "B", "C"],
            1,
            [
                ((0, 1), (5, 1), (1, 0), (0, 0)),
                ((1, 0), (2, 4), (0, 1), (0, 0)),
                ((0, 2), (6, 6), (0.5, 0.5), (0, 2)),
                ((2, 0), (3, 1), (1, 0), (0, 2)),
                ((1, 2), (0, 9), (0, 1), (8, 0)),
                ((2, 1), (9, 0), (1, 0), (0, 8)),
            ],
        )
    )
    rates = {name: agent.win_rate for name, agent in summary.agents.items()}
    assert rates == {"A": 2.5 / 4, "B": 0.0, "C": 3.5 / 4}
    assert [agent.ties for agent in summary.agents.values()] == [1 / 4, 0.0, 1 / 4]
    assert summary.agents["B"].denied_points == 16 / 4
    # A's games only: 4, 2, 0, -2.
    assert summary.margin == 1.0
    assert summary.agents["B"].win_rate_ci95 == win_rate_interval([0.0], 4)


def test_json_by_hand() -> None:
    report = to_json(summarise(TWO_PLAYERS))
    assert report == {
        "players": 2,
        "deals": 2,
        "games": 4,
        "seed": 7,
        "mode": "sample",
        "agents": {
            "A": {
                "win_rate": 0.625,
                "win_rate_ci95": list(win_rate_interval([0.75, 0.5], 2)),
                "mean_score": 11.75,
                "seat_win_rates": [0.5, 0.75],
                "ties": 0.25,
            },
            "B": {
                "win_rate": 0.375,
                "win_rate_ci95": list(win_rate_interval([0.25, 0.5], 2)),
                "mean_score": 9.0,
                "seat_win_rates": [0.25, 0.5],
                "ties": 0.25,
            },
        },
        "margin": 2.75,
        "margin_ci95": list(bootstrap_interval([1.0, 4.5], seed=7) or ()),
        "denied_points": {"A": 2.75, "B": 1.5},
        "comparisons": [
            {
                "agents": ["A", "B"],
                # Wins 1, 0, -1, 1: deals 1/2 and 0, so no sign says anything but the first's.
                "win_rate": {
                    "value": 0.25,
                    "ci95": list(bootstrap_interval([0.5, 0.0], seed=7) or ()),
                    "p_value": 1.0,
                    "p_holm": 1.0,
                },
                "margin": {
                    "value": 2.75,
                    "ci95": list(bootstrap_interval([1.0, 4.5], seed=7) or ()),
                    "p_value": 0.5,
                    "p_holm": 0.5,
                },
            }
        ],
    }


def test_pairs_of_three_agents_by_hand() -> None:
    """Two seats: every pair meets alone. A and B part by 4 and 2 points on deal 0, and so on."""
    rows: list[Row] = []
    for a_b, a_c, b_c in (((4, 2), (6, 0), (0, 0)), ((1, 3), (2, 2), (-2, 2))):
        for (first, second), margins in (((0, 1), a_b), ((0, 2), a_c), ((1, 2), b_c)):
            for seating, margin in (((first, second), margins[0]), ((second, first), margins[1])):
                own = 10 + margin, 10
                points = own if seating == (first, second) else own[::-1]
                wins = (1, 0) if points[0] > points[1] else (0, 1)
                rows.append((seating, points, wins if margin else (0.5, 0.5), (0, 0)))
    summary = summarise(played(["A", "B", "C"], 2, rows))
    found = {
        (pair.first, pair.second): (pair.margin.value, pair.win_rate.value)
        for pair in summary.comparisons
    }
    # Deal means: A-B 3 and 2, A-C 3 and 2, B-C 0 and 0; wins 1 and 1, 1/2 and 1, 0 and 0.
    assert found == {("A", "B"): (2.5, 1.0), ("A", "C"): (2.5, 0.75), ("B", "C"): (0.0, 0.0)}
    # Two deals have four patterns of signs, two of them as far out as both up; Holm: times three.
    assert [pair.margin.p_value for pair in summary.comparisons] == [0.5, 0.5, 1.0]
    assert [pair.margin.p_holm for pair in summary.comparisons] == [1.0, 1.0, 1.0]


def test_holm_counts_the_pairs() -> None:
    rows: list[Row] = []
    for _ in range(10):
        for first, second in ((0, 1), (0, 2), (1, 2)):
            for seating in ((first, second), (second, first)):
                best = int(np.argmin(seating))
                rows.append((seating, (5 * (1 - best), 5 * best), (1 - best, best), (0, 0)))
    pairs = summarise(played(["A", "B", "C"], 10, rows)).comparisons
    assert [pair.win_rate.p_value for pair in pairs] == pytest.approx([2 / 1024] * 3)
    assert [pair.win_rate.p_holm for pair in pairs] == pytest.approx([6 / 1024] * 3)


def test_three_players_pairs_are_seat_against_seat() -> None:
    [pair] = summarise(
        played(
            ["A", "B"],
            1,
            [
                ((0, 1, 1), (9, 3, 5), (1, 0, 0), (1, 0, 2)),
                ((1, 1, 0), (6, 6, 2), (0.5, 0.5, 0), (0, 4, 5)),
                ((1, 0, 1), (4, 4, 4), (1 / 3, 1 / 3, 1 / 3), (3, 3, 3)),
            ],
        )
    ).comparisons
    # Wins 1 - 0, 0 - 1/2 and 0; points 9 - 4, 2 - 6 and 0.
    assert pair.win_rate.value == pytest.approx(0.5 / 3)
    assert pair.margin.value == pytest.approx(1 / 3)


def printed(result: EvaluationResult) -> str:
    console = Console(width=120, record=True, file=None, quiet=False)
    with console.capture() as capture:
        console.print(to_table(summarise(result)))
    return capture.get()


def test_table_shows_every_agent_with_its_figures() -> None:
    text = printed(TWO_PLAYERS)
    assert "2 players, 2 deals, 4 games, seed 7, sample" in text
    [row] = [line for line in text.splitlines() if line.startswith("│ A ")]
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    assert (cells[0], cells[1], cells[3:]) == (
        "A",
        "62.5",
        ["50.0 75.0", "11.75", "2.75", "25.0"],
    )
    assert "margin of A: +2.75 points (" in text
    assert "), p 0.500" in text
    assert "lead of A in win %: +25.0 (" in text and "), p 1.000" in text


def test_table_of_three_agents_has_the_pairs() -> None:
    rows: list[Row] = []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        rows.append(((first, second), (8, 3), (1, 0), (0, 0)))
        rows.append(((second, first), (3, 8), (0, 1), (0, 0)))
    text = printed(played(["A", "B", "C"], 1, rows))
    lines = [[cell.strip() for cell in line.strip("│").split("│")] for line in text.splitlines()]
    none = "one deal, no interval"
    row = lines.index(["A", "C", "+100.0", "1.000", "+5.00", "1.000"])
    assert lines[row + 1] == ["", "", none, "", none, ""]
    assert "p: by permutation, adjusted for 3 pairs (Holm)" in text


def test_table_takes_names_literally() -> None:
    result = played(
        ["runs/[bold]x", "B"],
        1,
        [((0, 1), (1, 0), (1, 0), (0, 0)), ((1, 0), (0, 1), (0, 1), (0, 0))],
    )
    text = printed(result)
    assert "│ runs/[bold]x │" in text
    assert "margin of runs/[bold]x: +1.00 points (one deal, no interval)" in text


@pytest.mark.parametrize("width", [30, 50, 70])
def test_table_cuts_nothing_short_on_a_narrow_terminal(width: int) -> None:
    result = played(
        ["runs/a_long_name", "B"],
        1,
        [((0, 1), (1, 0), (1, 0), (0, 0)), ((1, 0), (0, 1), (0, 1), (0, 0))],
    )
    console = Console(width=width)
    with console.capture() as capture:
        console.print(to_table(summarise(result)))
    text = capture.get()
    assert "…" not in text
    cells = [line.split("│")[1].strip() for line in text.splitlines() if line.startswith("│")]
    assert "".join(cells) == "runs/a_long_nameB"


def test_intervals_of_pairs_stay_whole_at_eighty_columns() -> None:
    """A against B: 1 and 0 of the wins, 10 and -20 points on the two deals."""
    rows = [
        (seats if turn == 0 else seats[::-1], points if turn == 0 else points[::-1], wins, (0, 0))
        for points, winner in (((20, 10), 0), ((0, 20), 1))
        for seats in ((0, 1), (0, 2), (1, 2))
        for turn in (0, 1)
        for wins in [(1, 0) if winner == turn else (0, 1)]
    ]
    console = Console(width=80)
    with console.capture() as capture:
        console.print(to_table(summarise(played(["search:simulations=64", "B", "C"], 2, rows))))
    words = capture.get().split()
    assert words.count("-100.0..+100.0") == words.count("-20.00..+10.00") == 3


def test_forfeits_are_counted_and_are_no_ties() -> None:
    """Three seats: B forfeits one game, whose win A and the other B share."""
    result = played(
        ["A", "B"],
        1,
        [
            ((0, 1, 1), (10, 0, 8), (0.5, 0, 0.5), (0, 0, 0)),
            ((1, 0, 1), (9, 7, 9), (0.5, 0, 0.5), (0, 0, 0)),
            ((1, 1, 0), (3, 2, 7), (0, 0, 1), (0, 0, 0)),
        ],
    )
    assert "forfeits" not in to_json(summarise(result))
    result.games.forfeits[0] = 1
    report = to_json(summarise(result))
    assert report["forfeits"] == {"B": 1}
    assert report["agents"]["A"]["ties"] == report["agents"]["B"]["ties"] == 1 / 3
    assert report["agents"]["A"]["win_rate"] == 0.5
    console = Console(width=120)
    with console.capture() as capture:
        console.print(to_table(summarise(result)))
    assert "games that B forfeited, counted as lost: 1 (--save-games DIR" in capture.get()
