"""A run of ``MaskablePPO`` from its beginning to its end.

Stable-Baselines3 keeps its own state in a zip file with pickles, which this project neither writes
nor reads, so a run cannot be resumed. Its checkpoints hold the policy: an agent of the lab, and all
that is needed to play it.
"""

import sys
from dataclasses import dataclass

import torch
from sb3_contrib import MaskablePPO

from arboretum_agents.neural.checkpoint_reader import latest_step
from arboretum_env.seeding import Purpose
from arboretum_training.config import Sb3Config
from arboretum_training.dashboard import Dashboard
from arboretum_training.interrupt import InterruptGuard
from arboretum_training.library_run import Progress, borrowed_randomness
from arboretum_training.metrics import MetricsLog
from arboretum_training.opponents.drawn_pool import OpponentPool
from arboretum_training.runs import RunFolder
from arboretum_training.sb3.iterations import Iterations
from arboretum_training.sb3.policy import ArboretumPolicy
from arboretum_training.sb3.self_play import SelfPlay
from arboretum_training.sb3.vec_env import ArboretumVecEnv


@dataclass(frozen=True)
class Sb3Session:
    """The one launch of a run.

    Attributes:
        run: where everything goes.
        config: the experiment.
    """

    run: RunFolder
    config: Sb3Config

    def train(self, dashboard: Dashboard) -> bool:
        """Trains until the budget is used or Ctrl-C asks to stop.

        Must run in the main thread (it listens to SIGINT); sets torch's number of threads.

        Returns:
            True if the budget is used, False if it was stopped before.

        Raises:
            TrainingError: losses or weights that are not finite; the newest checkpoint stays.
            CheckpointError: a checkpoint that cannot be saved.
        """
        torch.set_num_threads(self.config.threads)
        progress = Progress(self.config)
        with (
            borrowed_randomness(),
            MetricsLog(self.run.metrics_file, self.run.tensorboard) as log,
            InterruptGuard() as interrupt,
        ):
            model, self_play = make_model(self.config, progress)
            iterations = Iterations(
                self.run, self.config, progress, self_play.pool, log, dashboard, interrupt
            )
            # A budget in minutes has no number of decisions to stop at. Logging is ours.
            limit = self.config.budget.decisions or sys.maxsize
            model.learn(limit, callback=[iterations, self_play], log_interval=sys.maxsize)
            if latest_step(self.run.path) != progress.decisions:
                iterations.save()
        return progress.share >= 1


def make_model(config: Sb3Config, progress: Progress) -> tuple[MaskablePPO, SelfPlay]:
    """The learner of an experiment, and the callback that seats its opponents.

    Draws the first weights from torch's global generator, which it seeds, as it does Python's and
    numpy's: that is the library's way. See ``borrowed_randomness``.

    Args:
        config: the experiment.
        progress: what the schedules read.
    """
    ppo = config.ppo
    environment = ArboretumVecEnv(
        config.rollout.games,
        config=config.game,
        reward=config.rollout.reward,
        illegal_action="raise",
        purpose=Purpose.TRAIN,
    )
    steps = config.decisions_per_iteration // config.rollout.games
    model = MaskablePPO(
        ArboretumPolicy,
        environment,
        learning_rate=progress.learning_rate,
        n_steps=steps,
        batch_size=config.decisions_per_iteration // ppo.minibatches,
        n_epochs=ppo.epochs,
        gamma=ppo.gamma,
        gae_lambda=ppo.lam,
        clip_range=ppo.clip,
        clip_range_vf=ppo.value_clip,
        ent_coef=progress.entropy_weight(),
        vf_coef=0.5 * ppo.value,  # the library's loss is the whole squared error, ours half of it
        max_grad_norm=ppo.max_grad_norm,
        policy_kwargs={"game": config.game, "sizes": config.network},
        seed=config.seed,
        device="cpu",
    )
    assert isinstance(model.policy, ArboretumPolicy)
    pool = OpponentPool(config.game, config.pool, model.policy.network, config.seed)
    environment.set_opponents(pool.latest)
    return model, SelfPlay(pool, environment)
