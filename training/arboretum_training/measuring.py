"""Measuring a policy while it trains: against its opponents and against its own past.

The deals are those of evaluation, and no generator of the training is touched, so measuring more
or less leaves the training as it is to the bit.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from arboretum_agents.neural.checkpoint_reader import WEIGHTS, Checkpoint
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import NeuralAgent, load_agent
from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_env.match import MatchResult
from arboretum_training.config import Experiment
from arboretum_training.dashboard import Dashboard, Standing
from arboretum_training.evaluation.evaluate import (
    AgentFactory,
    EvaluationResult,
    concatenate,
    plan_units,
    play_match_of,
)
from arboretum_training.evaluation.summary import Summary, summarise
from arboretum_training.metrics import MetricsLog
from arboretum_training.past import PastPolicy, choose_past, keep_past, thin_past
from arboretum_training.policy_rating import rate_policy
from arboretum_training.research.blocking import points_taken
from arboretum_training.run_errors import run_errors
from arboretum_training.runs import RunFolder
from arboretum_training.sample_games import keep_newest, save_sample_games

POLICY_NAME = "policy"


@dataclass(frozen=True)
class Measurement:
    """How the policy did against one opponent; it is agent 0.

    Attributes:
        result: all games.
        summary: their figures.
        taken: path points that it made others lose, mean of its seats, see ``denial``.
        match: the first games, with their actions.
    """

    result: EvaluationResult
    summary: Summary
    taken: float
    match: MatchResult


def measure(
    network: PolicyNetwork, opponent: str | AgentFactory, config: Experiment, *, deals: int
) -> Measurement:
    """Plays the policy against one opponent, in this process.

    Args:
        network: the policy; not changed.
        opponent: a spec, or a factory.
        config: the experiment.
        deals: duplicate deals, every seat rotation.
    """
    units = plan_units(
        [_policy_factory(network, POLICY_NAME), opponent],
        config.game,
        deals=deals,
        seed=config.seed,
        mode=config.evaluation.mode,
    )
    played = [play_match_of(unit, keep_actions=unit is units[0]) for unit in units]
    result = EvaluationResult(
        units[0].names,
        config.game,
        config.seed,
        config.evaluation.mode,
        deals,
        concatenate([games for games, _ in played]),
    )
    taken = [points_taken(match.scores)[match.seating == 0] for _, match in played]
    return Measurement(result, summarise(result), float(np.concatenate(taken).mean()), played[0][1])


@dataclass(frozen=True)
class Measuring:
    """Everything that is measured on the way of one run.

    Attributes:
        run: gets past policies and sample games.
        config: the experiment.
        log: gets a row a measurement.
        dashboard: shows it.
    """

    run: RunFolder
    config: Experiment
    log: MetricsLog
    dashboard: Dashboard

    def after_iteration(self, network: PolicyNetwork, iteration: int, step: int) -> None:
        """Measures the policy, if that is due.

        Args:
            network: the policy; not changed.
            iteration: iterations so far.
            step: decisions learned from.

        Raises:
            RunError: what is to be kept cannot be written.
        """
        every = self.config.evaluation.every
        if every and iteration % every == 0:
            self._measure(network, iteration // every, step)

    def after_saving(self, iteration: int) -> None:
        """Removes past policies that nothing needs any more, now that the run is saved."""
        every = self.config.evaluation.every
        if every:
            with run_errors():
                thin_past(self.run.past, iteration // every)

    def _measure(self, network: PolicyNetwork, number: int, step: int) -> None:
        started = time.perf_counter()
        evaluation = self.config.evaluation
        against = {
            spec: measure(network, spec, self.config, deals=evaluation.deals)
            for spec in evaluation.opponents
        }
        rating = rate_policy(
            {spec: measured.result.games for spec, measured in against.items()}, self.config
        )
        metrics = {"evaluation/rating": rating.rating}
        if rating.ci95 is not None:
            metrics |= {
                "evaluation/rating_low": rating.ci95.low,
                "evaluation/rating_high": rating.ci95.high,
            }
        names = {spec: spec for spec in against}
        for share in evaluation.past:
            past = choose_past(self.run.past, number, step, share)
            if past is not None:
                label = f"past-{share:g}"
                opponent = _past_factory(past, label)
                against[label] = measure(network, opponent, self.config, deals=evaluation.deals)
                metrics[f"evaluation/past_decisions/{label}"] = past.step
                names[label] = f"{self.config.name}@{past.step}"
        for label, measured in against.items():
            metrics |= evaluation_metrics(measured, label)
        with run_errors():
            if evaluation.past:
                keep_past(self.run.past, number, self._as_checkpoint(network, step))
            self._keep_games(against, names, step)
        metrics["time/evaluation"] = time.perf_counter() - started
        self.log.log(step, metrics)
        self.dashboard.show_evaluation(step, _standings(against), rating)

    def _keep_games(
        self, against: Mapping[str, Measurement], names: Mapping[str, str], step: int
    ) -> None:
        """Sample games against the last of the opponents, as at the end of the run."""
        evaluation = self.config.evaluation
        spec = evaluation.opponents[-1]
        measured = against[spec]
        deal_ids = measured.result.games.deal_id[: min(evaluation.games, len(measured.match.final))]
        save_sample_games(
            self.run.games,
            step,
            measured.match,
            [f"{self.config.name}@{step}", names[spec]],
            [f"evaluate seed {self.config.seed} deal {deal}" for deal in deal_ids],
        )
        keep_newest(self.run.games, evaluation.keep_games)

    def _as_checkpoint(self, network: PolicyNetwork, step: int) -> Checkpoint:
        return Checkpoint(
            step=step,
            config=self.config.model_dump(mode="json"),
            counters={},
            state={},
            tensors={WEIGHTS: network.state_dict()},
        )


def evaluation_metrics(measured: Measurement, opponent: str) -> dict[str, float]:
    """The log's metrics of a measurement against one opponent, by its label."""
    own = measured.summary.agents[POLICY_NAME]
    return {
        f"evaluation/win_rate/{opponent}": own.win_rate,
        f"evaluation/win_rate_low/{opponent}": own.win_rate_ci95.low,
        f"evaluation/win_rate_high/{opponent}": own.win_rate_ci95.high,
        f"evaluation/margin/{opponent}": measured.summary.margin,
        f"evaluation/lost/{opponent}": own.denied_points,
        f"evaluation/denied/{opponent}": measured.taken,
        f"evaluation/turns/{opponent}": float(measured.result.games.turns.mean()),
    }


def _standings(against: Mapping[str, Measurement]) -> list[Standing]:
    standings = []
    for label, measured in against.items():
        own = measured.summary.agents[POLICY_NAME]
        standings.append(Standing(label, own.win_rate, *own.win_rate_ci95))
    return standings


def _policy_factory(network: PolicyNetwork, name: str) -> Callable[[GameConfig, Mode], NeuralAgent]:
    def policy(config: GameConfig, mode: Mode) -> NeuralAgent:
        return NeuralAgent(config, network, mode)

    policy.__name__ = name
    return policy


def _past_factory(past: PastPolicy, name: str) -> Callable[[GameConfig, Mode], NeuralAgent]:
    """An agent by its label and not by its path, whose name would be another each time."""

    def policy(config: GameConfig, mode: Mode) -> NeuralAgent:
        return load_agent(past.path, config, mode)

    policy.__name__ = name
    return policy
