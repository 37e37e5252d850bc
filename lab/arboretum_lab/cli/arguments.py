"""Arguments of one command, read by tyro, with its boxed errors made into one line."""

import contextlib
import io
import re
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

import pydantic
import tyro

from arboretum_env.errors import ArboretumError
from arboretum_env.option_faults import fault_text


class UsageError(ArboretumError, ValueError):
    """Arguments that a command does not take."""


_ANSI_STYLE: Final = re.compile(r"\x1b\[[0-9;]*m")
_RULE: Final = re.compile(r"^(?:╭.*|╰.*|\s*[─-]{3,}\s*)$", re.MULTILINE)
_SUGGESTION: Final = re.compile(r"Perhaps you meant:\s*(--[\w.-]+)")
_OF: Final = r"Error parsing (\S+): "
_REWORDED: Final = (
    (rf"{_OF}invalid literal for int\(\) .*?: '(.*)'", r"\1 \2: expected an integer"),
    (rf"{_OF}could not convert string to float: '(.*)'", r"\1 \2: expected a number"),
    (rf"{_OF}no type .*INT .*\['(.*?)'\].*", r"\1 \2: expected an integer or None"),
    (rf"{_OF}no type .*FLOAT .*\['(.*?)'\].*", r"\1 \2: expected a number or None"),
    (r"invalid choice '(.*)' for argument '(\S+)'\. E(.*)", r"\2 \1: e\3"),
    (r"Missing value for argument '(\S+)'\. .*", r"\1: expected a value"),
    (r"Missing from arboretum \w+: ([A-Z]+) (.*?)\.? \(required\)", r"expected \1: \2"),
)
"""What tyro says, and how it is said here."""


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
        message = _own_words(end) or condense(printed.getvalue())
        raise UsageError(f"{message} (see arboretum {name} --help)") from end


def _own_words(end: SystemExit) -> str | None:
    """What our own classes said about the values of options, before tyro put it in a box."""
    section = ""
    error = end.__context__
    while error is not None:
        # tyro names the part of the command that it was making: experiment.ppo.
        part = getattr(error, "arg", None)
        if isinstance(part, str):
            section = part.partition(".")[2]
        if isinstance(error, ArboretumError):
            return str(error)
        if isinstance(error, pydantic.ValidationError):
            faults = error.errors(include_url=False)
            return "; ".join(
                fault_text({**fault, "loc": (*filter(None, [section]), *fault["loc"])})
                for fault in faults
            )
        error = error.__context__
    return None


def condense(box: str) -> str:
    r"""The message inside one of tyro's error boxes, on one line and in our words.

    Rules part title, message and hints. On terminals without UTF-8 the box has no frame, and a rule
    of hyphens below its title.

    >>> condense("╭─ Options ─╮\n│ Unrecognized: --jsn │\n│ ─── │\n│ For help │\n╰───╯\n")
    'Unrecognized: --jsn'
    >>> condense("\n Options \n ------ \n  Unrecognized: --jsn \n  ------ \n  For help \n")
    'Unrecognized: --jsn'
    >>> condense("Error parsing --players: invalid literal for int() with base 10: 'five'")
    '--players five: expected an integer'
    """
    plain = _ANSI_STYLE.sub("", box).replace("│", "")
    _title, text, *hints = _RULE.split(plain, maxsplit=2) if _RULE.search(plain) else ("", plain)
    message = " ".join(text.split()).rstrip(" .")
    for theirs, ours in _REWORDED:
        message = re.sub(f"^{theirs}$", ours, message)
    suggestion = _SUGGESTION.search(hints[0]) if hints else None
    return f"{message}, perhaps {suggestion[1]}?" if suggestion else message
