"""What a studio is started with, and how much it gives to whom."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

DEFAULT_PORT: Final = 8000
DEFAULT_AGENT: Final = "planner"


def default_data_folder() -> Path:
    """Where games are kept unless another folder is named (XDG base directories)."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "arboretum-lab" / "studio"


@dataclass(frozen=True)
class Limits:
    """How much the studio takes on; beyond it a request is refused with a reason.

    Attributes:
        body_bytes: of one request.
        games: kept on disk, all together.
        games_a_session: kept for one browser.
        open_games: games in memory; others wait on disk until somebody asks for them.
        bot_seconds: that an agent may think about one decision.
        first_seconds: likewise, about the first since the start, which may have to compile it.
        stray_bots: agents that ran over and still have not come back.
        thinking: agents that think at once.
        hints: at once, of all browsers.
        analysing: analyses at work at once; others wait.
        analyses: at work or waiting.
        analyses_a_session: likewise, of one browser.
        kept_analyses: that can still be looked at.
        analysis_seconds: that one may take.
        tries: mistakes that are tried again at once, of all browsers; each has ``bot_seconds``.
        waiting: requests that wait for a change at once.
        wait_seconds: that a request waits for a change at most.
        burst: requests that one browser may send at once.
        requests_a_second: that it may go on with.
    """

    body_bytes: int = 256 * 1024
    games: int = 5_000
    games_a_session: int = 200
    open_games: int = 256
    bot_seconds: float = 30.0
    first_seconds: float = 300.0
    stray_bots: int = 8
    thinking: int = field(default_factory=lambda: os.cpu_count() or 1)
    hints: int = 4
    analysing: int = 2
    analyses: int = 32
    analyses_a_session: int = 2
    kept_analyses: int = 64
    analysis_seconds: float = 300.0
    tries: int = 4
    waiting: int = 512
    wait_seconds: float = 25.0
    burst: int = 200
    requests_a_second: float = 50.0


@dataclass(frozen=True)
class Settings:
    """One studio.

    Attributes:
        data: the folder in which everything is kept.
        lan: whether other devices of the network may take part.
        network: the page's address for other devices, with ``lan``.
        agents: specs that may be played besides those of the list, such as checkpoint folders.
        limits: how much it takes on.
    """

    data: Path = field(default_factory=default_data_folder)
    lan: bool = False
    network: str = ""
    agents: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
