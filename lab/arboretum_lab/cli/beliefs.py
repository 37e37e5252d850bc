"""``arboretum beliefs A B``: how well the cards that a seat does not see can be told."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from tyro.conf import Positional

from arboretum_agents.registry import AgentSpecError, make_agent
from arboretum_agents.search.fitted_beliefs import FITTED, FittedBeliefs
from arboretum_agents.search.steady import Network
from arboretum_env.agent import PolicyAgent
from arboretum_env.config import GameConfig
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.game_options import GameOptions
from arboretum_training.files import replace_file
from arboretum_training.research.belief import BeliefModel
from arboretum_training.research.belief_study import BASELINE, Study, study_beliefs
from arboretum_training.research.calibration_chart import calibration_picture
from arboretum_training.research.odds_belief import FactsModel, NetworkModel, UniformModel
from arboretum_training.research.particles import PARTICLES, SLIP, ParticleModel

_EXIT_INTERRUPTED = 130
_LEAST_DEALS = 2


@dataclass(frozen=True)
class Command:
    """Measures what may be believed of hidden cards: log loss, Brier score, calibration.

    Plays games, and at every turn of the first agent's seat asks several ways to believe where the
    unseen cards are: all alike; by public facts (a search's table); by a network's belief head; and
    by particles, deals weighed by how likely the rivals' moves were under a policy. docs/beliefs.md
    has the definitions. Ctrl-C prints what has been measured so far.
    """

    agents: Annotated[
        Positional[tuple[str, str]],
        tyro.conf.arg(metavar="A B", help_behavior_hint="(required)"),
    ]
    """Whose seat is looked at, and who sits in all the others."""

    players: int = 2
    """Seats at the table, 2 to 4."""

    deals: int = 20
    """Deals; each is played once with the first agent in every seat."""

    seed: int = 0
    """Of the deals, of the agents' and of the particles' randomness."""

    network: str | None = None
    """Whose belief head is measured; default: the network that ships for so many players. "none"
    for none."""

    policy: str = "planner:temperature=0.5"
    """How the particles think that rivals play; any agent with probabilities. "none": no
    particles."""

    particles: int = PARTICLES
    """How many deals the particles are."""

    slip: float = SLIP
    """How likely a rival takes any legal action instead, each alike."""

    svg: Path | None = None
    """Gets the calibration curves as a picture."""

    json: bool = False
    """Print JSON."""

    game: Annotated[GameOptions, tyro.conf.arg(name="")] = field(default_factory=GameOptions)
    """Which game."""


def run(command: Command) -> int:
    """Plays, measures and prints.

    Raises:
        UsageError: fewer than two deals.
        AgentSpecError: no such agent, one without a belief head or without probabilities.
        ConfigError: a setting of the particles out of range, or no such game.
    """
    if command.deals < _LEAST_DEALS:
        raise UsageError(f"--deals {command.deals}: expected at least 2, for intervals")
    config = command.game.config(command.players)
    models = _models(command, config)
    study, interrupted = _measured(command, config, models)
    if study is None:
        return _EXIT_INTERRUPTED
    found = {
        "agents": list(command.agents),
        "players": command.players,
        "seed": command.seed,
        "particles": command.particles,
        "policy": command.policy,
        **study.to_json(),
    }
    if command.svg is not None:
        curves = {name: each["calibration"] for name, each in found["beliefs"].items()}
        replace_file(command.svg, calibration_picture(curves).encode())
    if command.json:
        print(json.dumps(found, indent=2))
    else:
        _print(found)
    return _EXIT_INTERRUPTED if interrupted else 0


def _models(command: Command, config: GameConfig) -> dict[str, BeliefModel]:
    models: dict[str, BeliefModel] = {BASELINE: UniformModel()}
    if config.num_players in FITTED:
        models["facts"] = FactsModel(FittedBeliefs(FITTED[config.num_players]))
    spec = command.network or f"league-{config.num_players}p"
    if spec != "none":
        network = make_agent(spec, config)
        if not isinstance(network, Network):
            raise AgentSpecError(f"agent {spec!r}: expected a network, which has a belief head")
        models["network"] = NetworkModel(network)
    if command.policy != "none":
        policy = make_agent(command.policy, config)
        if not isinstance(policy, PolicyAgent):
            raise AgentSpecError(
                f"agent {command.policy!r}: expected one with probabilities, such as a planner"
            )
        models["particles"] = ParticleModel(
            policy, particles=command.particles, slip=command.slip, seed=command.seed
        )
    return models


def _measured(
    command: Command, config: GameConfig, models: dict[str, BeliefModel]
) -> tuple[Study | None, bool]:
    """(what has been measured, None if that is nothing; whether it was interrupted)."""
    study: Study | None = None
    console = Console(stderr=True)
    last = time.monotonic()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("games", total=None)
        try:
            for study in study_beliefs(
                command.agents,
                config,
                models,
                deals=command.deals,
                seed=command.seed,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            ):
                if not console.is_terminal and time.monotonic() > last + 60:
                    last = time.monotonic()
                    console.print(f"{study.games} games", markup=False, highlight=False)
        except KeyboardInterrupt:
            if study is None or len(set(study.deals)) < _LEAST_DEALS:
                return None, True
            return study, True
    return (study if study is not None and study.deals else None), False


def _print(found: dict[str, Any]) -> None:
    table = Table(
        title=f"{found['agents'][0]} about {found['agents'][1]}, {found['players']} players: "
        f"{found['deals']} deals, {found['games']} games, {found['positions']} positions"
    )
    for title in ("belief", "log loss, nats", "better than uniform by", "Brier", "better by"):
        table.add_column(title, justify="left" if title == "belief" else "right")
    for name, each in found["beliefs"].items():
        cells = []
        for key in ("log_loss", "brier"):
            score = each[key]
            cells.append(f"{score['mean']:.4f}")
            low, high = score["gain_interval"] or (float("nan"),) * 2
            cells.append(f"{score['gain']:+.4f} ({low:+.4f}..{high:+.4f})")
        table.add_row(name, *cells)
    console = Console(width=110)
    console.print(table, highlight=False)
    sizes = found["beliefs"].get("particles", {}).get("effective_sample_size")
    if sizes:
        console.print(
            f"particles: effective sample size {sizes['median']:.0f} of {found['particles']} "
            f"(median; 5 % of positions below {sizes['low_5']:.0f}); "
            f"{found['collapsed_positions']} positions left out, collapsed",
            highlight=False,
        )
