"""Who sits where in the games of one learner, drawn when a game is dealt.

``N`` games, ``E`` of them ended, ``P`` players.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_training.distributed import ALONE, Ranks
from arboretum_training.league_config import HousePoolConfig, LeagueConfig
from arboretum_training.opponents.pool import Member, Pool
from arboretum_training.opponents.priorities import (
    Tally,
    beaten,
    draw_shares,
    effective_number,
    preferences,
)

LEARNER: Final = -1
"""In a seating: the learner whose games they are."""


@dataclass(frozen=True)
class Target:
    """Whom an exploiter plays.

    Attributes:
        name: of the main learner.
        current: share of the games against it as it is now.
        recent: how many of its newest snapshots the others are against.
    """

    name: str
    current: float
    recent: int

    @classmethod
    def of(cls, name: str, league: LeagueConfig) -> "Target":
        """By an experiment's options."""
        return cls(name, league.current, league.recent)


class Opponents:
    """The opponents of one learner.

    A main learner plays itself, or bots, or snapshots of everybody; an exploiter its target, as it
    is or as it was. In a game with opponents the learner has one seat; a main learner among more
    than two players any number of seats that leaves one, unless ``config.seats`` says one. Every
    seat is as likely as any other.

    Args:
        name: the learner's.
        pool: who there is.
        config: how much of whom.
        target: whom to exploit; None: the learner is a main one.
        rng: draws opponents and seats; advanced.
        ranks: the processes whose games are remembered together.

    Attributes:
        tallies: by number, what is remembered of the games against a member.
        slots: numbers of the snapshots that new games are against, each equally often.
    """

    def __init__(
        self,
        name: str,
        pool: Pool,
        config: HousePoolConfig,
        target: Target | None,
        rng: np.random.Generator,
        ranks: Ranks = ALONE,
    ) -> None:
        self.name = name
        self.pool = pool
        self.config = config
        self.target = target
        self.rng = rng
        self.ranks = ranks
        self.tallies: dict[int, Tally] = {}
        self.slots: list[int] = []

    def candidates(self) -> list[Member]:
        """Snapshots that may be drawn, the oldest first."""
        if self.target is None:
            return self.pool.snapshots()
        return self.pool.snapshots(self.target.name)[-self.target.recent :]

    def shares(self, candidates: Sequence[Member]) -> NDArray[np.float64]:
        """[N] how often each of some candidates, at least one, is drawn."""
        rates = np.array([self.tally(member.number).win_rate for member in candidates])
        preferred = preferences(rates, self.config.priority, self.config.power)
        return draw_shares(preferred, self.config.floor)

    def tally(self, number: int) -> Tally:
        """What is remembered of the games against a member."""
        return self.tallies.get(number, Tally())

    def draw(self) -> None:
        """Draws one of the snapshots that new games are against anew, and those that have left.

        Few sit at the tables at a time, and most of them stay for the next iteration, so that each
        has many games to decide in at once.
        """
        candidates = self.candidates()
        if not candidates:
            self.slots = []
            return
        numbers = [member.number for member in candidates]
        oldest = 1 if len(self.slots) == self.config.concurrent else 0
        kept = [number for number in self.slots[oldest:] if number in numbers]
        kept = kept[: self.config.concurrent - 1]
        size = self.config.concurrent - len(kept)
        drawn = self.rng.choice(numbers, size=size, p=self.shares(candidates))
        self.slots = [*kept, *drawn.tolist()]

    def seat(self, games: int) -> NDArray[np.int64]:
        """Seats new games.

        Returns:
            [N, P] members' numbers, and ``LEARNER``.
        """
        players = self.pool.game.num_players
        seating = np.full((games, players), LEARNER, np.int64)
        if self.target is None and self.config.latest >= 1:
            return seating
        # As many numbers for every game, whoever turns out to sit in it.
        drawn = self.rng.random((games, 2 + 2 * players))
        choices = self._choices()
        kind = np.searchsorted(np.cumsum([share for share, _ in choices]), drawn[:, 0], "right")
        kind = np.minimum(kind, len(choices) - 1)  # shares may miss 1 by a rounding error
        own = np.ones(games, np.int64)
        if self.target is None and self.config.seats == "any":
            own += (drawn[:, 1] * (players - 1)).astype(np.int64)
        place = drawn[:, 2 : 2 + players].argsort(axis=1).argsort(axis=1)
        for index, (_, numbers) in enumerate(choices):
            if numbers:
                pick = (drawn[:, 2 + players :] * len(numbers)).astype(np.int64)
                theirs = (kind == index)[:, None] & (place >= own[:, None])
                seating[theirs] = np.array(numbers)[pick[theirs]]
        return seating

    def _choices(self) -> list[tuple[float, list[int]]]:
        """(share of the games, members that sit in them), 1 together; nobody: the learner alone."""
        if self.target is not None:
            live = [self.pool.learner(self.target.name).number]
            return [
                (self.target.current, live),
                (1 - self.target.current, self.slots or live),
            ]
        config = self.config
        bots = [member.number for member in self.pool.bots]
        return [
            (config.latest, []),
            (config.bot_share, bots),
            (config.snapshot_share, self.slots),
        ]

    def note(
        self,
        seating: NDArray[np.int64],
        points: NDArray[np.int64],
        win_shares: NDArray[np.float64],
    ) -> dict[str, float]:
        """Remembers how games ended.

        Args:
            seating, points, win_shares: [E, P].

        Returns:
            Win rate against each kind of member that sat in them, by ``label``.
        """
        by_label: dict[str, list[NDArray[np.float64]]] = {}
        sums = {number: [0.0, 0.0] for number in sorted(self.pool.present)}
        for number in np.unique(seating[seating != LEARNER]).tolist():
            member = self.pool[number]
            rows, own, other = _pairs(seating, number)
            better = beaten(points[rows], win_shares[rows], own, other)
            if number in sums:
                sums[number] = [float(better.sum()), len(better)]
            by_label.setdefault(self.label(member), []).append(better)
        together = iter(self.ranks.total(x for pair in sums.values() for x in pair))
        for number, wins, games in zip(sums, together, together, strict=True):
            if games:
                self.tallies[number] = self.tally(number).after(
                    wins, int(games), self.config.memory
                )
        return {
            label: float(np.concatenate(parts).mean()) for label, parts in sorted(by_label.items())
        }

    def label(self, member: Member) -> str:
        """What kind a member is to this learner: its own snapshots, those of another, or a bot."""
        if member.kind == "snapshot":
            return "snapshots" if member.owner == self.name else member.owner
        return member.name

    def forget(self) -> None:
        """Drops the tallies of those that are no longer in the pool."""
        self.tallies = {
            number: tally for number, tally in self.tallies.items() if number in self.pool.members
        }

    def metrics(self, win_rates: Mapping[str, float]) -> dict[str, float]:
        """Metrics of an iteration of a main learner; none if it plays itself alone.

        Args:
            win_rates: what ``note`` returned.
        """
        if self.config.latest >= 1:
            return {}
        candidates = self.candidates()
        effective = effective_number(self.shares(candidates)) if candidates else 0.0
        return {
            "pool/snapshots": len(candidates),
            "pool/effective": effective,
        } | {f"pool/win_rate/{label}": rate for label, rate in win_rates.items()}


def _pairs(
    seating: NDArray[np.int64], number: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Game, learner's seat and member's seat of every pair of them at one table."""
    together = (seating == LEARNER)[:, :, None] & (seating == number)[:, None, :]
    rows, own, other = np.nonzero(together)
    return rows, own, other
