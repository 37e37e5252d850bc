"""Makes the environment known to ``pettingzoo.make``."""

from typing import Final

import pettingzoo

ENV_ID: Final = "arboretum/arboretum-v0"
"""The version goes up with any change of behaviour."""


def register_envs() -> None:
    """Registers ``ENV_ID`` with PettingZoo; a second call does nothing.

    PettingZoo finds no plug-ins by itself, so ``import arboretum_env`` calls this. The engine is
    imported by the first ``make``.
    """
    if ENV_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", ENV_ID, "arboretum_env.pettingzoo_env:env")
