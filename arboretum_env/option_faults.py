"""What is wrong with an option, in one form: ``num_players 5: expected at most 4``.

Options, records and boards are checked by pydantic models; what those find is told here in the
project's words, for files and command lines alike.
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, Final

Fault = Mapping[str, Any]
"""One item of ``pydantic.ValidationError.errors()``."""

_EXPECTED: Final = {
    "bool": "true or false",
    "dict": "keys and values",
    "float": "a number",
    "int": "an integer",
    "list": "a list",
    "model": "keys and values",
    "string": "a text",
    "tuple": "a list",
}
"""What a kind of value is called, by the first part of pydantic's names such as ``int_parsing``."""

_BOUNDS: Final = {
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "finite_number": "a finite number",
    "literal_error": "{expected}",
    "string_pattern_mismatch": "a text of the form {pattern}",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} characters",
    "too_long": "at most {max_length} items, not {actual_length}",
    "too_short": "at least {min_length} items, not {actual_length}",
}
_MOST_SHOWN: Final = 60  # characters of what was given


def fault_place(fault: Fault) -> str:
    """The faulty key with those above it: ``ppo.clip``; empty for the whole."""
    return ".".join(str(step) for step in fault["loc"])


def fault_reason(fault: Fault) -> str:
    """What was expected, without the place and what was given: ``expected at most 4``."""
    kind: str = fault["type"]
    if kind == "missing":
        return "missing, expected a value"
    if kind == "extra_forbidden":
        return "unknown key"
    if kind == "value_error":
        return str(fault["msg"]).removeprefix("Value error, ")
    if kind in _BOUNDS:
        context = {key: _whole(value) for key, value in fault.get("ctx", {}).items()}
        return "expected " + _BOUNDS[kind].format(**context)
    name = _EXPECTED.get(kind.partition("_")[0])
    return f"expected {name}" if name else str(fault["msg"])


def _whole(bound: Any) -> Any:
    """0 for 0.0: bounds are written as people do."""
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def fault_text(fault: Fault) -> str:
    """One fault with its place and what was given: ``ppo.clip -1: expected more than 0``.

    >>> fault_text(
    ...     {"type": "less_than_equal", "loc": ("num_players",), "input": 5, "ctx": {"le": 4}}
    ... )
    'num_players 5: expected at most 4'
    """
    place = fault_place(fault)
    if fault["type"] not in ("missing", "extra_forbidden", "value_error"):
        given = repr(fault["input"])
        given = given if len(given) <= _MOST_SHOWN else f"{given[:_MOST_SHOWN]}..."
        place = f"{place} {given}".strip()
    return f"{place}: {fault_reason(fault)}" if place else fault_reason(fault)


def unknown_key(place: str, known: Iterable[str]) -> str:
    """The text of a key that there is not, with the one that was perhaps meant.

    >>> unknown_key("game.players", ["num_players", "species"])
    'game.players: unknown key, did you mean num_players?'
    """
    names = list(known)
    close = difflib.get_close_matches(place.rpartition(".")[2], names, n=1)
    hint = f"did you mean {close[0]}?" if close else f"expected one of {', '.join(names)}"
    return f"{place}: unknown key, {hint}"
