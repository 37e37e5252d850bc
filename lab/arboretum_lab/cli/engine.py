"""``arboretum engine``: moves for views, and games, over JSON lines, for programs of others."""

import os
import sys
from dataclasses import dataclass, field

from arboretum_env.errors import ConfigError
from arboretum_lab.engine.service import Service


@dataclass(frozen=True)
class Command:
    """Answers requests on standard input, one JSON object a line (docs/protocol.md).

    A client sends a seat's view and gets an agent's move; it may let the engine referee games, too.
    Standard output carries nothing but answers.
    """

    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Moves that are thought about at once."""


def run(command: Command) -> int:
    """Serves until standard input ends.

    Raises:
        ConfigError: no threads.
    """
    if not 1 <= command.threads <= 256:
        raise ConfigError(f"{command.threads} threads: expected 1..256")
    sys.stdout.flush()
    answers = os.dup(1)
    os.dup2(2, 1)  # whatever an agent or a library prints goes to stderr
    with os.fdopen(answers, "wb") as sink:
        Service(sys.stdin.buffer, sink, command.threads).run()
    return 0
