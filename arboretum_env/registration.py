"""Makes the environments known to ``pettingzoo.make`` and ``gymnasium.make``.

Neither library finds plug-ins by itself, so ``import arboretum_env`` calls ``register_envs``. Only
names are known here: what they mean is imported by the first ``make``, and the gymnasium
environments live above this package, in ``arboretum_agents``.
"""

from typing import Final

import gymnasium
import pettingzoo

ENV_ID: Final = "arboretum/arboretum-v0"
"""The AEC environment in PettingZoo. The version goes up with any change of behaviour."""

GYMNASIUM_ID: Final = "Arboretum-v0"
"""One learner against agents, in gymnasium. The version goes up with any change of behaviour."""

TASK_IDS: Final = (
    "Arboretum-Mini-v0",
    "Arboretum-2p-v0",
    "Arboretum-3p-v0",
    "Arboretum-4p-v0",
)
"""The named tasks, see ``arboretum_agents.tasks``."""


def register_envs() -> None:
    """Registers all environments; a second call does nothing."""
    if ENV_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", ENV_ID, "arboretum_env.pettingzoo_env:env")
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="arboretum_agents.gymnasium_env:ArboretumEnv",
            vector_entry_point="arboretum_agents.gymnasium_vector:ArboretumVectorEnv",
        )
    for task_id in TASK_IDS:
        if task_id not in gymnasium.registry:
            gymnasium.register(
                task_id,
                entry_point="arboretum_agents.tasks:make_task",
                vector_entry_point="arboretum_agents.tasks:make_task_vector",
                kwargs={"task": task_id},
            )
