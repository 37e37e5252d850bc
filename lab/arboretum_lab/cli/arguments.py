"""Arguments of one command, read by tyro, with its boxed errors made into one line."""

import contextlib
import io
import re
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

import tyro

from arboretum_env.errors import ArboretumError


class UsageError(ArboretumError, ValueError):
    """Arguments that a command does not take."""


_ANSI_STYLE: Final = re.compile(r"\x1b\[[0-9;]*m")
_RULE: Final = re.compile(r"^(?:╭.*|╰.*|\s*[─-]{3,}\s*)$", re.MULTILINE)
_SUGGESTION: Final = re.compile(r"Perhaps you meant:\s*(--[\w.-]+)")
_GIVEN: Final = re.compile(r"\[type=\w+, input_value=(.*?), input_type=\w+\]")
_NOISE: Final = re.compile(
    r"\d+ validation errors? for \w+ |Value error, | For further information visit \S+"
    r"| Got errors: .*"
)


def parse_command(module: ModuleType, name: str, arguments: Sequence[str]) -> Any:
    """What ``module.run`` takes, from the words after the command's name.

    Prints the help text on ``--help`` and then raises ``SystemExit(0)``, as tyro does.

    Raises:
        UsageError: the arguments do not fit; the message is one line.
    """
    if hasattr(module, "parse"):
        return _one_line_errors(lambda: module.parse(list(arguments)), name)
    return _one_line_errors(
        lambda: tyro.cli(
            module.Command,
            prog=f"arboretum {name}",
            args=list(arguments),
            # `--json` alone, not `--json | --no-json`; and BOARD rather than PATH in the usage.
            config=(tyro.conf.FlagCreatePairsOff, tyro.conf.PositionalMetavarFromFieldName),
        ),
        name,
    )


def _one_line_errors(parse: Callable[[], Any], name: str) -> Any:
    """Calls ``parse``; what tyro would print on the way to exit code 2 becomes a ``UsageError``."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stderr(printed):
            return parse()
    except SystemExit as end:
        if end.code in (None, 0):
            raise
        raise UsageError(f"{condense(printed.getvalue())} (see arboretum {name} --help)") from end


def condense(box: str) -> str:
    r"""The message inside one of tyro's error boxes, on one line.

    Rules part title, message and hints. On terminals without UTF-8 the box has no frame, and a rule
    of hyphens below its title. Of pydantic's messages the fault and the value stay.

    >>> condense("╭─ Options ─╮\n│ Unrecognized: --jsn │\n│ ─── │\n│ For help │\n╰───╯\n")
    'Unrecognized: --jsn'
    >>> condense("\n Options \n ------ \n  Unrecognized: --jsn \n  ------ \n  For help \n")
    'Unrecognized: --jsn'
    >>> condense("1 validation error for A clip Too low [type=low, input_value=0, input_type=int]")
    'clip Too low (given 0)'
    """
    plain = _ANSI_STYLE.sub("", box).replace("│", "")
    _title, text, *hints = _RULE.split(plain, maxsplit=2) if _RULE.search(plain) else ("", plain)
    message = _NOISE.sub("", _GIVEN.sub(r"(given \1)", " ".join(text.split()))).rstrip(" .")
    suggestion = _SUGGESTION.search(hints[0]) if hints else None
    return f"{message}, perhaps {suggestion[1]}?" if suggestion else message
