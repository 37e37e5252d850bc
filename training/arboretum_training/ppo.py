"""Proximal policy optimisation by self-play: one iteration, and everything it goes on from.

An iteration plays a window of every game with the current network, in all seats or opposite others,
estimates the advantages of each of its seats' own decisions, and improves the network on them. The
last decision of an unfinished trajectory has nothing to be judged by yet: it is carried into the
next iteration, so no rival's value is ever used and the number of players does not matter.

Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms" (arXiv:1707.06347).
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from arboretum_agents.neural.encoder import decision_phase
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.errors import TrainingError
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.actor_critic import ActorCritic
from arboretum_training.config import ExperimentConfig
from arboretum_training.decisions import KINDS, PHASES, Decisions
from arboretum_training.distributed import ALONE, Ranks
from arboretum_training.divergence import ADVICE, DivergenceError, Watch, minibatch_tensors
from arboretum_training.gae import generalised_advantages, group_by_trajectory
from arboretum_training.losses import (
    clipped_policy_loss,
    explained_variance,
    normalised,
    value_loss,
)
from arboretum_training.opponents.seating import Opponents
from arboretum_training.precision import computing_in, row_block
from arboretum_training.rollout import Collector, Finished
from arboretum_training.running_means import RunningMeans
from arboretum_training.schedules import linear

_CHOICES_TAG: Final = 0x5EED
_ORDER_TAG: Final = 0x0DE4
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


@dataclass(frozen=True)
class Judged:
    """Those decisions of an iteration and a kind that can be learned from, or some of them.

    Decisions are large: they are copied once, into the minibatch that learns from them.

    Attributes:
        collected: all decisions of the iteration and the kind.
        rows: [B] int64, which of them.
        advantages, returns: [B] as in ``Batch``.
    """

    collected: Decisions
    rows: NDArray[np.int64]
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.rows)

    def select(self, places: NDArray[np.int64]) -> "Judged":
        """Some of them, in their order."""
        return Judged(
            self.collected, self.rows[places], self.advantages[places], self.returns[places]
        )

    def batch(self) -> Batch:
        """Their copy."""
        return Batch(self.collected.select(self.rows), self.advantages, self.returns)


@dataclass(frozen=True)
class Update:
    """What one minibatch showed; all of it before the step that it led to.

    Attributes:
        metrics: means over the minibatch, by name.
        entropy: [B] nats, detached.
        values: [B] of the policy's own value head, detached.
        fault: why the step was not taken; None if it was.
    """

    metrics: dict[str, float]
    entropy: torch.Tensor
    values: torch.Tensor
    fault: str | None


class Learner:
    """The state of one learner of a run between two iterations.

    Args:
        config: the experiment, with the learner's own seed.
        opponents: who sits opposite it; None: it plays itself alone.
        ranks: the processes that learn together; each has its own games.

    Attributes:
        config, opponents, ranks: as given.
        model, optimizer: what is learned, and how far its learning is.
        collector: the games under way.
        carried: by kind, decisions that wait for their seat's next one.
        rng: draws choices, and which decisions are in a minibatch.
        order: draws the order of minibatches, in all processes alike.
        iteration: done since it began, or began anew.
        decisions, games: done so far by all processes, over every launch of the run.
        seconds: trained so far, likewise, by the first one's clock.
    """

    def __init__(
        self,
        config: ExperimentConfig,
        opponents: Opponents | None = None,
        ranks: Ranks = ALONE,
    ) -> None:
        self.config = config
        self.opponents = opponents
        self.ranks = ranks
        own_seed = ranks.seed(config.seed)
        self.rng = np.random.default_rng(np.random.SeedSequence((own_seed, _CHOICES_TAG)))
        self.order = np.random.default_rng(np.random.SeedSequence((config.seed, _ORDER_TAG)))
        self.model = _new_model(config, config.seed)
        self.optimizer = self._new_optimizer()
        root = root_from_seed(own_seed, Purpose.TRAIN)
        self.collector = Collector(config.game, config.rollout, root, self.rng, opponents)
        self.carried: dict[str, Decisions] = {}
        self._block = row_block(config.precision)
        self.iteration = 0
        self.decisions = 0
        self.games = 0
        self.seconds = 0.0

    @property
    def network(self) -> PolicyNetwork:
        """The policy that is learned."""
        return self.model.network

    def begin_anew(self, weights: Mapping[str, torch.Tensor] | None) -> None:
        """Forgets what was learned, and the games under way; counts on.

        Args:
            weights: of a model to begin with, copied; None: new ones.
        """
        if weights is None:
            weights = _new_model(self.config, int(self.order.integers(2**63))).state_dict()
        self.model.load_state_dict(dict(weights))
        self.optimizer = self._new_optimizer()
        self.carried = {}
        self.iteration = 0
        self.collector.deal_anew()

    def _new_optimizer(self) -> torch.optim.Adam:
        return torch.optim.Adam(
            self.model.parameters(),
            lr=self.config.ppo.learning_rate,
            eps=_ADAM_EPSILON,
            fused=True,
        )

    def iterate(self, progress: float) -> dict[str, float]:
        """Collects, learns, counts on.

        Args:
            progress: where the schedules are, from 0 to 1.

        Returns:
            The iteration's metrics, see ``arboretum_training.metrics.METRICS``.

        Raises:
            DivergenceError: a loss or gradient that is not finite, or numbers that stay beyond
                their bounds. The network is then of no use; the newest checkpoint is.
            TrainingError: likewise, weights that are not finite.
        """
        started = time.perf_counter()
        self.model.eval()
        with computing_in(self.config.precision):
            decisions, finished = self.collector.collect(self.model, self.carried)
        against: dict[str, float] = {}
        if self.opponents is not None:
            won = self.opponents.note(finished.seating, finished.points, finished.win_shares)
            against = self.opponents.metrics(won)
        judged, self.carried = self._judge(decisions, finished)
        collected = time.perf_counter()
        metrics = self._learn(judged, progress)
        ended = time.perf_counter()
        own = sum(len(part) for part in judged.values())
        learned, games = map(int, self.ranks.total([own, len(finished.turns)]))
        self.iteration += 1
        self.decisions += learned
        self.games += games
        self.seconds += self.ranks.of_first(ended - started)
        return (
            metrics
            | _game_metrics(finished)
            | against
            | {
                "time/rollout": collected - started,
                "time/update": ended - collected,
                "rollout/decisions": learned,
                "rollout/carried": sum(len(waiting) for waiting in self.carried.values()),
            }
        )

    def _judge(
        self, decisions: Mapping[str, Decisions], finished: Finished
    ) -> tuple[dict[str, Judged], dict[str, Decisions]]:
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
        estimates = generalised_advantages(
            together("value")[order], offsets, outcomes, is_finished,
            gamma=self.config.ppo.gamma, lam=self.config.ppo.lam,
        )  # fmt: skip
        advantages, returns = np.empty_like(estimates.advantages), np.empty_like(estimates.returns)
        ready = np.empty_like(estimates.ready)
        advantages[order], returns[order], ready[order] = (
            estimates.advantages, estimates.returns, estimates.ready,
        )  # fmt: skip
        if ready.any():
            advantages[ready] = normalised(as_tensor(advantages[ready])).numpy()
        judged, waiting = {}, {}
        first = 0
        for kind in KINDS:
            part = decisions[kind]
            span = slice(first, first + len(part))
            first += len(part)
            rows = np.flatnonzero(ready[span])
            judged[kind] = Judged(part, rows, advantages[span][rows], returns[span][rows])
            rest = np.flatnonzero(~ready[span])
            if len(rest):
                waiting[kind] = part.select(rest)
        return judged, waiting

    def _learn(self, judged: Mapping[str, Judged], progress: float) -> dict[str, float]:
        """Several passes over the decisions, in minibatches of one kind each."""
        ppo = self.config.ppo
        learning_rate = linear(
            ppo.learning_rate, ppo.learning_rate * ppo.learning_rate_end, progress
        )
        entropy_weight = linear(ppo.entropy, ppo.entropy_end, progress)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        self.model.train()
        means = RunningMeans()
        # The policy's own values of every decision, and what they should have been.
        public: list[tuple[torch.Tensor, torch.Tensor]] = []
        watch: Watch | None = None
        worst: tuple[int, int, Batch] | None = None
        for epoch in range(ppo.epochs):
            minibatches = self._minibatches(judged)
            watch = watch or Watch(ppo.epochs * len(minibatches))
            for number, part in enumerate(minibatches):
                minibatch = part.batch()
                update = self._update(minibatch, entropy_weight)
                fault = update.fault or watch.fault(update.metrics)
                if fault is not None:
                    raise self._diverged(fault, epoch, number, minibatch)
                if watch.is_worst(update.metrics):
                    worst = epoch, number, minibatch
                means.add(update.metrics, len(minibatch.returns))
                _add_entropies(means, minibatch, update.entropy)
                if epoch == 0:
                    public.append((update.values, as_tensor(minibatch.returns)))
        self._check_weights()
        if watch is not None and worst is not None:
            fault = watch.fault_of_iteration(means.result())
            if fault is not None:
                raise self._diverged(fault, *worst)
        schedules = {
            "schedule/learning_rate": learning_rate,
            "schedule/entropy_weight": entropy_weight,
        }
        if not public:  # opponents made all decisions that could be judged
            return schedules
        values = np.concatenate(
            [part.collected.arrays["value"][part.rows] for part in judged.values()]
        )
        returns = np.concatenate([part.returns for part in judged.values()])
        own, own_returns = (torch.cat(part) for part in zip(*public, strict=True))
        return means.result() | {
            "value/explained_variance": explained_variance(as_tensor(values), as_tensor(returns)),
            "value/explained_variance_public": explained_variance(own, own_returns),
            **schedules,
        }

    def _diverged(self, fault: str, epoch: int, number: int, minibatch: Batch) -> DivergenceError:
        where = {
            "iteration": self.iteration + 1,
            "epoch": epoch + 1,
            "minibatch": number + 1,
            "rows": len(minibatch.returns),
            "kind": minibatch.decisions.kind,
        }
        place = ", ".join(f"{name} {where[name]}" for name in ("iteration", "epoch", "minibatch"))
        return DivergenceError(
            f"{place}: {fault} on {where['rows']} {where['kind']} decisions: expected finite "
            f"numbers within their bounds; {ADVICE}",
            {name: str(value) for name, value in where.items()},
            minibatch_tensors(
                minibatch.decisions,
                {
                    "advantages": as_tensor(minibatch.advantages),
                    "returns": as_tensor(minibatch.returns),
                },
                self.model.state_dict(),
            ),
        )

    def _check_weights(self) -> None:
        """A finite gradient can still carry a weight beyond all numbers."""
        for name, parameter in self.model.named_parameters():
            if not bool(torch.isfinite(parameter).all()):
                raise TrainingError(
                    f"iteration {self.iteration + 1}: weights {name!r} after the update: expected "
                    f"finite numbers; {ADVICE}"
                )

    def _minibatches(self, judged: Mapping[str, Judged]) -> list[Judged]:
        """All decisions once, shuffled, in about ``minibatches`` parts of one kind each."""
        counts = [len(of_kind) for of_kind in judged.values()]
        means = [total / self.ranks.size for total in self.ranks.total(counts)]
        size = max(sum(means) / self.config.ppo.minibatches, 1)
        parts: list[Judged] = []
        # All processes take their steps together: as many of each kind, in the same order.
        for of_kind, mean, fewest in zip(
            judged.values(), means, self.ranks.least(counts), strict=True
        ):
            if fewest:
                shuffled = self.rng.permutation(len(of_kind))
                pieces = np.array_split(shuffled, int(min(max(round(mean / size), 1), fewest)))
                parts.extend(of_kind.select(_whole_blocks(rows, self._block)) for rows in pieces)
        return [parts[index] for index in self.order.permutation(len(parts))]

    def _update(self, minibatch: Batch, entropy_weight: float) -> Update:
        """One step of the optimiser, unless its loss or gradient is not finite."""
        ppo = self.config.ppo
        arrays = {name: as_tensor(array) for name, array in minibatch.decisions.arrays.items()}
        with computing_in(self.config.precision):
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
        metrics = self.ranks.average(
            [p.grad for p in self.model.parameters() if p.grad is not None],
            {
                "loss": float(loss.detach()),
                "loss/policy": float(policy.loss.detach()),
                "loss/value": float(public.detach()),
                "loss/critic": float(critic.detach()),
                "loss/belief": float(now.belief_loss.detach()),
                "belief/skill": float(now.uniform_belief_loss - now.belief_loss.detach())
                / math.log(2),
                "policy/entropy": float(entropy.detach()),
                "policy/approx_kl": float(policy.approx_kl),
                "policy/clip_fraction": float(policy.clip_fraction),
            },
        )
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), ppo.max_grad_norm)
        total = metrics.pop("loss")
        fault = None
        if math.isfinite(total) and torch.isfinite(norm):
            self.optimizer.step()
        else:
            fault = f"loss {total}, gradient norm {norm.item()}"
        metrics["policy/grad_norm"] = float(norm)
        return Update(metrics, now.entropy.detach(), now.values.detach(), fault)


def _new_model(config: ExperimentConfig, seed: int) -> ActorCritic:
    with torch.random.fork_rng(devices=[]):
        # Layers can only be initialised from torch's global generator: it is put back after.
        torch.manual_seed(seed)
        return ActorCritic(config.game, config.network, config.ppo.critic)


def _whole_blocks(rows: NDArray[np.int64], block: int) -> NDArray[np.int64]:
    """Rows that fill whole blocks: some of them twice, unless all of them fill none."""
    return np.resize(rows, -(-len(rows) // block) * block) if len(rows) > block else rows


def _add_entropies(means: RunningMeans, minibatch: Batch, entropy: torch.Tensor) -> None:
    """Adds the mean entropy of every phase that a minibatch has decisions of."""
    phases = decision_phase(as_tensor(minibatch.decisions.arrays["scalars"]))
    for index, name in enumerate(PHASES):
        of_phase = entropy[phases == index]
        if len(of_phase):
            means.add({f"policy/phase_entropy/{name}": float(of_phase.mean())}, len(of_phase))


def _game_metrics(finished: Finished) -> dict[str, float]:
    if not len(finished.turns):
        return {}
    shares = finished.win_shares
    return {
        "games/turns": float(finished.turns.mean()),
        "games/score": float(finished.points.mean()),
        "games/ties": float((shares.max(axis=1) < 1).mean()),
        "games/lost": float(finished.denied_points.mean()),
    } | {f"games/win_rate/{seat}": float(shares[:, seat].mean()) for seat in range(shares.shape[1])}
