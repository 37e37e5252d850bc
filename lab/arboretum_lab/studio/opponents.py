"""Which agents a browser may name: those of the list, and none that reach for files or programs.

``process`` would run a command and a path would open a folder, for whoever reaches the page. So a
browser names agents of the registry with numbers as options, within limits; what else is to be
played, such as a checkpoint folder, is named when the studio is started.
"""

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from arboretum_agents import levels, shipped
from arboretum_agents.registry import (
    AgentEntry,
    AgentSpec,
    AgentSpecError,
    describe_options,
    find_entry,
    is_path,
    list_agents,
    parse_spec,
)
from arboretum_lab.studio.settings import DEFAULT_AGENT, Settings

_MOST: Final[Mapping[str, float]] = {
    "simulations": 2_048,
    "seconds": 10.0,
    "depth": 3,
    "endgame": 8_192,
    "threads": 1,
}
"""Options that cost time or memory, and how much of it a browser may ask for."""

_LISTED_SEARCH: Final = "search:simulations=64"


@dataclass(frozen=True)
class Opponent:
    """An agent of the list.

    Attributes:
        spec: what a game names it by.
        name: what people read.
        summary: one line on what it does.
        players: the numbers of players that it plays with.
        strength: 1 (weakest) upwards, for those that are ordered by strength; else None.
    """

    spec: str
    name: str
    summary: str
    players: tuple[int, ...]
    strength: int | None = None


def opponents(settings: Settings) -> list[Opponent]:
    """The agents that a page offers, weakest levels first."""
    found = [
        Opponent(f"levels:{level}", f"Level {level}", _level_summary(level), (2, 3, 4), level)
        for level in range(1, len(levels.LEVELS[2]) + 1)
    ]
    for entry in list_agents():
        if entry.outside or entry.name == "levels" or _needs_missing_torch(entry):
            continue
        if entry != find_entry(AgentSpec(entry.name, None, {})):
            continue  # an older version; whoever wants it names it at the start
        if entry.name.startswith("league-"):
            most = len(shipped.LEVELS[f"{entry.name}@{entry.version}"])
            found += [
                Opponent(
                    f"{entry.name}:{level}",
                    f"Network, level {level}",
                    f"a network that learned {entry.players[0]}-player games by self-play",
                    entry.players,
                )
                for level in range(1, most + 1)
            ]
        else:
            spec = _LISTED_SEARCH if entry.name == "search" else entry.name
            name = entry.name.capitalize()
            found.append(Opponent(spec, name, entry.summary, entry.players))
    found += [
        Opponent(
            spec, spec.rstrip("/").rpartition("/")[2], f"named at the start: {spec}", (2, 3, 4)
        )
        for spec in settings.agents
    ]
    return found


def opponents_json(settings: Settings) -> dict[str, Any]:
    """The list for the page, and whether guests can join from other devices."""
    return {
        "agents": [asdict(opponent) for opponent in opponents(settings)],
        "default": DEFAULT_AGENT,
        "lan": settings.lan,
    }


def check_named_at_start(specs: Sequence[str]) -> None:
    """Refuses what is named when the studio is started and is no agent at all.

    Raises:
        AgentSpecError: the message says which and why.
    """
    for spec in specs:
        if not is_path(spec):
            find_entry(parse_spec(spec))


def check_spec(spec: str, settings: Settings) -> None:
    """Refuses a spec that a browser may not name.

    Raises:
        AgentSpecError: the message says why.
    """
    if spec in settings.agents:
        return
    if "/" in spec or "\\" in spec or spec.endswith(".onnx"):
        raise AgentSpecError(
            f"agent {spec!r}: files are named when the studio is started: --agent {spec}"
        )
    parsed = parse_spec(spec)
    entry = find_entry(parsed)
    if entry.outside:
        raise AgentSpecError(f"agent {parsed.name!r} does not play here")
    kinds = describe_options(entry)
    for written, text in parsed.options.items():
        key = written or next(iter(kinds), "")
        if kinds.get(key) == "str" and key != "mode":
            raise AgentSpecError(f"agent {spec!r}: {key} is chosen when the studio is started")
        most = _MOST.get(key)
        if most is not None and not _within(text, most):
            raise AgentSpecError(f"agent {spec!r}: {key}: expected at most {most:g}, more than 0")


def _within(text: str, most: float) -> bool:
    try:
        return 0 < float(text) <= most
    except ValueError:
        return True  # no number: making the agent says so


def _needs_missing_torch(entry: AgentEntry) -> bool:
    return entry.name.startswith("league-") and importlib.util.find_spec("torch") is None


def _level_summary(level: int) -> str:
    most = len(levels.LEVELS[2])
    ends = {1: "the easiest", most: "the strongest; it searches"}
    return ends.get(level, f"level {level} of {most}, from easy to hard")
