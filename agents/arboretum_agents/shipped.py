"""The networks that ship with the package: ``league-2p``, ``league-3p``, ``league-4p``.

Each is a folder in ``arboretum_agents/weights``, in the format of a checkpoint, with its model card
beside it. Play needs its weights; those of the critic are for training that begins from it.
``python -m arboretum_training.publishing`` writes them. Nothing here needs torch until one is made.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import arboretum_agents
from arboretum_agents.registry import AgentSpecError, Mode
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig

WEIGHTS_FOLDER: Final = Path(arboretum_agents.__file__).parent / "weights"

LEVELS: Final[Mapping[int, tuple[float, ...]]] = MappingProxyType(
    dict.fromkeys((2, 3, 4), (10.0, 7.5, 5.5, 4.0, 1.0))
)
"""By number of players: the temperatures of levels 1, 2, ..., about evenly spaced by rating."""


def league_2p(config: GameConfig, level: int = 5, mode: Mode = "sample") -> Agent:
    """The network for two players.

    Args:
        config: the game.
        level: 1 (weakest) to 5 (full strength): the same weights at a lower temperature each.
        mode: whether it draws its moves or takes the likeliest, whatever the level.

    Raises:
        AgentSpecError: no such level, or a game of another number of players.
    """
    return _shipped("league-2p", 2, config, level, mode)


def league_3p(config: GameConfig, level: int = 5, mode: Mode = "sample") -> Agent:
    """The network for three players, see ``league_2p``."""
    return _shipped("league-3p", 3, config, level, mode)


def league_4p(config: GameConfig, level: int = 5, mode: Mode = "sample") -> Agent:
    """The network for four players, see ``league_2p``."""
    return _shipped("league-4p", 4, config, level, mode)


def shipped_folder(name: str) -> Path | None:
    """The checkpoint folder of a network that ships; None: none is called so."""
    folder = WEIGHTS_FOLDER / name
    return folder if folder.parent == WEIGHTS_FOLDER and folder.is_dir() else None


def _shipped(name: str, num_players: int, config: GameConfig, level: int, mode: Mode) -> Agent:
    temperatures = LEVELS[num_players]
    if config.num_players != num_players:
        raise AgentSpecError(
            f"{name} plays with {num_players} players, not with {config.num_players}: expected "
            f"league-{config.num_players}p"
        )
    if not 1 <= level <= len(temperatures):
        raise AgentSpecError(f"{name}: level={level}: expected 1..{len(temperatures)}")
    from arboretum_agents.neural.policy import load_agent

    return load_agent(WEIGHTS_FOLDER / name, config, mode, temperatures[level - 1])
