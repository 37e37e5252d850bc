"""Proximal policy optimisation by self-play: one iteration, and everything it goes on from.

An iteration plays a window of every game with the current network in all seats, estimates the
advantages of each seat's own decisions, and improves the network on them. The last decision of an
unfinished trajectory has nothing to be judged by yet: it is carried into the next iteration, so no
rival's value is ever used and the number of players does not matter.

Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms" (arXiv:1707.06347).
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.errors import TrainingError
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.actor_critic import ActorCritic
from arboretum_training.config import ExperimentConfig
from arboretum_training.decisions import KINDS, Decisions
from arboretum_training.gae import generalised_advantages, group_by_trajectory
from arboretum_training.losses import (
    clipped_policy_loss,
    explained_variance,
    normalised,
    value_loss,
)
from arboretum_training.rollout import Collector, Finished
from arboretum_training.schedules import linear

_ADAM_EPSILON: Final = 1e-5  # as in OpenAI Baselines' PPO


@dataclass(frozen=True)
class Batch:
    """Decisions of one kind with what they are to learn.

    Attributes:
        decisions: B decisions.
        advantages: [B] float32, normalised over the whole iteration.
        returns: [B] float32.
    """

    decisions: Decisions
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]

    def select(self, rows: NDArray[np.int64]) -> "Batch":
        """The batch of some rows, in their order."""
        return Batch(self.decisions.select(rows), self.advantages[rows], self.returns[rows])


class Learner:
    """The state of a training run between two iterations.

    Attributes:
        config: the experiment.
        model, optimizer: what is learned, and how far its learning is.
        collector: the games under way.
        carried: by kind, decisions that wait for their seat's next one.
        rng: draws choices and minibatches.
        iteration, decisions, games: done so far, over every launch of the run.
        seconds: trained so far, likewise.
    """

    def __init__(self, config: ExperimentConfig) -> None:
        self.config = config
        self.rng = np.random.default_rng(np.random.SeedSequence((config.seed, 0x5EED)))
        with torch.random.fork_rng(devices=[]):
            # Layers can only be initialised from torch's global generator: it is put back after.
            torch.manual_seed(config.seed)
            self.model = ActorCritic(config.game, config.network, config.ppo.critic)
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=config.ppo.learning_rate, eps=_ADAM_EPSILON, fused=True
        )
        root = root_from_seed(config.seed, Purpose.TRAIN)
        self.collector = Collector(config.game, config.rollout, root, self.rng)
        self.carried: dict[str, Decisions] = {}
        self.iteration = 0
        self.decisions = 0
        self.games = 0
        self.seconds = 0.0

    @property
    def network(self) -> PolicyNetwork:
        """The policy that is learned."""
        return self.model.network

    @property
    def progress(self) -> float:
        """Share of the budget that is used."""
        return self.config.budget.progress(self.decisions, self.seconds)

    def iterate(self) -> dict[str, float]:
        """Collects, learns, counts on.

        Returns:
            The iteration's metrics, see ``arboretum_training.metrics.METRICS``.

        Raises:
            TrainingError: a loss, gradient or weight that is not finite. The network is then of no
                use; the newest checkpoint is.
        """
        started = time.perf_counter()
        progress = self.progress
        self.model.eval()
        decisions, finished = self.collector.collect(self.model)
        for kind, waiting in self.carried.items():
            decisions[kind] = Decisions.concatenate([waiting, decisions[kind]])
        batches, self.carried = self._judge(decisions, finished)
        collected = time.perf_counter()
        learned = sum(len(batch.returns) for batch in batches.values())
        metrics = self._learn(batches, progress)
        ended = time.perf_counter()
        self.iteration += 1
        self.decisions += learned
        self.games += len(finished.turns)
        self.seconds += ended - started
        return (
            metrics
            | _game_metrics(finished)
            | {
                "progress/iteration": self.iteration,
                "progress/games": self.games,
                "progress/budget": self.progress,
                "time/training": self.seconds,
                "time/rollout": collected - started,
                "time/update": ended - collected,
                "speed/decisions": learned / (ended - started),
                "rollout/decisions": learned,
                "rollout/carried": sum(len(waiting) for waiting in self.carried.values()),
            }
        )

    def _judge(
        self, decisions: Mapping[str, Decisions], finished: Finished
    ) -> tuple[dict[str, Batch], dict[str, Decisions]]:
        """Splits decisions into those that can be learned from now, judged, and those that wait."""

        def together(name: str) -> NDArray[Any]:
            return np.concatenate([decisions[kind].arrays[name] for kind in KINDS])

        ids, trajectory = np.unique(together("trajectory"), return_inverse=True)
        in_time = np.argsort(together("time"), kind="stable")
        order, offsets = group_by_trajectory(trajectory[in_time], len(ids))
        order = in_time[order]
        outcomes, is_finished = np.zeros(len(ids), np.float32), np.zeros(len(ids), np.bool_)
        # A seat that never came to move, in a tiny game, has no trajectory here.
        position = np.searchsorted(ids, finished.trajectories).clip(max=len(ids) - 1)
        found = ids[position] == finished.trajectories
        outcomes[position[found]] = finished.outcomes[found]
        is_finished[position[found]] = True
        judged = generalised_advantages(
            together("value")[order], offsets, outcomes, is_finished,
            gamma=self.config.ppo.gamma, lam=self.config.ppo.lam,
        )  # fmt: skip
        advantages, returns = np.empty_like(judged.advantages), np.empty_like(judged.returns)
        ready = np.empty_like(judged.ready)
        advantages[order], returns[order], ready[order] = (
            judged.advantages, judged.returns, judged.ready,
        )  # fmt: skip
        if ready.any():
            advantages[ready] = normalised(as_tensor(advantages[ready])).numpy()
        batches, waiting = {}, {}
        first = 0
        for kind in KINDS:
            part = decisions[kind]
            span = slice(first, first + len(part))
            first += len(part)
            rows = np.flatnonzero(ready[span])
            batches[kind] = Batch(part.select(rows), advantages[span][rows], returns[span][rows])
            rest = np.flatnonzero(~ready[span])
            if len(rest):
                waiting[kind] = part.select(rest)
        return batches, waiting

    def _learn(self, batches: Mapping[str, Batch], progress: float) -> dict[str, float]:
        """Several passes over the decisions, in minibatches of one kind each."""
        ppo = self.config.ppo
        learning_rate = linear(
            ppo.learning_rate, ppo.learning_rate * ppo.learning_rate_end, progress
        )
        entropy_weight = linear(ppo.entropy, ppo.entropy_end, progress)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        self.model.train()
        sums: dict[str, float] = {}
        weight = 0
        for _ in range(ppo.epochs):
            for minibatch in self._minibatches(batches):
                size = len(minibatch.returns)
                for name, value in self._update(minibatch, entropy_weight).items():
                    sums[name] = sums.get(name, 0.0) + size * value
                weight += size
        self._check_weights()
        values = np.concatenate([batch.decisions.arrays["value"] for batch in batches.values()])
        returns = np.concatenate([batch.returns for batch in batches.values()])
        return {name: total / weight for name, total in sums.items()} | {
            "value/explained_variance": explained_variance(as_tensor(values), as_tensor(returns)),
            "schedule/learning_rate": learning_rate,
            "schedule/entropy_weight": entropy_weight,
        }

    def _check_weights(self) -> None:
        """A finite gradient can still carry a weight beyond all numbers."""
        for name, parameter in self.model.named_parameters():
            if not bool(torch.isfinite(parameter).all()):
                raise TrainingError(
                    f"iteration {self.iteration + 1}: weights {name!r} after the update: expected "
                    "finite numbers; resume from the newest checkpoint with a smaller learning rate"
                )

    def _minibatches(self, batches: Mapping[str, Batch]) -> list[Batch]:
        """All decisions once, shuffled, in about ``minibatches`` parts of one kind each."""
        total = sum(len(batch.returns) for batch in batches.values())
        size = max(total / self.config.ppo.minibatches, 1)
        parts: list[Batch] = []
        for batch in batches.values():
            count = len(batch.returns)
            if count:
                shuffled = self.rng.permutation(count)
                pieces = np.array_split(shuffled, min(max(round(count / size), 1), count))
                parts.extend(batch.select(rows) for rows in pieces)
        return [parts[index] for index in self.rng.permutation(len(parts))]

    def _update(self, minibatch: Batch, entropy_weight: float) -> dict[str, float]:
        """One step of the optimiser."""
        ppo = self.config.ppo
        arrays = {name: as_tensor(array) for name, array in minibatch.decisions.arrays.items()}
        now = self.model.evaluate(minibatch.decisions, arrays)
        policy = clipped_policy_loss(
            now.log_probs, arrays["log_prob"], as_tensor(minibatch.advantages), clip=ppo.clip
        )
        returns = as_tensor(minibatch.returns)
        critic = value_loss(now.judged, returns, old_values=arrays["value"], clip=ppo.value_clip)
        public = value_loss(now.values, returns)
        entropy = now.entropy.mean()
        loss = (
            policy.loss
            + ppo.value * critic
            - entropy_weight * entropy
            + ppo.belief * now.belief_loss
        )
        if now.judged is not now.values:
            loss = loss + ppo.value * public
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), ppo.max_grad_norm)
        if not (torch.isfinite(loss) and torch.isfinite(norm)):
            raise TrainingError(
                f"iteration {self.iteration + 1}: loss {loss.item()}, gradient norm {norm.item()} "
                f"on {len(now.log_probs)} {minibatch.decisions.kind} decisions: expected finite "
                "numbers; resume from the newest checkpoint with a smaller learning rate"
            )
        self.optimizer.step()
        return {
            "loss/policy": float(policy.loss.detach()),
            "loss/value": float(public.detach()),
            "loss/critic": float(critic.detach()),
            "loss/belief": float(now.belief_loss.detach()),
            "policy/entropy": float(entropy.detach()),
            "policy/approx_kl": float(policy.approx_kl),
            "policy/clip_fraction": float(policy.clip_fraction),
            "policy/grad_norm": float(norm),
        }


def _game_metrics(finished: Finished) -> dict[str, float]:
    if not len(finished.turns):
        return {}
    shares = finished.win_shares
    return {
        "games/turns": float(finished.turns.mean()),
        "games/score": float(finished.points.mean()),
        "games/ties": float((shares.max(axis=1) < 1).mean()),
        "games/denied": float(finished.denied_points.mean()),
    } | {f"games/win_rate/{seat}": float(shares[:, seat].mean()) for seat in range(shares.shape[1])}
