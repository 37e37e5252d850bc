"""What would come of a position if an agent played on in every seat: outcomes of many worlds.

``N`` denotes worlds, ``P`` players. The worlds of a view are all deals that are consistent with it,
if they are few, or else a sample of them, uniform over those deals. Worlds number i of any two
positions share their key, and the agent's randomness in them: what is compared differs by the
position alone (common random numbers).
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import AgentSpecError, make_agent
from arboretum_agents.search.agent import SearchAgent
from arboretum_agents.search.endgame import consistent_deals, count_deals
from arboretum_agents.search.rollouts import CHUNK, play_until
from arboretum_env.agent import Agent, is_deterministic
from arboretum_env.config import GameConfig
from arboretum_env.determinize import determinize
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ConfigError
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_training.research.figure import Figure, mean_figure, share_figure
from arboretum_training.research.progress import Pulse

DEFAULT_WORLDS: Final = 256
MIN_WORLDS: Final = 16
MAX_WORLDS: Final = 4096

_PURPOSE: Final = 0xA7B0  # keeps the worlds of analyses apart from other uses of a seed


@dataclass(frozen=True)
class Outcomes:
    """Finished games of N worlds.

    Attributes:
        points: [N, P] final points.
        win_shares: [N, P] a win shared by k seats counts 1/k.
        enumerated: whether the worlds are all there are and the play in them is certain, so that
            their mean is exact.
    """

    points: NDArray[np.float64]
    win_shares: NDArray[np.float64]
    enumerated: bool

    @property
    def margins(self) -> NDArray[np.float64]:
        """[N, P] points minus the mean of the others' points."""
        players = self.points.shape[1]
        total = self.points.sum(axis=1, keepdims=True)
        margins: NDArray[np.float64] = self.points - (total - self.points) / (players - 1)
        return margins

    def margin(self, seat: int) -> Figure:
        """The expected margin of a seat, in points."""
        return mean_figure(self.margins[:, seat], enumerated=self.enumerated)

    def win_chance(self, seat: int) -> Figure:
        """A seat's chance to win."""
        return share_figure(self.win_shares[:, seat], enumerated=self.enumerated)


@dataclass(frozen=True)
class Worlds:
    """Worlds of one position.

    Attributes:
        games: N games; whoever plays in them works on a copy.
        every: whether they are all there are.
    """

    games: GameState
    every: bool


class _Stoppable:
    """An agent that says before every decision that it is at work."""

    def __init__(self, agent: Agent, pulse: Pulse) -> None:
        self._agent, self._pulse = agent, pulse

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        self._agent.reset(game_ids, seed)

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        self._pulse()
        return self._agent.act(views)


class Playouts:
    """Plays worlds to their end with one agent in every seat.

    Args:
        agent: it is reset here.
        worlds: how many are sampled, and up to how many are enumerated.
        seed: of the worlds and of the agent's randomness.

    Attributes:
        certain: whether the agent draws no random numbers.

    Raises:
        ConfigError: a number of worlds out of range.
    """

    def __init__(self, agent: Agent, worlds: int = DEFAULT_WORLDS, seed: int = 0) -> None:
        if not MIN_WORLDS <= worlds <= MAX_WORLDS:
            raise ConfigError(f"worlds {worlds}: expected {MIN_WORLDS}..{MAX_WORLDS}")
        self.agent = agent
        self.seed = seed
        self.certain = is_deterministic(agent)
        sequence = np.random.SeedSequence((seed, _PURPOSE))
        self._keys: NDArray[np.uint64] = sequence.generate_state(worlds, np.uint64).astype(
            np.uint64
        )
        agent.reset(np.arange(worlds, dtype=np.uint64), seed)
        self._player: Agent = agent

    def stoppable(self, pulse: Pulse) -> Self:
        """The same playouts, which call ``pulse`` before all worlds take their next decision."""
        other = copy(self)
        other._player = _Stoppable(self.agent, pulse)
        return other

    @property
    def most(self) -> int:
        """How many worlds are sampled, and up to how many are enumerated."""
        return len(self._keys)

    def worlds(self, view: PlayerView) -> Worlds:
        """The worlds of what a seat sees: all there are, if they are few and the play is certain.

        Where the play is not certain a sample of many worlds says more than each of a few once.
        """
        views = PlayerViews(view.config, view.to_observation()[None, :])
        if view.phase is Phase.GAME_OVER:
            return Worlds(determinize(views, self._keys[:1]), every=True)
        # Which card a rival has chosen is one more thing that is hidden, and is not enumerated.
        told = view.phase is not Phase.PLACE or view.mover == view.seat
        if told and self.certain:
            world = determinize(views, self._keys[:1])
            if count_deals(world, view.seat) <= len(self._keys):
                return Worlds(consistent_deals(world, view.seat), every=True)
        return self.sampled(view)

    def sampled(self, view: PlayerView) -> Worlds:
        """A sample of the worlds of what a seat sees, however few there are."""
        views = PlayerViews(view.config, view.to_observation()[None, :])
        rows = np.zeros(len(self._keys), np.int64)
        return Worlds(determinize(views.select(rows), self._keys), every=False)

    def open_worlds(self, state: GameState) -> Worlds:
        """Worlds of somebody who sees every hand, but not the deck's order.

        Args:
            state: one game.
        """
        if state.done[0] or (state.deck_left[0] <= 1 and self.certain):
            return Worlds(state.clone(), every=True)
        games = state.select(np.zeros(len(self._keys), np.int64))
        drawn = int(state.rows["drawn"][0])
        for row, key in enumerate(self._keys):
            deck = games.rows["deck"][row]
            deck[drawn:] = np.random.default_rng(int(key)).permutation(deck[drawn:])
        return Worlds(games, every=False)

    def outcomes(self, worlds: Worlds, actions: Sequence[int] = ()) -> Outcomes:
        """Plays worlds out.

        Args:
            worlds: see ``worlds``.
            actions: flat ids of decisions of the seat to move that come first; legal ones.
        """
        games = worlds.games.clone()
        for action in actions:
            apply_action(games, np.full(len(games), action, np.int64))
        return self.play_out(games, every=worlds.every)

    def play_out(self, games: GameState, *, every: bool = False) -> Outcomes:
        """Plays games to their end.

        Args:
            games: N games; not changed.
            every: whether they are all there are.
        """
        certain = self.certain or bool(games.done.all())
        points, wins = [], []
        ids = np.arange(len(games), dtype=np.uint64)
        for first in range(0, len(games), CHUNK):
            part = games.select(slice(first, first + CHUNK))
            play_until(part, self._player, ids[first : first + CHUNK], -1)
            scores = score(part)
            points.append(scores.points.astype(np.float64))
            wins.append(scores.win_shares)
        return Outcomes(np.concatenate(points), np.concatenate(wins), every and certain)


def make_playouts(spec: str, config: GameConfig, worlds: int = DEFAULT_WORLDS) -> Playouts:
    """Playouts by the agent that a spec names.

    Raises:
        AgentSpecError: no such agent, or one that would take hours.
        ConfigError: a number of worlds out of range.
    """
    agent = make_agent(spec, config)
    if isinstance(agent, SearchAgent):
        raise AgentSpecError(
            f"agent {spec!r}: a search in every seat of every world takes too long: name a bot or "
            "a network"
        )
    return Playouts(agent, worlds)
