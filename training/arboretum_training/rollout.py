"""Collecting decisions of a learner, against itself and others.

Games are played side by side in lock step: all are always in the same phase, so that a batch needs
one head of a network. A game that ends is followed by a new deal. The learner sits in all seats, or
opponents sit in some (``opponents.seating``): only the learner's decisions are recorded. Whoever
has to decide in several games at once does so in one batch.

PLAY and PLACE are one joint decision here (a card on a cell). So a turn has four decisions: two
draws, a placement, a discard.

``B`` games, ``G`` trajectories, ``E`` ended games, ``P`` players.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from arboretum_agents.neural.policy import as_tensor
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import Scores, score
from arboretum_env.engine.state import GameState
from arboretum_env.match import decide
from arboretum_env.phase import Phase
from arboretum_env.rewards import RewardKind, final_rewards
from arboretum_env.view import PlayerViews, redact
from arboretum_training.actor_critic import ActorCritic
from arboretum_training.choices import choose
from arboretum_training.config import RolloutConfig
from arboretum_training.decisions import KINDS, Decisions
from arboretum_training.opponents.pool import Pool
from arboretum_training.opponents.seating import LEARNER, Opponents
from arboretum_training.privileged import encode_truth

DECISIONS_PER_TURN: Final = 4  # of the learner: two draws, a placement, a discard


@dataclass
class Finished:
    """Games that ended in a window.

    Attributes:
        trajectories: [G] their trajectories, a seat of a game each.
        outcomes: [G] float32, the return of that seat.
        turns: [E] turns of each of the E ended games.
        points, denied_points, win_shares: [E, P] by seat.
        seating: [E, P] who sat where, see ``Collector``.
    """

    trajectories: NDArray[np.int64]
    outcomes: NDArray[np.float32]
    turns: NDArray[np.int64]
    points: NDArray[np.int64]
    denied_points: NDArray[np.int64]
    win_shares: NDArray[np.float64]
    seating: NDArray[np.int64]


def seat_returns(scores: Scores, reward: RewardKind) -> NDArray[np.float32]:
    """What every seat learns from a game.

    Args:
        scores: B games.
        reward: as the environment's (``final_rewards``), but with the margin squashed by tanh: the
            critic needs bounds, and a rout teaches no more than a clear win.

    Returns:
        [B, P] float32 in [-1, 1]; ``win`` sums to zero over the seats.
    """
    win = final_rewards(scores, "win")
    margin = np.tanh(final_rewards(scores, "margin"))
    share = {"win": 1.0, "margin": 0.0, "mixed": 0.5}[reward]
    return np.asarray(share * win + (1 - share) * margin, np.float32)


class Collector:
    """Plays games and records a learner's decisions in them.

    The trajectory of a seat in a game is numbered ``game_id * P + seat``.

    Args:
        game: the game.
        config: how many games and turns, and the reward.
        root: root of the deals.
        rng: draws every choice of a network; advanced.
        opponents: who sits opposite the learner; None: it sits in all seats.

    Attributes:
        state: the games under way.
        game_ids: [B] theirs.
        seating: [B, P] numbers of the pool's members, and ``LEARNER``.
        discarding: [B, P, row bytes] what each game was when a seat last had to discard.
        next_game_id: of the next deal.
        time: of the next decision.
    """

    def __init__(
        self,
        game: GameConfig,
        config: RolloutConfig,
        root: int,
        rng: np.random.Generator,
        opponents: Opponents | None = None,
    ) -> None:
        self.game = game
        self.config = config
        self.root = root
        self.rng = rng
        self.opponents = opponents
        self.next_game_id = 0
        self.time = 0
        self.deal_anew()

    def deal_anew(self) -> None:
        """Lets go of all games under way and deals new ones."""
        if self.opponents is not None:
            self.opponents.draw()
        games, players = self.config.games, self.game.num_players
        self.game_ids = self.next_game_id + np.arange(games, dtype=np.int64)
        self.next_game_id += games
        self.state: GameState = deal(self.game, self.root, self.game_ids)
        self.discarding = np.zeros((games, players, self.state.raw.shape[1]), np.uint8)
        self.seating = np.full((games, players), LEARNER, np.int64)
        self._seat(np.arange(games))

    def restore(
        self, state: GameState, game_ids: NDArray[np.int64], seating: NDArray[np.int64]
    ) -> None:
        """Goes on with other games, of the same number; the arrays are kept."""
        self.state, self.game_ids, self.seating = state, game_ids, seating
        self._welcome(np.arange(len(state)))

    def collect(
        self, model: ActorCritic, waiting: Mapping[str, Decisions] = MappingProxyType({})
    ) -> tuple[dict[str, Decisions], Finished]:
        """Plays a window of ``config.turns`` turns in every game.

        Args:
            model: decides for the learner's seats; not changed.
            waiting: by kind, decisions of earlier windows that come before the new ones.

        Returns:
            The learner's decisions by kind, each in time order, and the games that ended.
        """
        if self.opponents is not None:
            self.opponents.draw()
        parts = {kind: [waiting[kind]] if kind in waiting else [] for kind in KINDS}
        ended: list[Finished] = []
        with torch.inference_mode():
            for _ in range(self.config.turns):
                for kind in ("draw", "draw", "play", "discard"):
                    parts[kind].append(self._decide(model, kind))
                ended.append(self._replace_ended())
        decisions = {kind: Decisions.concatenate(list_) for kind, list_ in parts.items()}
        parts_of = [[getattr(part, entry.name) for part in ended] for entry in fields(Finished)]
        return decisions, Finished(*(np.concatenate(part) for part in parts_of))

    def _decide(self, model: ActorCritic, kind: str) -> Decisions:
        """One decision in every game; returns the learner's."""
        games = np.arange(len(self.state))
        mover = self.state.mover.astype(np.int64)
        deciding = self.seating[games, mover]
        views = redact(self.state, mover, self.game_ids.astype(np.uint64))
        # A number for every game, whoever decides in it and whoever decides in others.
        uniform = self.rng.random(len(views))
        if kind == "discard":
            self.discarding[games, mover] = self.state.raw
        actions = np.empty((2 if kind == "play" else 1, len(views)), np.int64)
        own = np.flatnonzero(deciding == LEARNER)
        decisions = self._decide_own(model, kind, views, own, uniform, actions)
        asked = []
        for number in np.unique(deciding[deciding != LEARNER]).tolist():
            rows = np.flatnonzero(deciding == number)
            network = self._pool[number].network
            if network is None:
                asked.append(rows)
            else:
                choices = choose(network, kind, views.select(rows), uniform[rows])
                actions[:, rows] = choices.actions
        for step in actions:
            if asked:
                self._ask(np.concatenate(asked), step)
            apply_action(self.state, step)
        self.time += 1
        return decisions

    def _decide_own(
        self,
        model: ActorCritic,
        kind: str,
        views: PlayerViews,
        rows: NDArray[np.int64],
        uniform: NDArray[np.float64],
        actions: NDArray[np.int64],
    ) -> Decisions:
        """The learner's decisions in its rows; fills in their ``actions`` [K, B]."""
        mover = self.state.mover.astype(np.int64)
        state = self.state
        if len(rows) < len(views):
            views, state = views.select(rows), state.select(rows)
        choices = choose(model.network, kind, views, uniform[rows])
        truth = encode_truth(state, mover[rows])
        value = model.judge(
            choices.z, choices.pooled, as_tensor(truth.species), as_tensor(truth.scalars)
        ).numpy()
        actions[:, rows] = choices.actions
        arrays: dict[str, NDArray[np.generic]] = {
            "species": choices.encoded.species,
            "scalars": choices.encoded.scalars,
            "truth_species": truth.species,
            "truth_scalars": truth.scalars,
            "value": value,
            "trajectory": self.game_ids[rows] * self.game.num_players + mover[rows],
            "time": np.full(len(rows), self.time),
        }
        return Decisions(kind, arrays | choices.arrays, choices.placements)

    def _ask(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Fills in the actions [B] of members that choose for themselves."""
        games = self.state.select(rows)
        mover = games.mover.astype(np.int64)
        numbers, which = np.unique(self.seating[rows, mover], return_inverse=True)
        seating = np.full((len(rows), self.game.num_players), -1, np.int64)
        seating[np.arange(len(rows)), mover] = which
        actions[rows] = decide(
            games,
            [self._pool[number].agent for number in numbers.tolist()],
            seating,
            self.game_ids[rows].astype(np.uint64),
            legal_action_mask(games),
            None,
        )

    def _replace_ended(self) -> Finished:
        """Scores the games that are over and deals new ones in their place."""
        players = self.game.num_players
        rows = np.flatnonzero(self.state.phase == Phase.GAME_OVER)
        over = self.state.select(rows)
        scores = score(over)
        trajectories = self.game_ids[rows, None] * players + np.arange(players)
        finished = Finished(
            trajectories=trajectories.ravel(),
            outcomes=seat_returns(scores, self.config.reward).ravel(),
            turns=over.turn.astype(np.int64),
            points=scores.points,
            denied_points=scores.denied_points,
            win_shares=scores.win_shares,
            seating=self.seating[rows],
        )
        new_ids = self.next_game_id + np.arange(len(rows))
        self.game_ids[rows] = new_ids
        self.next_game_id += len(rows)
        self.state.raw[rows] = deal(self.game, self.root, new_ids).raw
        self._seat(rows)
        return finished

    def _seat(self, rows: NDArray[np.int64]) -> None:
        """Seats those who play newly dealt games."""
        if self.opponents is not None:
            self.seating[rows] = self.opponents.seat(len(rows))
            self._welcome(rows)

    def _welcome(self, rows: NDArray[np.int64]) -> None:
        """Tells members which games they sit in."""
        seating = self.seating[rows]
        for number in np.unique(seating[seating != LEARNER]).tolist():
            theirs = rows[(seating == number).any(axis=1)]
            agent, seed = self._pool[number].agent, self._pool.seed
            agent.reset(self.game_ids[theirs].astype(np.uint64), seed)

    @property
    def _pool(self) -> Pool:
        assert self.opponents is not None  # else the learner sits in every seat
        return self.opponents.pool
