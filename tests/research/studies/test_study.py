"""Studies: every part once, interrupted and resumed; other results are refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arboretum_training.evaluation.errors import DamagedFileError, EvaluationError
from arboretum_training.research.studies.study import (
    FULL,
    SMALL,
    VARIABLE,
    Row,
    Study,
    chosen_setting,
)


class Counted:
    """Parts that note when they are computed; one may be told to fail."""

    def __init__(self) -> None:
        self.computed: list[int] = []
        self.failing: int | None = None

    def part(self, number: int) -> Callable[[], Row]:
        def compute() -> Row:
            if number == self.failing:
                raise KeyboardInterrupt
            self.computed.append(number)
            return {"number": number, "square": number**2}

        return compute

    def study(self, given: int = 1) -> Study:
        return Study("squares", SMALL, {f"part {n}": self.part(n) for n in range(4)}, {"v": given})


def test_a_study_that_was_stopped_computes_only_what_is_missing(tmp_path: Path) -> None:
    counted = Counted()
    counted.failing = 2
    with pytest.raises(KeyboardInterrupt):
        counted.study().rows(tmp_path)
    assert counted.computed == [0, 1]
    counted.failing = None
    told: list[tuple[str, int, int]] = []
    rows = counted.study().rows(tmp_path, lambda *call: told.append(call))
    assert counted.computed == [0, 1, 2, 3]
    assert rows == [{"number": n, "square": n**2} for n in range(4)]
    assert told == [("squares", n, 4) for n in (1, 2, 3, 4)]
    assert counted.study().rows(tmp_path) == rows
    assert counted.computed == [0, 1, 2, 3]


@pytest.mark.parametrize("cut", [1, 20])
def test_a_line_that_was_cut_short_is_computed_again(tmp_path: Path, cut: int) -> None:
    counted = Counted()
    rows = counted.study().rows(tmp_path)
    path = tmp_path / "small" / "squares.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert counted.study().rows(tmp_path) == rows
    assert counted.computed == [0, 1, 2, 3, 3]
    assert path.read_bytes() == whole


def test_results_of_another_study_are_refused_and_stay(tmp_path: Path) -> None:
    Counted().study(given=1).rows(tmp_path)
    path = tmp_path / "small" / "squares.jsonl"
    before = path.read_bytes()
    with pytest.raises(DamagedFileError, match=r"computed with .*'v': 1.*expected .*'v': 2"):
        Counted().study(given=2).rows(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"part": "part 0"}', "3"])
def test_what_is_no_result_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    Counted().study().rows(tmp_path)
    path = tmp_path / "small" / "squares.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[2] = line
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    with pytest.raises(DamagedFileError, match="line 3: expected a study's result"):
        Counted().study().rows(tmp_path)


def test_the_first_line_says_what_the_rows_were_computed_with(tmp_path: Path) -> None:
    Counted().study().rows(tmp_path)
    path = tmp_path / "small" / "squares.jsonl"
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert first["given"]["v"] == 1
    assert first["given"]["setting"] == {
        "name": "small", "deals": SMALL.deals, "seeds": SMALL.seeds, "decisions": SMALL.decisions,
    }  # fmt: skip


def test_the_environment_chooses_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert chosen_setting() is SMALL
    monkeypatch.setenv(VARIABLE, "full")
    assert chosen_setting() is FULL
    monkeypatch.setenv(VARIABLE, "huge")
    with pytest.raises(EvaluationError, match="huge: expected one of small, full"):
        chosen_setting()
