"""Faults of options are told in the project's words: what was given, what was expected."""

from typing import Annotated, Any, Literal

import pydantic
import pytest

from arboretum_env.option_faults import fault_text, unknown_key


class Part(pydantic.BaseModel, extra="forbid"):
    size: Annotated[float, pydantic.Field(gt=0, le=1.5, allow_inf_nan=False)] = 1.0


class Whole(pydantic.BaseModel, extra="forbid"):
    count: Annotated[int, pydantic.Field(ge=2, lt=2**63)] = 2
    often: int | None = None
    on: bool = False
    kind: Literal["one", "two"] = "one"
    names: tuple[str, ...] = ()
    cell: tuple[int, int] = (0, 0)
    cards: list[int] = []
    seats: Annotated[list[int], pydantic.Field(min_length=2, max_length=4)] = [0, 0]
    note: Annotated[str, pydantic.Field(max_length=3)] = ""
    title: Annotated[str, pydantic.Field(min_length=2, pattern="^[a-z]+$")] = "ab"
    part: Part = Part()

    @pydantic.model_validator(mode="after")
    def _check(self) -> "Whole":
        if self.count == 13:
            raise ValueError("13: expected no such number")
        return self


def texts(data: Any) -> list[str]:
    with pytest.raises(pydantic.ValidationError) as caught:
        Whole.model_validate(data)
    return [fault_text(fault) for fault in caught.value.errors(include_url=False)]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"count": "x"}, "count 'x': expected an integer"),
        ({"count": 2.5}, "count 2.5: expected an integer"),
        ({"count": None}, "count None: expected an integer"),
        ({"count": 1}, "count 1: expected at least 2"),
        ({"count": 2**63}, f"count {2**63}: expected less than {2**63}"),
        ({"often": "many"}, "often 'many': expected an integer"),
        ({"on": 3}, "on 3: expected true or false"),
        ({"on": []}, "on []: expected true or false"),
        ({"kind": "three"}, "kind 'three': expected 'one' or 'two'"),
        ({"names": 3}, "names 3: expected a list"),
        ({"names": [3]}, "names.0 3: expected a text"),
        ({"cell": [1]}, "cell.1: missing, expected a value"),
        ({"cell": [1, 2, 3]}, "cell [1, 2, 3]: expected at most 2 items, not 3"),
        ({"cards": "C1"}, "cards 'C1': expected a list"),
        ({"seats": [1]}, "seats [1]: expected at least 2 items, not 1"),
        ({"seats": [1] * 5}, "seats [1, 1, 1, 1, 1]: expected at most 4 items, not 5"),
        ({"note": "long"}, "note 'long': expected at most 3 characters"),
        ({"title": "a"}, "title 'a': expected at least 2 characters"),
        ({"title": "A B"}, "title 'A B': expected a text of the form ^[a-z]+$"),
        ({"title": "A" * 99}, f"title 'A{'A' * 58}...: expected a text of the form ^[a-z]+$"),
        ({"part": 3}, "part 3: expected keys and values"),
        ({"part": {"size": "x"}}, "part.size 'x': expected a number"),
        ({"part": {"size": 0}}, "part.size 0: expected more than 0"),
        ({"part": {"size": 2}}, "part.size 2: expected at most 1.5"),
        ({"part": {"size": float("nan")}}, "part.size nan: expected a finite number"),
        ({"part": {"sise": 1}}, "part.sise: unknown key"),
        ({"count": 13}, "13: expected no such number"),
        (3, "3: expected keys and values"),
    ],
)
def test_one_fault(data: Any, text: str) -> None:
    assert texts(data) == [text]


def test_every_fault_is_told() -> None:
    assert texts({"count": "x", "on": 3}) == [
        "count 'x': expected an integer",
        "on 3: expected true or false",
    ]


def test_unknown_keys_come_with_what_was_meant() -> None:
    assert unknown_key("ppo.clop", ["clip", "lam"]) == "ppo.clop: unknown key, did you mean clip?"
    assert unknown_key("zzz", ["clip", "lam"]) == "zzz: unknown key, expected one of clip, lam"
