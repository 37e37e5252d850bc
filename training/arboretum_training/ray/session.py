"""A run of RLlib's PPO from its beginning to its end.

RLlib keeps its own state in pickles, which this project neither writes nor reads, so a run cannot
be resumed. Its checkpoints hold the policy: an agent of the lab, and all that is needed to play it.
"""

import math
import time
from dataclasses import dataclass
from typing import Any, Final

import ray
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core import DEFAULT_MODULE_ID
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from arboretum_agents.neural.checkpoint_reader import latest_step
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_env.errors import TrainingError
from arboretum_training.config import RllibConfig
from arboretum_training.dashboard import Dashboard
from arboretum_training.interrupt import InterruptGuard
from arboretum_training.library_run import (
    Progress,
    borrowed_randomness,
    game_metrics,
    save_policy,
)
from arboretum_training.measuring import Measuring
from arboretum_training.metrics import MetricsLog
from arboretum_training.ray.connection import LOCAL, RayError, connected
from arboretum_training.ray.policy_module import PolicyModule
from arboretum_training.ray.self_play import (
    ENDED,
    SNAPSHOTS,
    SelfPlay,
    SelfPlayGames,
    learned_network,
)
from arboretum_training.runs import RunFolder

FROM_RLLIB: Final[dict[str, tuple[str, float]]] = {
    "loss/policy": ("policy_loss", 1.0),
    "loss/value": ("vf_loss", 0.5),  # RLlib logs the whole squared error
    "policy/entropy": ("entropy", 1.0),
    "policy/grad_norm": ("gradients_default_optimizer_global_norm", 1.0),
    "value/explained_variance": ("vf_explained_var", 1.0),
    "schedule/learning_rate": ("default_optimizer_learning_rate", 1.0),
    "schedule/entropy_weight": ("curr_entropy_coeff", 1.0),
}
"""Our metric -> what RLlib calls it, and the factor to our definition."""


@dataclass(frozen=True)
class RllibSession:
    """The one launch of a run.

    Attributes:
        run: where everything goes.
        config: the experiment.
        address: of the Ray that collects and learns, see ``connection.connected``.
    """

    run: RunFolder
    config: RllibConfig
    address: str = LOCAL

    def train(self, dashboard: Dashboard) -> bool:
        """Trains until the budget is used or Ctrl-C asks to stop.

        Must run in the main thread (it listens to SIGINT); sets torch's number of threads.

        Returns:
            True if the budget is used, False if it was stopped before.

        Raises:
            TrainingError: losses or weights that are not finite; the newest checkpoint stays.
            CheckpointError: a checkpoint that cannot be saved.
            RayError: no Ray.
        """
        torch.set_num_threads(self.config.threads)
        progress = Progress(self.config)
        with (
            borrowed_randomness(),
            connected(self.address, cpus=1 + self.config.rollout.runners),
            MetricsLog(self.run.metrics_file, self.run.tensorboard) as log,
            InterruptGuard() as interrupt,
        ):
            measuring = Measuring(self.run, self.config, log, dashboard)
            algorithm = make_algorithm(self.config)
            try:
                network = learned_network(algorithm)
                while progress.share < 1 and not interrupt.requested:
                    network, metrics = self._iterate(algorithm, progress)
                    log.log(progress.decisions, metrics)
                    dashboard.update(progress.decisions, progress.share, metrics)
                    measuring.after_iteration(network, progress.iteration, progress.decisions)
                    if progress.iteration % self.config.checkpoint.every == 0:
                        self._save(network, progress)
                        measuring.after_saving(progress.iteration)
                if latest_step(self.run.path) != progress.decisions:
                    self._save(network, progress)
            finally:
                algorithm.stop()
        return progress.share >= 1

    def _iterate(
        self, algorithm: PPO, progress: Progress
    ) -> tuple[PolicyNetwork, dict[str, float]]:
        """Collects and learns once; returns the network and what is to be logged."""
        started = time.perf_counter()
        before = progress.decisions
        result = algorithm.train()
        seconds = time.perf_counter() - started
        ended = result[ENDED]
        progress.iteration += 1
        progress.decisions = int(result["env_runners"]["num_env_steps_sampled_lifetime"])
        progress.games += len(ended)
        progress.seconds += seconds
        network = learned_network(algorithm)
        learned = progress.decisions - before
        metrics = (
            _losses(result, network, progress.iteration)
            | game_metrics(ended, self.config.game.num_players)
            | {
                "progress/iteration": progress.iteration,
                "progress/games": progress.games,
                "progress/budget": progress.share,
                "time/training": progress.seconds,
                "speed/decisions": learned / seconds,
                "rollout/decisions": learned,
                "pool/snapshots": result[SNAPSHOTS],
            }
        )
        return network, metrics

    def _save(self, network: PolicyNetwork, progress: Progress) -> None:
        save_policy(
            network,
            self.run.path,
            progress.decisions,
            config=self.config.model_dump(mode="json"),
            counters=progress.counters,
            keep=self.config.checkpoint.keep,
        )


def check_room(config: RllibConfig, address: str) -> None:
    """Refuses a Ray without a processor for every runner: RLlib would wait for it without a word.

    Args:
        config: the experiment.
        address: see ``connection.connected``; a local Ray is made large enough.

    Raises:
        RayError: too few processors, or no Ray.
    """
    if address == LOCAL:
        return
    runners = config.rollout.runners
    with connected(address, cpus=runners):
        processors = int(ray.cluster_resources().get("CPU", 0))
    if processors < runners:
        raise RayError(
            f"Ray at {address!r} has {processors} processors: expected at least {runners}, one for "
            "each of rollout.runners"
        )


def _losses(result: dict[str, Any], network: PolicyNetwork, iteration: int) -> dict[str, float]:
    """What RLlib says of the update, in our terms.

    Raises:
        TrainingError: numbers that are not finite.
    """
    said = result["learners"][DEFAULT_MODULE_ID]
    metrics = {name: factor * float(said[key]) for name, (key, factor) in FROM_RLLIB.items()}
    weights = (bool(torch.isfinite(part).all()) for part in network.parameters())
    if not (math.isfinite(metrics["loss/policy"]) and all(weights)):
        raise TrainingError(
            f"iteration {iteration}: loss {metrics['loss/policy']}, or weights that are not "
            "finite: expected finite numbers; the newest checkpoint is as it was; begin anew with "
            "a smaller learning rate"
        )
    return metrics


def make_algorithm(config: RllibConfig) -> PPO:
    """The learner of an experiment, with its runners and their opponents.

    Seeds the global generators of Python, numpy and torch: that is RLlib's way. See
    ``borrowed_randomness``.

    Args:
        config: the experiment, with a budget in decisions.

    Raises:
        TrainingError: RLlib refuses it.
    """
    ppo, rollout = config.ppo, config.rollout
    plain = config.model_dump(mode="json")
    end = config.budget.decisions
    assert end is not None  # checked by the experiment
    rate, entropy = ppo.learning_rate, ppo.entropy
    runners = max(rollout.runners, 1)
    return (
        PPOConfig()
        .environment(
            SelfPlayGames,
            env_config={
                "game": plain["game"],
                "reward": rollout.reward,
                "pool": plain["pool"],
                "seed": config.seed,
            },
        )
        .env_runners(
            num_env_runners=rollout.runners,
            num_envs_per_env_runner=rollout.games // runners,
            rollout_fragment_length=config.decisions_per_iteration // rollout.games,
            gym_env_vectorize_mode="vector_entry_point",
        )
        .learners(num_learners=0)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=PolicyModule,
                model_config={"game": plain["game"], "network": plain["network"]},
            )
        )
        .training(
            train_batch_size_per_learner=config.decisions_per_iteration,
            minibatch_size=config.decisions_per_iteration // ppo.minibatches,
            num_epochs=ppo.epochs,
            shuffle_batch_per_epoch=True,
            lr=[[0, rate], [end, rate * ppo.learning_rate_end]],
            entropy_coeff=[[0, entropy], [end, ppo.entropy_end]],
            gamma=ppo.gamma,
            lambda_=ppo.lam,
            clip_param=ppo.clip,
            vf_loss_coeff=0.5 * ppo.value,  # its loss is the whole squared error, ours half of it
            vf_clip_param=math.inf,
            grad_clip=ppo.max_grad_norm,
            grad_clip_by="global_norm",
            use_kl_loss=False,
        )
        .callbacks(SelfPlay)
        .reporting(metrics_num_episodes_for_smoothing=1)
        .debugging(seed=config.seed, log_level="ERROR")
        .build_algo()
    )
