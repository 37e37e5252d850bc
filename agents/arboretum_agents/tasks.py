"""Named tasks: games to learn that never change, so that results under one name compare.

``docs/tasks.md`` shows the table. Everything in a ``Task`` is fixed; a test holds each against a
digest and against games that were played when it was published. Whatever has to change becomes a
new task with the next version.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from gymnasium.vector import AutoresetMode

from arboretum_agents.gymnasium_env import ArboretumEnv
from arboretum_agents.gymnasium_vector import ArboretumVectorEnv
from arboretum_agents.learner_batch import SeatRule
from arboretum_agents.learner_games import IllegalRule
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_env.layout_hash import layout_hash
from arboretum_env.pettingzoo_env import MaskPlace, RenderMode
from arboretum_env.rewards import RewardKind
from arboretum_env.version import RULES_VERSION

_REFERENCE_DEALS: Final = 2000


@dataclass(frozen=True)
class Reference:
    """How an agent does in the learner's place, over duplicate deals and all seats.

    Attributes:
        agent: its spec.
        win_rate: wins per game, a win shared by k seats counting 1/k.
        low, high: the 95 % interval, with the deal as its unit.
        deals: how many deals, each played from every seat.
    """

    agent: str
    win_rate: float
    low: float
    high: float
    deals: int = _REFERENCE_DEALS


@dataclass(frozen=True)
class Task:
    """A game to learn, against whom, for what, and how much of it.

    Attributes:
        task_id: the name in ``gymnasium.make``.
        config: the game.
        layout_hash: ``arboretum_env.layout_hash`` of the game: what observations and actions mean.
        rules_version: ``arboretum_env.version.RULES_VERSION`` that it was published with.
        opponent: spec of every other seat, with its version.
        seat: the learner's seat.
        reward: ``arboretum_env.rewards``.
        illegal_action: what an illegal action does.
        budget: the learner's decisions in training.
        references: what to compare with.
    """

    task_id: str
    config: GameConfig
    layout_hash: str
    rules_version: int
    opponent: str
    seat: SeatRule
    reward: RewardKind
    illegal_action: IllegalRule
    budget: int
    references: tuple[Reference, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of everything that defines the task; the references only describe it."""
        parts = {
            "task_id": self.task_id,
            "config": self.config.model_dump(),
            "layout_hash": self.layout_hash,
            "rules_version": self.rules_version,
            "opponent": self.opponent,
            "seat": self.seat,
            "reward": self.reward,
            "illegal_action": self.illegal_action,
            "budget": self.budget,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def command(self, agent: str, deals: int = _REFERENCE_DEALS) -> str:
        """The command that measures an agent (a spec, or the folder of a run) at this task."""
        game = [f"--players {self.config.num_players}"]
        default = GameConfig(num_players=self.config.num_players)
        if self.config != default:
            game += [
                f"--species {self.config.species}",
                f"--ranks {self.config.num_ranks}",
                f"--hand-size {self.config.hand_size}",
            ]
        return (
            f"arboretum evaluate {agent} {self.opponent} {' '.join(game)} --deals {deals} --seed 7"
        )


def _task(task_id: str, config: GameConfig, layout: str, **others: Any) -> Task:
    """A task with what all of today's have in common."""
    return Task(
        task_id=task_id,
        config=config,
        layout_hash=layout,
        rules_version=1,
        opponent="greedy@1",
        seat="rotate",
        reward="win",
        illegal_action="lose",
        **others,
    )


_ALL: Final = (
    _task(
        "Arboretum-Mini-v0",
        GameConfig(num_players=2, species="CDJV", num_ranks=5, hand_size=3),
        "f360c2623c0a1717ab6122cdf1dd083d6022e82a86a09ae2c5339961838fb943",
        budget=1_000_000,
        references=(
            Reference("random", 0.145, 0.135, 0.157),
            Reference("greedy@1", 0.5, 0.478, 0.522),
        ),
    ),
    _task(
        "Arboretum-2p-v0",
        GameConfig(num_players=2),
        "ce21f4ccfe88a06887059ac4ddb7658981765bb404b215df3236056662f13667",
        budget=10_000_000,
        references=(
            Reference("random", 0.010, 0.008, 0.014),
            Reference("greedy@1", 0.5, 0.478, 0.522),
        ),
    ),
    _task(
        "Arboretum-3p-v0",
        GameConfig(num_players=3),
        "6e543607d0dcf903f9cb775fb3b6e15c10089f560a81aa06adaaba9324d7969f",
        budget=10_000_000,
        references=(
            Reference("random", 0.010, 0.008, 0.013),
            Reference("greedy@1", 0.333, 0.313, 0.354),
        ),
    ),
    _task(
        "Arboretum-4p-v0",
        GameConfig(num_players=4),
        "94185ed127ddb33f8e34f64ea00e8d1867f31398372feb353a0e7fd050a20de0",
        budget=10_000_000,
        references=(
            Reference("random", 0.011, 0.009, 0.014),
            Reference("greedy@1", 0.25, 0.232, 0.269),
        ),
    ),
)

TASKS: Final[Mapping[str, Task]] = MappingProxyType({task.task_id: task for task in _ALL})
"""Every named task by its id."""


def find_task(task: str) -> Task:
    """The task of an id.

    Raises:
        ConfigError: there is none, or it was published for other rules or layouts than these.
    """
    if task not in TASKS:
        raise ConfigError(f"task {task!r}: expected one of {', '.join(TASKS)}")
    found = TASKS[task]
    current = RULES_VERSION, layout_hash(found.config)
    if (found.rules_version, found.layout_hash) != current:
        raise ConfigError(
            f"task {task} was published for rules {found.rules_version} and layout "
            f"{found.layout_hash[:12]}: these are {current[0]} and {current[1][:12]}"
        )
    return found


def make_task(
    task: str, render_mode: RenderMode | None = None, mask_in: MaskPlace = "observation"
) -> ArboretumEnv:
    """The environment of a task; only what does not change the task can be chosen.

    Args:
        task: its id.
        render_mode: see ``ArboretumEnv``.
        mask_in: see ``ArboretumEnv``.
    """
    return ArboretumEnv(**_defined_by(find_task(task)), render_mode=render_mode, mask_in=mask_in)


def make_task_vector(
    task: str,
    num_envs: int = 1,
    render_mode: RenderMode | None = None,
    mask_in: MaskPlace = "observation",
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
) -> ArboretumVectorEnv:
    """Many games of a task.

    Args:
        task: its id.
        num_envs: see ``ArboretumVectorEnv``.
        render_mode: see ``ArboretumVectorEnv``.
        mask_in: see ``ArboretumVectorEnv``.
        autoreset_mode: see ``ArboretumVectorEnv``.
    """
    return ArboretumVectorEnv(
        num_envs=num_envs,
        **_defined_by(find_task(task)),
        render_mode=render_mode,
        mask_in=mask_in,
        autoreset_mode=autoreset_mode,
    )


def _defined_by(task: Task) -> dict[str, Any]:
    return {
        "config": task.config,
        "opponents": task.opponent,
        "seat": task.seat,
        "reward": task.reward,
        "illegal_action": task.illegal_action,
    }
