"""The networks that ship with the package: ``league-2p``, ``league-3p``, ``league-4p``.

Each version of one is a folder in ``arboretum_agents/weights``, in the format of a checkpoint, with
its model card beside it; a version that was published stays as it is. Play needs its weights; those
of the critic are for training that begins from it. ``python -m arboretum_training.publishing``
writes them. Nothing here needs torch until one is made.
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

LEVELS: Final[Mapping[str, tuple[float, ...]]] = MappingProxyType(
    dict.fromkeys(
        ("league-2p@1", "league-2p@2", "league-3p@1", "league-4p@1"), (10.0, 7.5, 5.5, 4.0, 1.0)
    )
)
"""By network: the temperatures of levels 1, 2, ..., about evenly spaced by rating."""


def league_2p_1(config: GameConfig, level: int = 5, mode: Mode = "sample") -> Agent:
    """The first network for two players.

    Args:
        config: the game.
        level: 1 (weakest) to 5 (full strength): the same weights at a lower temperature each.
        mode: whether it draws its moves or takes the likeliest, whatever the level.

    Raises:
        AgentSpecError: no such level, or a game of another number of players.
    """
    return _shipped("league-2p@1", 2, config, level, mode)


def league_2p_2(config: GameConfig, level: int = 5, mode: Mode = "sample") -> Agent:
    """The network for two players: the first one after four times as many decisions."""
    return _shipped("league-2p@2", 2, config, level, mode)


def league_3p_1(config: GameConfig, level: int = 5, mode: Mode = "sample") -> Agent:
    """The network for three players, see ``league_2p_1``."""
    return _shipped("league-3p@1", 3, config, level, mode)


def league_4p_1(config: GameConfig, level: int = 5, mode: Mode = "sample") -> Agent:
    """The network for four players, see ``league_2p_1``."""
    return _shipped("league-4p@1", 4, config, level, mode)


def shipped_folder(name: str) -> Path | None:
    """The checkpoint folder of a network that ships; None: none is called so.

    Args:
        name: with a version, ``league-2p@1``, or without, which means the newest.
    """
    versions = [network for network in LEVELS if name in (network, network.partition("@")[0])]
    return WEIGHTS_FOLDER / versions[-1] if versions else None


def _shipped(name: str, num_players: int, config: GameConfig, level: int, mode: Mode) -> Agent:
    temperatures = LEVELS[name]
    bare = name.partition("@")[0]
    if config.num_players != num_players:
        raise AgentSpecError(
            f"{bare} plays with {num_players} players, not with {config.num_players}: expected "
            f"league-{config.num_players}p"
        )
    if not 1 <= level <= len(temperatures):
        raise AgentSpecError(f"{bare}: level={level}: expected 1..{len(temperatures)}")
    from arboretum_agents.neural.policy import load_agent

    return load_agent(WEIGHTS_FOLDER / name, config, mode, temperatures[level - 1])
