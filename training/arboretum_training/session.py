"""A training run from its first iteration, or from a checkpoint, to its end.

Rows of the log come before their checkpoint, so that a resumed run keeps exactly the rows up to it.
The first Ctrl-C ends the run after the current iteration, with a checkpoint; nothing is lost.
"""

from dataclasses import dataclass

import torch

from arboretum_agents.neural.checkpoint_reader import Checkpoint, latest_step
from arboretum_env.errors import TrainingError
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.config import Experiment, ExperimentConfig
from arboretum_training.dashboard import Dashboard
from arboretum_training.distributed import ALONE, Ranks
from arboretum_training.divergence import DivergenceError
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.executor import Workers
from arboretum_training.evaluation.report import to_json
from arboretum_training.evaluation.summary import Summary, summarise
from arboretum_training.failed_batch import save_failed_batch
from arboretum_training.interrupt import InterruptGuard
from arboretum_training.league import League
from arboretum_training.measuring import Measuring
from arboretum_training.metrics import MetricsLog
from arboretum_training.runs import RunFolder
from arboretum_training.snapshot import from_checkpoint, to_checkpoint


@dataclass(frozen=True)
class Session:
    """One launch of a run.

    Attributes:
        run: where everything goes.
        config: the experiment.
        checkpoint: where to go on from; None: from the beginning.
        ranks: the processes that train together; the first one writes.
    """

    run: RunFolder
    config: ExperimentConfig
    checkpoint: Checkpoint | None = None
    ranks: Ranks = ALONE

    def train(self, dashboard: Dashboard) -> bool:
        """Trains until the budget is used or Ctrl-C asks to stop, any of several processes.

        Must run in the main thread (it listens to SIGINT); sets torch's number of threads.

        Args:
            dashboard: shows how it goes, in the first process.

        Returns:
            True if the budget is used, False if it was stopped before.

        Raises:
            TrainingError: losses that are not finite or beyond their bounds; the newest checkpoint
                is as it was, and the minibatch lies in the run's folder ``failed``.
            CheckpointError: a checkpoint that does not fit or cannot be saved.
            RunError: anything else that cannot be written.
        """
        torch.set_num_threads(self.config.threads)
        if self.checkpoint is None:
            league = League(self.config, ranks=self.ranks)
        else:
            league = from_checkpoint(self.config, self.checkpoint, self.ranks)
        with InterruptGuard() as interrupt:
            if self.ranks.is_first:
                self._lead(league, interrupt, dashboard)
            else:
                self._follow(league, interrupt)
        return league.progress >= 1

    def _lead(self, league: League, interrupt: InterruptGuard, dashboard: Dashboard) -> None:
        """Trains, writes and shows."""
        resumed = None if self.checkpoint is None else self.checkpoint.step
        with MetricsLog(self.run.metrics_file, self.run.tensorboard, resumed_step=resumed) as log:
            measuring = Measuring(self.run, self.config, log, dashboard)
            while self._goes_on(league, interrupt):
                metrics = self._iterate(league)
                log.log(league.decisions, metrics)
                dashboard.update(league.decisions, league.progress, metrics)
                measuring.after_iteration(league.network, league.iteration, league.decisions)
                if self._saves(league):
                    self._save(league, measuring)
            self._save(league, measuring)

    def _follow(self, league: League, interrupt: InterruptGuard) -> None:
        """Trains as the first process does, and has its part in what that one saves."""
        while self._goes_on(league, interrupt):
            self._iterate(league)
            if self._saves(league):
                to_checkpoint(league)
        to_checkpoint(league)

    def _goes_on(self, league: League, interrupt: InterruptGuard) -> bool:
        return league.progress < 1 and not self.ranks.agree(interrupt.requested)

    def _saves(self, league: League) -> bool:
        return league.iteration % self.config.checkpoint.every == 0

    def _iterate(self, league: League) -> dict[str, float]:
        try:
            return league.iterate()
        except DivergenceError as error:
            kept = save_failed_batch(self.run, error)
            raise TrainingError(f"{error}; {kept}") from error

    def _save(self, league: League, measuring: Measuring) -> None:
        checkpoint = to_checkpoint(league)  # the others have their part in it, saved or not
        if latest_step(self.run.path) != league.decisions:
            save_checkpoint(self.run.path, checkpoint, keep=self.config.checkpoint.keep)
            measuring.after_saving(league.iteration)


def measure_run(
    run: RunFolder, config: Experiment, step: int, *, workers: Workers
) -> list[Summary]:
    """The measurement at the end: the run's policy against every opponent, kept in the run.

    Args:
        run: its newest checkpoint plays.
        config: the experiment.
        step: decisions learned from, which names the reports' file.
        workers: where units are computed, see ``executor.Workers``.

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
