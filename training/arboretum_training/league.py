"""Everybody who learns in a run, and whose turn it is.

The learner ``main`` is the one whose policy the run is for; by default it is the only one and plays
itself. Beside it there may be further main learners, which play by the same pool, and exploiters,
which play a main one alone: what they find, main meets as snapshots of them.

    main ----------------- plays itself, bots, snapshots of everybody
      |  ^                      ^
      |  | weights              | a snapshot, when it wins often enough or its time is up
      v  |                      |
    exploiter ------------ plays main as it is, and its newest snapshots

Source: Vinyals et al. 2019, "Grandmaster level in StarCraft II using multi-agent reinforcement
learning" (Nature 575), Methods, "League training"; its main exploiters.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from arboretum_agents.neural.network import PolicyNetwork
from arboretum_training.config import ExperimentConfig
from arboretum_training.distributed import ALONE, Ranks
from arboretum_training.opponents.pool import Pool
from arboretum_training.opponents.seating import Opponents, Target
from arboretum_training.ppo import Learner
from arboretum_training.start import read_start

MAIN: Final = "main"
_SEATING_TAG: Final = 0x5EA7


@dataclass
class Role:
    """A learner of a league, and its part in it.

    Attributes:
        name: ``main``, ``main2``, ``exploiter1`` ...
        learner: learns.
        opponents: the learner's.
        pace: its iterations for each one of main.
        target: whom it exploits; None: it is a main learner.
        turns: its iterations so far.
    """

    name: str
    learner: Learner
    opponents: Opponents
    pace: float
    target: str | None
    turns: int = 0


def turns_due(main_turns: int, pace: float, burst: int = 1) -> int:
    """How many iterations a learner should have done once main has done ``main_turns``.

    Args:
        main_turns: see above.
        pace: its iterations for each one of main.
        burst: how many of them it does in a row.
    """
    # 0.1 * 30 is a hair below 3.
    return int(main_turns * pace / burst + 1e-9) * burst


class League:
    """The state of a training run between two iterations.

    Args:
        config: the experiment.
        pool: who is there already, in a resumed run; None: the experiment's bots.
        ranks: the processes that the run is of.

    Attributes:
        config, ranks: as given.
        pool: whom learners may play.
        roles: the learners by name, main first.

    Raises:
        ArboretumError: a bot that cannot be made or may not sit in a pool, or weights to start from
            that do not fit.
    """

    def __init__(
        self, config: ExperimentConfig, pool: Pool | None = None, ranks: Ranks = ALONE
    ) -> None:
        self.config = config
        self.ranks = ranks
        self.pool = Pool(config.game, config.seed) if pool is None else pool
        self.pool.invite(config.pool.bots)
        self.roles: dict[str, Role] = {}
        start = read_start(config) if pool is None else None
        league = config.league
        mains = [MAIN, *(f"{MAIN}{number}" for number in range(2, league.mains + 1))]
        for name in mains:
            self._add(name, pace=1.0, target=None)
            if start is not None:
                start.load_into(self.roles[name].learner.model)
            if league.exploiters:
                self.pool.enrol(name, self.roles[name].learner.network)
        if league.exploiters:
            share = league.exploiter_share
            pace = share / (1 - share) * league.mains / league.exploiters
            for number in range(league.exploiters):
                target = mains[number % league.mains]
                self._add(f"exploiter{number + 1}", pace=pace, target=target)

    def _add(self, name: str, *, pace: float, target: str | None) -> None:
        index = len(self.roles)
        config = self.config
        if index:
            # Main has the run's own seed, so that a league changes nothing that it draws first.
            sequence = np.random.SeedSequence((config.seed, index))
            seed = int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))
            config = config.model_copy(update={"seed": seed})
        if target is not None:
            ppo = config.ppo.model_copy(update={"learning_rate": config.league.learning_rate})
            config = config.model_copy(update={"ppo": ppo})
        opponents = Opponents(
            name,
            self.pool,
            config.pool,
            None if target is None else Target.of(target, config.league),
            np.random.default_rng(
                np.random.SeedSequence((self.ranks.seed(config.seed), _SEATING_TAG))
            ),
            self.ranks,
        )
        learner = Learner(config, opponents, self.ranks)
        if target is not None and self.config.league.begin == "main":
            learner.model.load_state_dict(self.roles[target].learner.model.state_dict())
        self.roles[name] = Role(name, learner, opponents, pace, target)

    @property
    def main(self) -> Learner:
        """The learner that the run is for."""
        return self.roles[MAIN].learner

    @property
    def learners(self) -> list[Learner]:
        """All of them, main first."""
        return [role.learner for role in self.roles.values()]

    @property
    def network(self) -> PolicyNetwork:
        """Main's policy."""
        return self.main.network

    @property
    def iteration(self) -> int:
        """Iterations of main so far."""
        return self.main.iteration

    @property
    def decisions(self) -> int:
        """Decisions learned from so far, by all learners over every launch of the run."""
        return sum(learner.decisions for learner in self.learners)

    @property
    def games(self) -> int:
        """Games finished so far, likewise."""
        return sum(learner.games for learner in self.learners)

    @property
    def seconds(self) -> float:
        """Seconds trained so far, likewise."""
        return sum(learner.seconds for learner in self.learners)

    @property
    def progress(self) -> float:
        """Share of the budget that is used."""
        return self.config.budget.progress(self.decisions, self.seconds)

    def iterate(self) -> dict[str, float]:
        """An iteration of main, and before it those that the other learners are due.

        Returns:
            The metrics of main's, see ``arboretum_training.metrics.METRICS``; times and numbers of
            decisions are of all learners together.

        Raises:
            TrainingError: see ``Learner.iterate``.
        """
        decisions, seconds, progress = self.decisions, self.seconds, self.progress
        parts = []
        for role in self.roles.values():
            burst = 1 if role.target is None else self.config.league.burst
            due = turns_due(self.iteration + 1, role.pace, burst)
            while role.name != MAIN and role.turns < due:
                parts.append(self._turn(role, progress))
        parts.append(self._turn(self.roles[MAIN], progress))
        if self._keeps_snapshots and self.iteration % self.config.pool.every == 0:
            for role in self.roles.values():
                if role.target is None:
                    self._take_snapshot(role, self.config.pool.size)
        self._tidy()
        learned = self.decisions - decisions
        summed = ("time/rollout", "time/update")
        return (
            parts[-1]
            | {name: sum(part[name] for part in parts) for name in summed}
            | self._exploiter_metrics()
            | {
                "progress/iteration": self.iteration,
                "progress/games": self.games,
                "progress/budget": self.progress,
                "time/training": self.seconds,
                "speed/decisions": learned / (self.seconds - seconds),
                "rollout/decisions": learned,
            }
        )

    def _turn(self, role: Role, progress: float) -> dict[str, float]:
        """One iteration of one learner."""
        role.turns += 1
        if role.target is None:
            return role.learner.iterate(progress)
        # The schedules of an exploiter are those of a run as long as its time-out.
        metrics = role.learner.iterate(min(role.learner.iteration / self.config.league.timeout, 1))
        if self._is_done(role):
            self._take_snapshot(role, self.config.league.size)
            self._begin_anew(role)
        return metrics

    def _is_done(self, role: Role) -> bool:
        """Whether an exploiter wins often enough, or its time is up."""
        assert role.target is not None
        league = self.config.league
        tally = role.opponents.tally(self.pool.learner(role.target).number)
        # Half of what is remembered is enough to go by: luck is then small.
        known = tally.games >= self.config.pool.memory / 2
        return role.learner.iteration >= league.timeout or (
            known and tally.win_rate >= league.threshold
        )

    def _begin_anew(self, role: Role) -> None:
        assert role.target is not None
        weights = None
        if self.config.league.begin == "main":
            weights = self.roles[role.target].learner.model.state_dict()
        role.opponents.tallies.clear()
        role.learner.begin_anew(weights)

    @property
    def _keeps_snapshots(self) -> bool:
        return self.config.pool.snapshot_share > 0

    def _take_snapshot(self, role: Role, size: int) -> None:
        self.pool.take_snapshot(role.name, self.decisions, role.learner.network, size)

    def _tidy(self) -> None:
        """Lets go of members that have left the pool, once nobody plays them any more."""
        seated = np.concatenate([learner.collector.seating.ravel() for learner in self.learners])
        left = sorted(self.pool.left)
        counts = self.ranks.total(float((seated == number).sum()) for number in left)
        self.pool.forget(number for number, count in zip(left, counts, strict=True) if count)
        for role in self.roles.values():
            role.opponents.forget()

    def _exploiter_metrics(self) -> dict[str, float]:
        metrics: dict[str, float] = {}
        for role in self.roles.values():
            if role.target is not None:
                number = self.pool.learner(role.target).number
                metrics[f"league/win_rate/{role.name}"] = role.opponents.tally(number).win_rate
                metrics[f"league/iteration/{role.name}"] = role.learner.iteration
        return metrics
