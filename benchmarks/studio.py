"""How the studio holds out with many games at once: answer times at a real server, and errors.

Starts ``arboretum serve`` on a free port and plays games side by side against agents, every person
thinking for a while before each decision, as people do. Answers that wait for an agent (the long
poll) are counted apart. The page's own file, which costs the server next to nothing, is asked for
just as often: what its answers take is this machine and the way to it, and the ratio is ours::

    python -m benchmarks.studio
    python -m benchmarks.studio --games 50 --seconds 120 --think 1.0
"""

import asyncio
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx2
import numpy as np
import tyro

from benchmarks.machine import described

_TIMEOUT_SECONDS: Final = 60.0
_TABLES: Final[tuple[tuple[str, ...], ...]] = (
    ("human", "planner"),
    ("greedy", "human"),
    ("human", "levels:3", "planner"),
    ("random", "human", "greedy", "planner"),
)
_WAITS: Final = "wait for agents"
_FILE: Final = "page file"


@dataclass(frozen=True)
class Command:
    """Measures the studio.

    Attributes:
        games: at once; each is begun anew when it ends.
        seconds: how long.
        think: seconds before a decision, on average (exponential).
        seed: of people's moves and of the deals.
    """

    games: int = 50
    seconds: float = 120.0
    think: float = 1.0
    seed: int = 1


@dataclass
class Tally:
    """What all people saw.

    Attributes:
        times: by kind of request, seconds until the whole answer was there.
        errors: what went wrong, how often.
        finished: games that came to their end.
    """

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    finished: int = 0


class Person:
    """One browser, which plays one game after the other."""

    def __init__(self, client: httpx2.AsyncClient, tally: Tally, think: float, seed: int) -> None:
        self._client, self._tally, self._think = client, tally, think
        self._random = random.Random(seed)
        self._token = ""

    async def play(self, end: float) -> None:
        """Plays until the clock says ``end``."""
        await asyncio.sleep(self._random.uniform(0.0, self._think))
        self._token = (await self._ask("session", "POST", "/api/session"))["token"]
        number = 0
        while time.perf_counter() < end:
            seats = _TABLES[self._random.randrange(len(_TABLES))]
            body = {
                "players": len(seats),
                "seats": list(seats),
                "starting_discards": bool(number % 2),
                "seed": self._random.randrange(2**31),
            }
            number += 1
            state = await self._ask("new game", "POST", "/api/games", body)
            if not await self._play_one(state, end):
                return

    async def _play_one(self, state: dict[str, Any], end: float) -> bool:
        where = f"/api/games/{state['id']}"
        while not state["over"]:
            if time.perf_counter() >= end:
                return False
            if state["thinking"]:
                after = f"{where}/events?after={state['state_id']}&seat={state['seat']}"
                state = await self._ask(_WAITS, "GET", after)
                continue
            if state["fault"] is not None:
                self._tally.errors[state["fault"]["message"]] += 1
                return False
            await asyncio.sleep(self._random.expovariate(1.0 / self._think))
            choice = self._random.choice(state["legal"])
            body = {
                "state_id": state["state_id"],
                "seat": state["seat"],
                "action": choice["action"],
            }
            state = await self._ask("move", "POST", f"{where}/moves", body)
            if self._random.random() < 0.1:  # a reload
                state = await self._ask("state", "GET", where)
                await self._ask("list of games", "GET", "/api/games")
            await self._ask(_FILE, "GET", "/icon.svg")
        self._tally.finished += 1
        return True

    async def _ask(self, kind: str, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        begun = time.perf_counter()
        answer = await self._client.request(method, path, json=body, headers=headers)
        self._tally.times[kind].append(time.perf_counter() - begun)
        if answer.status_code != 200:
            self._tally.errors[f"{method} {kind}: {answer.status_code}"] += 1
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json() if path.startswith("/api/") else None


async def measure(command: Command, address: str) -> Tally:
    """Plays all games against the server at an address."""
    tally = Tally()
    end = time.perf_counter() + command.seconds
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(
        base_url=address, timeout=_TIMEOUT_SECONDS, limits=limits
    ) as client:
        people = [
            Person(client, tally, command.think, command.seed * 1_000 + number).play(end)
            for number in range(command.games)
        ]
        for outcome in await asyncio.gather(*people, return_exceptions=True):
            if isinstance(outcome, BaseException):
                tally.errors[f"a person left: {type(outcome).__name__}: {outcome}"[:200]] += 1
    return tally


def processor_seconds(process: int) -> float:
    """What a process has used so far, as Linux counts it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(tally: Tally) -> None:
    """Prints a table in milliseconds."""
    print(f"{'request':<18}{'number':>8}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'max ms':>9}")
    ours = [t for kind, times in tally.times.items() if kind not in (_WAITS, _FILE) for t in times]
    rows = {**dict(sorted(tally.times.items())), "all but waits": ours}
    for kind, times in rows.items():
        cells = [*np.percentile(times, (50, 95, 99)), max(times)]
        print(f"{kind:<18}{len(times):>8}" + "".join(f"{1000 * cell:>9.1f}" for cell in cells))
    ratio = np.percentile(ours, 95) / np.percentile(tally.times[_FILE], 95)
    print(f"p95 of all but waits, page files left out, to that of a page file: {ratio:.1f}")
    print(f"games finished: {tally.finished}; errors: {sum(tally.errors.values())}")
    for error, count in tally.errors.most_common(10):
        print(f"  {count} x {error}")


def main(command: Command) -> int:
    """Runs the measurement; 1 if anything went wrong."""
    print(described(["fastapi", "uvicorn", "arboretum-lab"]))
    print(f"{command.games} games for {command.seconds:g} s, {command.think:g} s of thought a move")
    folder = tempfile.mkdtemp(prefix="arboretum-studio-")
    serve = [sys.executable, "-m", "arboretum_lab", "serve", "--port", "0", "--data", folder]
    server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http://[^/]+", server.stdout.readline())
        assert found is not None, "the server did not start"
        started = processor_seconds(server.pid)
        tally = asyncio.run(measure(command, found[0]))
        used = processor_seconds(server.pid)
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)
    report(tally)
    spent = 1000 * (used - started) / max(len(tally.times["move"]), 1)
    print(f"processor time of the server, agents included: {spent:.1f} ms a move")
    return 1 if tally.errors else 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Command, description=__doc__)))
