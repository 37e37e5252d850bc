"""The console script ``arboretum``: finds the command, runs it, turns faults into exit codes.

Exit codes: 0 success, 2 bad input (one line on stderr, no traceback), 130 interrupted, 141 when the
reader of our output went away. Anything else is a fault of ours and keeps its traceback. A warning
is one line on stderr too.
"""

import importlib.metadata
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Final

from arboretum_lab.cli.commands import COMMANDS, closest_name, find_command
from arboretum_lab.cli.problems import explain

EXIT_OK: Final = 0
EXIT_BAD_INPUT: Final = 2
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as a shell reports it
EXIT_BROKEN_PIPE: Final = 141  # 128 + SIGPIPE


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line.

    Args:
        arguments: the words after ``arboretum``; those of the process by default.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            code = _dispatch(words)
        # A reader that went away is noticed at the latest here, not in the interpreter's exit.
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("arboretum: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # What is still buffered goes nowhere, so that the interpreter's exit does not fail on it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except Exception as error:
        line = explain(error)
        if line is None:
            raise
        print(f"arboretum: error: {line}", file=sys.stderr)
        return EXIT_BAD_INPUT
    return code


def _show_warning(message: Warning | str, *where: Any, **more: Any) -> None:
    print(f"arboretum: warning: {' '.join(str(message).split())}", file=sys.stderr)


def _dispatch(words: list[str]) -> int:
    """Runs the command that ``words`` name."""
    # Not above: a worker process imports this module too, and has no arguments to read.
    from arboretum_lab.cli.arguments import UsageError, parse_command

    if not words or words[0] in ("-h", "--help"):
        print(help_text())
        return EXIT_OK
    name, *rest = words
    if name == "--version":
        print(f"arboretum-lab {importlib.metadata.version('arboretum-lab')}")
        return EXIT_OK
    entry = find_command(name)
    if entry is None:
        close = closest_name(name)
        hint = f"did you mean {close!r}?" if close else "arboretum --help lists the commands"
        raise UsageError(f"unknown command {name!r}: {hint}")
    module = entry.load()
    try:
        command = parse_command(module, name, rest)
    except SystemExit:  # the help text was asked for and printed
        return EXIT_OK
    return int(module.run(command))


def help_text() -> str:
    """What ``arboretum --help`` prints: every command with one line."""
    width = max(len(entry.name) for entry in COMMANDS)
    lines = [f"  {entry.name:{width}}  {entry.summary}" for entry in COMMANDS]
    return "\n".join(
        [
            "usage: arboretum COMMAND [OPTIONS]",
            "",
            "The card game Arboretum as a laboratory for learning agents.",
            "",
            "commands:",
            *lines,
            "",
            "options:",
            "  -h, --help  show this help",
            "  --version   show the version",
            "",
            "arboretum COMMAND --help explains one command.",
        ]
    )
