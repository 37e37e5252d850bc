"""A training run from its first iteration, or from a checkpoint, to its end.

Rows of the log come before their checkpoint, so that a resumed run keeps exactly the rows up to it.
The first Ctrl-C ends the run after the current iteration, with a checkpoint; nothing is lost.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from arboretum_agents.neural.checkpoint_reader import Checkpoint, latest_step
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.config import Experiment, ExperimentConfig
from arboretum_training.dashboard import Dashboard
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.report import to_json
from arboretum_training.evaluation.summary import Summary, summarise
from arboretum_training.interrupt import InterruptGuard
from arboretum_training.metrics import MetricsLog
from arboretum_training.ppo import Learner
from arboretum_training.runs import RunFolder
from arboretum_training.snapshot import from_checkpoint, to_checkpoint

POLICY_NAME = "policy"


@dataclass(frozen=True)
class Session:
    """One launch of a run.

    Attributes:
        run: where everything goes.
        config: the experiment.
        checkpoint: where to go on from; None: from the beginning.
    """

    run: RunFolder
    config: ExperimentConfig
    checkpoint: Checkpoint | None = None

    def train(self, dashboard: Dashboard) -> bool:
        """Trains until the budget is used or Ctrl-C asks to stop.

        Must run in the main thread (it listens to SIGINT); sets torch's number of threads.

        Returns:
            True if the budget is used, False if it was stopped before.

        Raises:
            TrainingError: losses that are not finite; the newest checkpoint is as it was.
            CheckpointError: a checkpoint that does not fit or cannot be saved.
        """
        torch.set_num_threads(self.config.threads)
        if self.checkpoint is None:
            learner = Learner(self.config)
        else:
            learner = from_checkpoint(self.config, self.checkpoint)
        resumed = None if self.checkpoint is None else self.checkpoint.step
        every = self.config.evaluation.every
        with (
            MetricsLog(self.run.metrics_file, self.run.tensorboard, resumed_step=resumed) as log,
            InterruptGuard() as interrupt,
        ):
            while learner.progress < 1 and not interrupt.requested:
                metrics = learner.iterate()
                log.log(learner.decisions, metrics)
                dashboard.update(learner.decisions, learner.progress, metrics)
                if every and learner.iteration % every == 0:
                    measure_on_the_way(
                        self.config, learner.network, learner.decisions, log, dashboard
                    )
                if learner.iteration % self.config.checkpoint.every == 0:
                    self._save(learner)
            self._save(learner)
        return learner.progress >= 1

    def _save(self, learner: Learner) -> None:
        if latest_step(self.run.path) != learner.decisions:
            save_checkpoint(self.run.path, to_checkpoint(learner), keep=self.config.checkpoint.keep)


def measure_on_the_way(
    config: Experiment, network: PolicyNetwork, step: int, log: MetricsLog, dashboard: Dashboard
) -> None:
    """Plays the policy against every opponent; logs and shows how it does.

    Args:
        config: the experiment.
        network: the policy, after ``step`` decisions.
        step: decisions learned from.
        log: gets a row.
        dashboard: gets a line.
    """
    metrics: dict[str, float] = {}
    texts: list[str] = []
    for opponent in config.evaluation.opponents:
        summary = summarise(
            evaluate(
                [_policy_factory(network), opponent],
                config.game,
                deals=config.evaluation.deals,
                seed=config.seed,
                mode=config.evaluation.mode,
            )
        )
        metrics |= evaluation_metrics(summary, opponent)
        own = summary.agents[POLICY_NAME]
        texts.append(f"{100 * own.win_rate:.1f} % against {opponent}")
    log.log(step, metrics)
    dashboard.show_evaluation(f"at {step:,} decisions: {', '.join(texts)}")


def evaluation_metrics(summary: Summary, opponent: str) -> dict[str, float]:
    """The log's metrics of a measurement of the first agent against one opponent."""
    own = next(iter(summary.agents.values()))
    return {
        f"evaluation/win_rate/{opponent}": own.win_rate,
        f"evaluation/win_rate_low/{opponent}": own.win_rate_ci95.low,
        f"evaluation/win_rate_high/{opponent}": own.win_rate_ci95.high,
        f"evaluation/margin/{opponent}": summary.margin,
    }


def measure_run(run: RunFolder, config: Experiment, step: int, *, workers: int) -> list[Summary]:
    """The measurement at the end: the run's policy against every opponent, kept in the run.

    Args:
        run: its newest checkpoint plays.
        config: the experiment.
        step: decisions learned from, which names the reports' file.
        workers: processes; the result is the same for any number.

    Returns:
        A summary for every opponent, in the experiment's order; the policy is the first agent.
    """
    summaries = [
        summarise(
            evaluate(
                [str(run.path), opponent],
                config.game,
                deals=config.evaluation.final_deals,
                seed=config.seed,
                mode=config.evaluation.mode,
                workers=workers,
            )
        )
        for opponent in config.evaluation.opponents
    ]
    run.save_evaluation(step, [to_json(summary) for summary in summaries])
    return summaries


def _policy_factory(network: PolicyNetwork) -> Callable[[GameConfig, Mode], NeuralAgent]:
    def policy(config: GameConfig, mode: Mode) -> NeuralAgent:
        return NeuralAgent(config, network, mode)

    policy.__name__ = POLICY_NAME
    return policy
