"""The game of Arboretum: rules, engine, observation, views, records and drawing.

The names below are imported when they are first used, so that ``import arboretum_env`` compiles
nothing; it makes the environment known to ``pettingzoo.make``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from arboretum_env.registration import ENV_ID, register_envs

if TYPE_CHECKING:
    from arboretum_env.agent import Agent
    from arboretum_env.config import GameConfig
    from arboretum_env.errors import ArboretumError
    from arboretum_env.pettingzoo_env import env, raw_env
    from arboretum_env.view import PlayerView, PlayerViews

__all__ = [
    "ENV_ID",
    "Agent",
    "ArboretumError",
    "GameConfig",
    "PlayerView",
    "PlayerViews",
    "env",
    "raw_env",
]

_HOMES: Final = {
    "Agent": "arboretum_env.agent",
    "ArboretumError": "arboretum_env.errors",
    "GameConfig": "arboretum_env.config",
    "PlayerView": "arboretum_env.view",
    "PlayerViews": "arboretum_env.view",
    "env": "arboretum_env.pettingzoo_env",
    "raw_env": "arboretum_env.pettingzoo_env",
}

register_envs()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
