"""Opponents of a learner, as an experiment names them: its pool, and its league."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from arboretum_training.config_section import Section, Share

Priority = Literal["uniform", "hard", "even"]
"""By what an opponent is preferred, see ``opponents.priorities.preferences``."""


class PoolConfig(Section):
    """Whom the learner plays: itself, snapshots of its past, and bots if there are to be some."""

    latest: Share = 0.5
    """Share of the opponents that are the policy as it is now."""

    every: Annotated[int, Field(ge=1)] = 10
    """Iterations between two snapshots."""

    size: Annotated[int, Field(ge=1)] = 5
    """How many of the newest snapshots stay. They share what the latest and the bots leave."""

    bots: tuple[str, ...] = ()
    """Other agents among the opponents, e.g. greedy."""

    bot_share: Share = 0.0
    """Share of the opponents that are bots, each of them equally often."""

    @model_validator(mode="after")
    def _shares_fit(self) -> Self:
        if len(set(self.bots)) != len(self.bots):
            raise ValueError(f"bots {list(self.bots)}: expected different agents")
        if bool(self.bots) != (self.bot_share > 0):
            raise ValueError(
                f"bots {list(self.bots)} with bot_share {self.bot_share:g}: expected both or none"
            )
        # Decimal fractions that make up 1 may miss it by a rounding error.
        if self.latest + self.bot_share > 1 + 1e-9:
            raise ValueError(
                f"latest {self.latest:g} and bot_share {self.bot_share:g}: expected at most 1 "
                "together"
            )
        return self

    @property
    def snapshot_share(self) -> float:
        """What the latest and the bots leave."""
        return max(1.0 - self.latest - self.bot_share, 0.0)


class HousePoolConfig(PoolConfig):
    """Whom a learner plays beside itself: snapshots of its past and of exploiters, and bots."""

    latest: Share = 1.0
    """Share of the games with the policy as it is now in every seat. In the others, opponents sit
    in some seats, from which nothing is learned."""

    every: Annotated[int, Field(ge=1)] = 25
    """Iterations between two snapshots."""

    size: Annotated[int, Field(ge=1)] = 8
    """How many snapshots stay: the newest half, and older ones ever further apart."""

    bots: tuple[str, ...] = ()
    """Other agents among the opponents. The weights of run folders are copied into the run."""

    bot_share: Share = 0.0
    """Share of the games that are against bots, each of them equally often."""

    seats: Literal["any", "one"] = "any"
    """Seats that the learner has in games with opponents: any number that leaves one, or one."""

    priority: Priority = "even"
    """Which snapshots are preferred: those that the learner seldom beats (hard), those that are
    about as good as it is (even), or none (uniform)."""

    power: Annotated[float, Field(gt=0)] = 1.0
    """How much hard prefers them: the chance of losing to this power."""

    floor: Share = 0.2
    """Share of the draws of snapshots that prefer none, so that all of them are met."""

    memory: Annotated[int, Field(ge=1)] = 400
    """Games against an opponent over which its win rate is remembered."""

    concurrent: Annotated[int, Field(ge=1)] = 4
    """Snapshots that games are against at a time; every iteration one of them is drawn anew. More
    of them are more varied, and slower."""


class LeagueConfig(Section):
    """Learners beside the one whose policy the run is for, which is called main."""

    mains: Annotated[int, Field(ge=1, le=16)] = 1
    """Learners that play by the pool, each against everybody's snapshots; the first is main."""

    exploiters: Annotated[int, Field(ge=0, le=16)] = 0
    """Learners that play a main one alone, to find what it does badly."""

    exploiter_share: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of all iterations that are the exploiters', the same for each."""

    burst: Annotated[int, Field(ge=1)] = 10
    """Iterations that an exploiter does in a row, while the main learner stands still: one that
    learned as seldom as its share says would run after a target that moves on."""

    current: Share = 0.5
    """Share of an exploiter's games against the main learner as it is at that time; the others
    are against its newest snapshots."""

    recent: Annotated[int, Field(ge=1)] = 3
    """How many of these snapshots."""

    begin: Literal["main", "fresh"] = "main"
    """What an exploiter begins with, each time: the weights of the main learner, or new ones."""

    threshold: Annotated[float, Field(gt=0.5, lt=1)] = 0.6
    """Win rate against the main learner at which an exploiter is done: a snapshot of it joins the
    pool, and it begins anew. Equals have 0.5 whatever the number of players."""

    timeout: Annotated[int, Field(ge=1)] = 60
    """Iterations of its own after which an exploiter is done in any case."""

    learning_rate: Annotated[float, Field(gt=0, le=1)] = 1e-3
    """Step size of an exploiter at its beginning; it falls as the main one's, over the timeout."""

    size: Annotated[int, Field(ge=1)] = 2
    """How many snapshots of each exploiter stay, by the same rule as the pool's."""

    @model_validator(mode="after")
    def _share_fits(self) -> Self:
        if (self.exploiters > 0) != (self.exploiter_share > 0):
            raise ValueError(
                f"exploiters {self.exploiters} with exploiter_share {self.exploiter_share:g}: "
                "expected both or none"
            )
        return self
