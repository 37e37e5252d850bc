"""``arboretum bench``: the engine's speed on this machine."""

import dataclasses
import json
from dataclasses import dataclass
from typing import Annotated, Final

import tyro
from rich.console import Console
from rich.table import Table

from arboretum_env.config import GameConfig
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.speed import Speed, measure

MAX_BATCH: Final = 1_000_000
MIN_SECONDS: Final = 0.1  # a shorter measurement says nothing
MAX_SECONDS: Final = 3600


@dataclass(frozen=True)
class Command:
    """Measures the engine on one core, against the memory traffic that no engine can avoid."""

    players: int = 2
    """Seats at the table, 2 to 4."""

    batch: Annotated[int, tyro.conf.arg(aliases=["-B"])] = 1024
    """Games side by side."""

    seconds: float = 2.0
    """How long each of the four measurements goes on, at least."""

    json: bool = False
    """Print the result as JSON."""


def run(command: Command) -> int:
    """Measures and prints."""
    if not 1 <= command.batch <= MAX_BATCH or not MIN_SECONDS <= command.seconds <= MAX_SECONDS:
        raise UsageError(
            f"batch {command.batch}, seconds {command.seconds:g}: expected 1..{MAX_BATCH:,} games "
            f"and {MIN_SECONDS:g}..{MAX_SECONDS:,} seconds; figures of a shorter time say nothing"
        )
    speed = measure(GameConfig(num_players=command.players), command.batch, command.seconds)
    if command.json:
        print(json.dumps(dataclasses.asdict(speed) | _ratios(speed), indent=2))
    else:
        Console().print(_table(speed))
    return 0


def _ratios(speed: Speed) -> dict[str, float]:
    return {
        "step_mask_to_floor": speed.step_mask_per_s / speed.floor_per_s,
        "step_mask_observation_to_floor": speed.step_mask_observation_per_s / speed.floor_per_s,
    }


def _table(speed: Speed) -> Table:
    table = Table(
        title=f"{speed.players} players, {speed.batch} games side by side, one core",
        caption=f"a game takes {speed.state_bytes} bytes, an observation {speed.observation_bytes}",
    )
    table.add_column("what")
    table.add_column("decisions/s", justify="right")
    table.add_column("of the floor", justify="right")
    rows = (
        ("step + mask", speed.step_mask_per_s),
        ("step + mask + observation", speed.step_mask_observation_per_s),
        ("floor: clear 460 bytes, copy 800", speed.floor_per_s),
        ("PettingZoo env(), one game", speed.aec_env_per_s),
    )
    for name, rate in rows:
        table.add_row(name, f"{rate:,.0f}", f"{rate / speed.floor_per_s:.4f}")
    return table
