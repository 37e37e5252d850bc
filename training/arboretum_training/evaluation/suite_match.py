"""One match of the suite: an agent alone against copies of a rung, resumable in a folder."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import Mode
from arboretum_env.seeding import Purpose
from arboretum_training.evaluation.agent_identity import AgentIdentity
from arboretum_training.evaluation.evaluate import Games, unique_names
from arboretum_training.evaluation.executor import Workers
from arboretum_training.evaluation.suite import SEED, game_of
from arboretum_training.evaluation.tournament import (
    Tournament,
    TournamentSettings,
    Watcher,
    open_tournament,
)


@dataclass(frozen=True)
class SuiteMatch:
    """An agent against a rung.

    Attributes:
        agent: sits alone.
        rung: sits in all other seats.
        players: seats.
        deals: deals 0.. of the suite.
        folder: of everything that belongs together; the match has a folder in it.
        mode: see ``registry.Mode``.
    """

    agent: AgentIdentity
    rung: AgentIdentity
    players: int
    deals: int
    folder: Path
    mode: Mode = "sample"

    @property
    def name(self) -> str:
        """Names its folder: players, and both agents by their frozen names."""
        both = f"{self.agent.pinned}-against-{self.rung.pinned}"
        return f"{self.players}p-{re.sub('[^A-Za-z0-9@.=-]', '_', both)}"

    @cached_property
    def settings(self) -> TournamentSettings:
        """What is played, as a tournament of one table."""
        names = unique_names([self.agent.pinned, self.rung.pinned])
        return TournamentSettings(
            agents=tuple(
                AgentIdentity(name, who.agent, who.pinned, who.digest, who.source)
                for name, who in zip(names, (self.agent, self.rung), strict=True)
            ),
            config=game_of(self.players),
            form="round-robin",
            tables=((0, 1),),
            deals=self.deals,
            seed=SEED,
            mode=self.mode,
            purpose=Purpose.SUITE,
        )

    @cached_property
    def tournament(self) -> Tournament:
        """What is done of it; made if need be."""
        return open_tournament(self.folder / self.name, self.settings)

    @property
    def records(self) -> Path:
        """The folder of its game records."""
        return self.folder / self.name / "games"

    def play(self, *, workers: Workers, watch: Watcher | None = None, records: bool = True) -> None:
        """Plays what is missing; see ``Tournament.play``."""
        self.tournament.play(
            workers=workers, watch=watch, save_games=self.records if records else None
        )

    def games(self) -> Games:
        """All of its games; the agent has index 0."""
        return self.tournament.games()[0]


def lone_shares(games: Games, agent: int = 0) -> NDArray[np.float64]:
    """[D] mean share of the win that went to the seats of an agent, deal by deal."""
    wins = np.where(games.seating == agent, games.win_shares, 0.0).sum(axis=1)
    deals = len(np.unique(games.deal_id))
    shares: NDArray[np.float64] = wins.reshape(deals, -1).mean(axis=1)
    return shares
