"""What runs of other libraries' trainers share: how far they are, their games, their checkpoints.

Such a library keeps the state of a training in pickles, which this project neither writes nor
reads. A checkpoint holds the policy alone: an agent of the lab, and all that is needed to play it.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

from arboretum_agents.neural.checkpoint_reader import CHECKPOINTS_NAME, WEIGHTS, Checkpoint
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.config import Experiment
from arboretum_training.schedules import linear


class Progress:
    """How far a run is; the schedules read it.

    Attributes:
        iteration, decisions, games: done so far.
        seconds: trained so far, measuring and saving not counted.
    """

    def __init__(self, config: Experiment) -> None:
        self._config = config
        self.iteration = 0
        self.decisions = 0
        self.games = 0
        self.seconds = 0.0

    @property
    def share(self) -> float:
        """Share of the budget that is used."""
        return self._config.budget.progress(self.decisions, self.seconds)

    @property
    def counters(self) -> dict[str, int | float]:
        """What a checkpoint keeps of it."""
        return {"iteration": self.iteration, "games": self.games, "seconds": self.seconds}

    def learning_rate(self, _: float = 0.0) -> float:
        """Step size of the next iteration; the library's own idea of progress is ignored."""
        ppo = self._config.ppo
        return linear(ppo.learning_rate, ppo.learning_rate * ppo.learning_rate_end, self.share)

    def entropy_weight(self) -> float:
        """Weight of the entropy bonus in the next iteration."""
        return linear(self._config.ppo.entropy, self._config.ppo.entropy_end, self.share)


def game_metrics(ended: Sequence[Mapping[str, Any]], players: int) -> dict[str, float]:
    """Metrics of the games that ended in an iteration.

    Args:
        ended: their last infos (``arboretum_agents.gymnasium_env.result_of``).
        players: P.
    """
    if not ended:
        return {}
    seats = np.array([info["seat"] for info in ended])
    wins = np.zeros((len(ended), players))
    for row, info in enumerate(ended):
        wins[row, list(info["winners"])] = 1 / len(info["winners"])
    return {
        "games/turns": float(np.mean([info["turns"] for info in ended])),
        "games/score": float(np.mean([info["scores"] for info in ended])),
        "games/ties": float((wins.max(axis=1) < 1).mean()),
        "pool/win_rate/all": float(wins[np.arange(len(ended)), seats].mean()),
    } | {f"games/win_rate/{seat}": float(wins[:, seat].mean()) for seat in range(players)}


def save_policy(
    network: PolicyNetwork,
    folder: Path,
    step: int,
    *,
    config: Mapping[str, Any],
    counters: Mapping[str, int | float] | None = None,
    keep: int = 1,
) -> Path:
    """Writes a checkpoint of a network; ``folder`` is then the spec of an agent.

    Args:
        network: what plays.
        folder: made if need be; may hold earlier checkpoints of other steps.
        step: decisions that it has learned from.
        config: the experiment as plain data, at least ``game`` and ``network``.
        counters: numbers worth keeping.
        keep: how many of the newest checkpoints stay.

    Returns:
        The checkpoint's folder.

    Raises:
        CheckpointError: it cannot be saved, or a weight is not finite.
    """
    (folder / CHECKPOINTS_NAME).mkdir(parents=True, exist_ok=True)
    tensors = {WEIGHTS: network.state_dict()}
    checkpoint = Checkpoint(step, config, counters or {}, state={}, tensors=tensors)
    return save_checkpoint(folder, checkpoint, keep=keep)


@contextmanager
def borrowed_randomness() -> Iterator[None]:
    """Puts back the global generators of Python, numpy and torch, which the library seeds."""
    # Nothing here draws from them; the library does, and its users may.
    kept = random.getstate(), np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])  # noqa: NPY002
        torch.set_rng_state(kept[2])
