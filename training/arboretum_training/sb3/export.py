"""A policy of sb3-contrib as an agent of the lab: safetensors and JSON, no pickle."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arboretum_training.library_run import save_policy
from arboretum_training.sb3.policy import ArboretumPolicy


def export_policy(
    policy: ArboretumPolicy,
    folder: Path,
    step: int,
    *,
    config: Mapping[str, Any] | None = None,
    counters: Mapping[str, int | float] | None = None,
    keep: int = 1,
) -> Path:
    """Writes a checkpoint; ``folder`` is then the spec of an agent, with or without the library.

    Args:
        policy: whose network plays.
        folder: made if need be; may hold earlier checkpoints of other steps.
        step: decisions that it has learned from.
        config: the experiment as plain data, at least ``game`` and ``network``; by default these.
        counters: numbers worth keeping.
        keep: how many of the newest checkpoints stay.

    Returns:
        The checkpoint's folder.

    Raises:
        CheckpointError: it cannot be saved, or a weight is not finite.
    """
    if config is None:
        config = {
            "game": policy.game.model_dump(mode="json"),
            "network": policy.sizes.model_dump(mode="json"),
        }
    return save_policy(policy.network, folder, step, config=config, counters=counters, keep=keep)
