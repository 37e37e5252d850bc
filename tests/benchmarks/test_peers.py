"""The comparison with other environments: taking turns, least times, ratios and bars."""

import json
from collections.abc import Callable, Iterator
from itertools import chain

import pytest

from benchmarks.peers import measure as program
from benchmarks.peers.arboretum import BATCH
from benchmarks.peers.bars import BARS, Bar, Verdict, judge
from benchmarks.peers.contest import Contestant, Play, Result, measure
from benchmarks.peers.pgx_games import double_dummy_table
from benchmarks.peers.report import as_text


class Machine:
    """A clock that only play moves on, and a diary of what was played."""

    def __init__(self) -> None:
        self.now = 0.0
        self.diary: list[tuple[str, int]] = []

    def clock(self) -> float:
        return self.now

    def contestant(self, key: str, times: Iterator[float]) -> Contestant:
        """Each unit has two steps, which take the next of ``times``; the second makes one more."""

        def play(unit: int) -> Iterator[int]:
            self.diary.append((key, unit))
            for made in (10 * (unit + 1), 10 * (unit + 1) + 1):
                self.now += next(times)
                yield made

        return Contestant(key, key.upper(), lambda: play)


def test_rounds_alternate_and_the_least_time_of_each_unit_counts() -> None:
    machine = Machine()
    # Compilation; as many units as fill the time; three rounds of these.
    rounds = [1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 4.0, 5.0], [1.0, 1.0, 9.0, 3.0]
    a = machine.contestant("a", iter([9.0, 9.0, 0.5, 0.5, 0.5, 0.5, *chain(*rounds)]))
    b = machine.contestant("b", iter([9.0, 9.0] + [2.0] * 8))
    first, second = measure([a, b], rounds=3, seconds=2.0, clock=machine.clock)
    assert machine.diary[:5] == [("a", 0), ("a", 0), ("a", 1), ("b", 0), ("b", 0)]
    assert machine.diary[5:] == [("a", 0), ("a", 1), ("b", 0)] * 3
    assert first.decisions == (10, 11, 20, 21)
    assert first.seconds == tuple(map(tuple, rounds))
    assert first.best == 62 / (1.0 + 1.0 + 3.0 + 3.0)
    assert first.median == 62 / 12.0  # rounds of 10, 12 and 14 seconds
    assert (second.best, second.median) == (21 / 4.0, 21 / 4.0)


def test_playing_otherwise_is_noticed() -> None:
    made = iter([1, 1, 1, 2])
    contestant = Contestant("x", "X", lambda: lambda unit: iter([next(made)]))
    with pytest.raises(ValueError, match="x: played otherwise in round 2 than before"):
        measure([contestant], rounds=2, seconds=0.0)


def test_a_missing_library_is_said_and_measures_nothing() -> None:
    def make() -> Play:
        raise ModuleNotFoundError("No module named 'pgx'")

    [result] = measure([Contestant("x", "X", make)], rounds=2, seconds=0.0)
    assert result == Result("x", "X", problem="not installed: No module named 'pgx'")
    assert "| X | not installed: No module named 'pgx' | |" in as_text([result], [])


def result(key: str, rate: float) -> Result:
    # Two rounds; the slower one is half as fast.
    return Result(key, key.upper(), (100,), ((100 / rate,), (200 / rate,)))


def test_the_fastest_peer_counts() -> None:
    bars = [Bar("us", ("slow", "fast", "absent"), 3.0), Bar("us", ("absent",), 1.0)]
    results = [result("us", 30.0), result("slow", 1.0), result("fast", 10.0)]
    verdicts = judge(results, bars)
    assert verdicts == [Verdict("us", "fast", 3.0, 3.0, 3.0)]
    assert verdicts[0].met is True
    assert judge(results, [Bar("us", ("fast",), 3.01)])[0].met is False
    assert judge(results, [Bar("us", ("fast",), None)])[0].met is None


def test_bars_name_contestants() -> None:
    keys = [entry.key for entry in program.CONTESTANTS]
    assert len(set(keys)) == len(keys)
    assert {key for bar in BARS for key in (bar.ours, *bar.peers)} <= set(keys)


def test_tables() -> None:
    results = [result("us", 3000.0), result("fast", 1000.0)]
    text = as_text(results, judge(results, [Bar("us", ("fast",), 3.5)]))
    assert "| US | 3,000 | 2,250 |" in text
    assert "| US | FAST | 3.0 | 3.0 | >= 3.5: MISSED |" in text


def test_our_own_contestants_play(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--rounds", "1", "--seconds", "0", "--json"]
    assert program.main([*words, "--only", "arboretum-batch", "arboretum-raw-env"]) == 0
    report = json.loads(capsys.readouterr().out)["results"]
    assert set(report) == {"arboretum-batch", "arboretum-raw-env"}
    assert report["arboretum-batch"]["decisions"] == BATCH * 5 * 33
    assert report["arboretum-raw-env"]["decisions"] % 5 == 0
    assert 17 * 5 <= report["arboretum-raw-env"]["decisions"] <= 33 * 5  # one whole game


def test_the_same_unit_is_the_same_game() -> None:
    makes: dict[str, Callable[[], Play]] = {
        entry.key: entry.make for entry in program.CONTESTANTS if entry.key == "arboretum-raw-env"
    }
    play = makes["arboretum-raw-env"]()
    lengths = [sum(play(unit)) for unit in range(8)]
    assert [sum(play(unit)) for unit in range(8)] == lengths
    assert len(set(lengths)) > 1


def test_the_table_for_bridge_holds_deals() -> None:
    keys, values = double_dummy_table(3)
    for key, value in zip(keys, values, strict=True):
        holders = [int(suit) >> shift & 3 for suit in key for shift in range(24, -1, -2)]
        assert sorted(holders) == [0] * 13 + [1] * 13 + [2] * 13 + [3] * 13
        tricks = [int(part) >> shift & 15 for part in value for shift in range(16, -1, -4)]
        assert max(tricks) <= 13
    assert len({tuple(key) for key in keys}) == 3
