"""A study: named parts, computed once and kept, so that a long one may be stopped and resumed.

Results are lines of ``FOLDER/SETTING/STUDY.jsonl``: first what they were computed with, then the
key and the row of each part. A file that was computed with something else holds no results of this
study: it is refused, never mixed in.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from arboretum_training.evaluation.errors import DamagedFileError, EvaluationError

VARIABLE: Final = "ARBORETUM_STUDY"
"""Environment variable that chooses the setting of the notebooks."""

Row = dict[str, Any]
Progress = Callable[[str, int, int], None]
"""Called with (the study's name, parts done, parts in all) when a part is done."""


@dataclass(frozen=True)
class Setting:
    """How large a study is.

    Attributes:
        name: of the folder of its results.
        deals: duplicate deals of each measurement.
        seeds: trainings of each kind.
        decisions: that each training learns from.
    """

    name: str
    deals: int
    seeds: int
    decisions: int


SMALL: Final = Setting("small", deals=32, seeds=2, decisions=4_096)
FULL: Final = Setting("full", deals=1_000, seeds=5, decisions=1_000_000)
SETTINGS: Final = {setting.name: setting for setting in (SMALL, FULL)}


def chosen_setting() -> Setting:
    """The setting that the environment variable ``ARBORETUM_STUDY`` names; small without it.

    Raises:
        EvaluationError: it names none.
    """
    name = os.environ.get(VARIABLE, SMALL.name)
    if name not in SETTINGS:
        raise EvaluationError(f"{VARIABLE}={name}: expected one of {', '.join(SETTINGS)}")
    return SETTINGS[name]


@dataclass(frozen=True)
class Study:
    """Parts that belong together.

    Attributes:
        name: of the file of its results.
        setting: how large it is.
        parts: by key, what computes a part's row; in the order of the rows.
        given: what the rows depend on besides the setting, as JSON values.
    """

    name: str
    setting: Setting
    parts: Mapping[str, Callable[[], Row]]
    given: Mapping[str, Any]

    def rows(self, folder: Path, progress: Progress | None = None) -> list[Row]:
        """All rows; parts that are not in the folder yet are computed, and kept there.

        Args:
            folder: of all settings and studies; made if need be.
            progress: told of every part.

        Raises:
            DamagedFileError: a file of results that were computed with something else, or that
                holds something else.
        """
        path = folder / self.setting.name / f"{self.name}.jsonl"
        given = {"setting": asdict(self.setting), **self.given}
        known = _read(path, given)
        for number, (key, compute) in enumerate(self.parts.items()):
            if key not in known:
                known[key] = compute()
                _append(path, {"part": key, "row": known[key]})
            if progress is not None:
                progress(self.name, number + 1, len(self.parts))
        return [known[key] for key in self.parts]


def _append(path: Path, line: Row) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _read(path: Path, given: Row) -> dict[str, Row]:
    """The rows of a file, by key. A last line that was cut short is dropped, a new file begun."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    whole, _, cut = text.rpartition("\n")
    if cut:
        path.write_text(whole + "\n" if whole else "", encoding="utf-8")
    if not whole:
        path.parent.mkdir(parents=True, exist_ok=True)
        _append(path, {"given": given})
        return {}
    lines = []
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            found = json.loads(line)
            lines.append((found["given"], {}) if number == 1 else (found["part"], found["row"]))
        except (ValueError, TypeError, KeyError) as error:
            raise DamagedFileError(
                f"{path}, line {number}: expected a study's result, found {line[:80]!r}"
            ) from error
    computed_with, _ = lines[0]
    if computed_with != given:
        raise DamagedFileError(
            f"{path}: computed with {computed_with}, expected {given}; move the file away to "
            "compute it anew"
        )
    return dict(lines[1:])
