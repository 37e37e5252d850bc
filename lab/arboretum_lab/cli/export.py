"""``arboretum export AGENT --out FILE.onnx``: a network as one file that plays without torch."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro
from tyro.conf import Positional

from arboretum_agents.registry import make_agent
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.game_options import GameOptions


@dataclass(frozen=True)
class Command:
    """Writes a network as one ONNX file, which takes raw observations and gives probabilities.

    The file is an agent itself: `arboretum evaluate policy.onnx greedy` needs the extra "onnx" and
    no torch. Writing it needs the extra "export", and about half a minute.
    """

    agent: Annotated[Positional[str], tyro.conf.arg(metavar="AGENT")]
    """A run or checkpoint folder, or any other agent that is a network."""

    out: Path
    """The file to write, FILE.onnx; an older one is replaced."""

    players: int = 2
    """Seats at the table, 2 to 4; the network must have been made for as many."""

    game: Annotated[GameOptions, tyro.conf.arg(name="")] = field(default_factory=GameOptions)
    """Which game; its rule switches do not matter, the file reads them from observations."""

    json: bool = False
    """Print what was written as JSON."""


def run(command: Command) -> int:
    """Writes the file.

    Raises:
        UsageError: an agent that is no network, or a file of another kind.
    """
    # Lazily: the command's help needs no torch.
    from arboretum_agents.neural.policy import NeuralAgent
    from arboretum_training.export import export_policy

    if command.out.suffix != ".onnx":
        raise UsageError(f"--out {command.out}: expected a name that ends with .onnx")
    agent = make_agent(command.agent, command.game.config(command.players))
    if not isinstance(agent, NeuralAgent):
        raise UsageError(f"agent {command.agent!r}: expected a network, e.g. a run folder")
    written = export_policy(agent, command.out)
    if command.json:
        about = {
            "file": str(written.path),
            "bytes": written.bytes,
            "sha256": written.sha256,
            "nodes": written.nodes,
            "policy": json.loads(written.facts.to_json()),
        }
        print(json.dumps(about, indent=2, allow_nan=False))
    else:
        print(
            f"{written.path}: {written.bytes:,} bytes, {written.nodes} operations, SHA-256 "
            f"{written.sha256}; the weights' is {written.facts.weights}"
        )
    return 0
