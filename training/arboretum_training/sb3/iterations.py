"""Between two iterations of ``MaskablePPO``: log, dashboard, measuring, saving, the end.

``MaskablePPO.learn`` collects and updates in turn and tells callbacks when a rollout starts. That
is the moment at which an iteration is whole; the last one is whole when training ends.
"""

import math
import time
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from arboretum_env.errors import TrainingError
from arboretum_training.config import Sb3Config
from arboretum_training.dashboard import Dashboard
from arboretum_training.interrupt import InterruptGuard
from arboretum_training.library_run import Progress, game_metrics
from arboretum_training.measuring import Measuring
from arboretum_training.metrics import MetricsLog
from arboretum_training.opponents.drawn_pool import OpponentPool
from arboretum_training.runs import RunFolder
from arboretum_training.sb3.export import export_policy
from arboretum_training.sb3.policy import ArboretumPolicy

FROM_LIBRARY: Final[Mapping[str, tuple[str, float]]] = {
    "loss/policy": ("train/policy_gradient_loss", 1.0),
    "loss/value": ("train/value_loss", 0.5),  # the library logs the whole squared error
    "policy/entropy": ("train/entropy_loss", -1.0),
    "policy/approx_kl": ("train/approx_kl", 1.0),
    "policy/clip_fraction": ("train/clip_fraction", 1.0),
    "value/explained_variance": ("train/explained_variance", 1.0),
    "schedule/learning_rate": ("train/learning_rate", 1.0),
}
"""Our metric -> what the library calls it, and the factor to our definition."""


class Iterations(BaseCallback):
    """Closes every iteration of a run.

    Args:
        run: gets checkpoints.
        config: the experiment.
        progress: counted on.
        pool: is watched.
        log: gets a row an iteration.
        dashboard: shows it.
        interrupt: when it is requested, training ends after the iteration.
    """

    def __init__(
        self,
        run: RunFolder,
        config: Sb3Config,
        progress: Progress,
        pool: OpponentPool,
        log: MetricsLog,
        dashboard: Dashboard,
        interrupt: InterruptGuard,
    ) -> None:
        super().__init__()
        self.run_folder = run
        self.config = config
        self.progress = progress
        self.pool = pool
        self.log = log
        self.dashboard = dashboard
        self.interrupt = interrupt
        self.measuring = Measuring(run, config, log, dashboard)
        self._started = 0.0
        self._collected: float | None = None
        self._ended: list[dict[str, Any]] = []
        self._stop = False

    def save(self) -> None:
        """Writes a checkpoint of the policy."""
        progress = self.progress
        export_policy(
            self._policy,
            self.run_folder.path,
            progress.decisions,
            config=self.config.model_dump(mode="json"),
            counters=progress.counters,
            keep=self.config.checkpoint.keep,
        )

    def _on_rollout_start(self) -> None:
        self._close()
        self._ended.clear()
        self._model.ent_coef = self.progress.entropy_weight()
        self._started = time.perf_counter()

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        self._ended += [infos[row] for row in np.flatnonzero(self.locals["dones"])]
        return not self._stop

    def _on_rollout_end(self) -> None:
        self._collected = time.perf_counter()

    def _on_training_end(self) -> None:
        self._close()

    def _close(self) -> None:
        """Counts, logs, shows, measures and saves an iteration, if there is a whole one."""
        if self._collected is None:
            return
        now, collected, self._collected = time.perf_counter(), self._collected, None
        progress = self.progress
        progress.iteration += 1
        progress.decisions = self.num_timesteps
        progress.games += len(self._ended)
        progress.seconds += now - self._started
        learned = self.config.decisions_per_iteration
        metrics = (
            self._losses()
            | {"schedule/entropy_weight": self._model.ent_coef}
            | game_metrics(self._ended, self.config.game.num_players)
            | {
                "progress/iteration": progress.iteration,
                "progress/games": progress.games,
                "progress/budget": progress.share,
                "time/training": progress.seconds,
                "time/rollout": collected - self._started,
                "time/update": now - collected,
                "speed/decisions": learned / (now - self._started),
                "rollout/decisions": learned,
                "pool/snapshots": len(self.pool.snapshots),
            }
        )
        self.log.log(progress.decisions, metrics)
        self.dashboard.update(progress.decisions, progress.share, metrics)
        network = self._policy.network
        self.measuring.after_iteration(network, progress.iteration, progress.decisions)
        self._stop = progress.share >= 1 or self.interrupt.requested
        if progress.iteration % self.config.checkpoint.every == 0:
            self.save()
            self.measuring.after_saving(progress.iteration)

    def _losses(self) -> dict[str, float]:
        """What the library has recorded of the update, in our terms.

        Raises:
            TrainingError: numbers that are not finite.
        """
        recorded = self.logger.name_to_value
        metrics = {
            name: factor * float(recorded[key]) for name, (key, factor) in FROM_LIBRARY.items()
        }
        weights = (bool(torch.isfinite(part).all()) for part in self._policy.network.parameters())
        if not (math.isfinite(metrics["loss/policy"]) and all(weights)):
            raise TrainingError(
                f"iteration {self.progress.iteration}: loss {metrics['loss/policy']}, or weights "
                "that are not finite: expected finite numbers; the newest checkpoint is as it was; "
                "begin anew with a smaller learning rate"
            )
        return metrics

    @property
    def _model(self) -> MaskablePPO:
        assert isinstance(self.model, MaskablePPO)
        return self.model

    @property
    def _policy(self) -> ArboretumPolicy:
        policy = self._model.policy
        assert isinstance(policy, ArboretumPolicy)
        return policy
