"""The mechanics under ``LearnerGames``: B games, whose turn it is, and what comes next.

A batch knows nothing of rules for learners (rewards, illegal actions): it deals, seats, moves
opponents and applies legal actions. All of it changes in place; whoever wants to take something
back works on a ``clone``.
"""

import copy
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.opponents import Lineups
from arboretum_env.actions import num_actions
from arboretum_env.agent import wants_history
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.engine.state import GameState
from arboretum_env.history import HistoryKeeper
from arboretum_env.match import decide
from arboretum_env.seeding import Purpose, root_from_seed

SeatRule = int | Literal["rotate"]
"""The learner's seat: always the same, or the next one in every game."""

# Game ids, which key all randomness of agents, hold the seed already.
_OPPONENTS_SEED: Final = 0
_GAME_ID_SPAWN: Final = 1


STEPPED: Final = ("games", "masks", "keeper", "over", "illegal")
"""What a step of the learner and the opponents after it change."""


@dataclass
class LearnerBatch:
    """B games with a learner's seat each, and the streams that they come from.

    Attributes:
        games: the games.
        masks: [B, A] bool, legal actions of whoever is to move; none in games that are over.
        lineups: who the opponents are.
        keeper: the histories, once an opponent wants them.
        root: [B] uint64, root of the stream's deals.
        first_id: [B] uint64, id of the stream's first game.
        first_seat: [B] int64, the learner's seat in it where seats rotate.
        next_deal: [B] int64, number of the stream's next deal.
        begun: [B] int64, games that the stream has begun.
        seat: [B] int64, the learner's seat.
        game_id: [B] uint64, keys the agents' randomness.
        over: [B] bool, there is nothing to decide: the game has ended or none has begun.
        illegal: [B] bool, the learner's last action was illegal.
    """

    games: GameState
    masks: NDArray[np.bool_]
    lineups: Lineups
    keeper: HistoryKeeper | None
    root: NDArray[np.uint64]
    first_id: NDArray[np.uint64]
    first_seat: NDArray[np.int64]
    next_deal: NDArray[np.int64]
    begun: NDArray[np.int64]
    seat: NDArray[np.int64]
    game_id: NDArray[np.uint64]
    over: NDArray[np.bool_]
    illegal: NDArray[np.bool_]

    @classmethod
    def waiting(cls, config: GameConfig, lineups: Lineups, size: int) -> Self:
        """Rows without streams, to be begun."""
        return cls(
            games=deal(config, 0, np.zeros(size, np.uint64)),
            masks=np.zeros((size, num_actions(config)), np.bool_),
            lineups=lineups,
            keeper=None,
            root=np.zeros(size, np.uint64),
            first_id=np.zeros(size, np.uint64),
            first_seat=np.zeros(size, np.int64),
            next_deal=np.zeros(size, np.int64),
            begun=np.zeros(size, np.int64),
            seat=np.zeros(size, np.int64),
            game_id=np.zeros(size, np.uint64),
            over=np.ones(size, np.bool_),
            illegal=np.zeros(size, np.bool_),
        )

    def __len__(self) -> int:
        return len(self.games)

    def clone(self, names: Iterable[str] | None = None) -> Self:
        """An independent copy, with the same agents.

        Args:
            names: of the attributes to copy; the others are shared. All by default.
        """
        other = copy.copy(self)
        for name in names or [entry.name for entry in fields(self)]:
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                setattr(other, name, value.copy())
            elif value is not None:
                setattr(other, name, value.clone())
        return other

    def begin_stream(self, row: int, seed: int, purpose: Purpose) -> None:
        """Makes the row's next game the first one of a seed."""
        self.root[row] = root_from_seed(seed, purpose)
        # Not from the root: whoever knows the id of a game must not be able to deal it.
        ids = np.random.SeedSequence((seed, int(purpose)), spawn_key=(_GAME_ID_SPAWN,))
        self.first_id[row] = ids.generate_state(1, np.uint64)[0]
        self.first_seat[row] = seed % self.games.config.num_players
        self.next_deal[row] = self.begun[row] = 0

    def begin_games(
        self, rows: NDArray[np.int64], seat_rule: SeatRule, exact: GameState | None
    ) -> None:
        """Deals, seats everybody, and tells the opponents; nobody moves yet.

        Args:
            rows: [N] rows with a stream.
            seat_rule: where the learner sits.
            exact: one game to deal instead of the streams' next ones.
        """
        config = self.games.config
        for row in rows:
            game = exact
            if game is None:
                game = deal(config, int(self.root[row]), [int(self.next_deal[row])])
                self.next_deal[row] += 1
            self.games.raw[row] = game.raw[0]
        if seat_rule == "rotate":
            self.seat[rows] = (self.first_seat[rows] + self.begun[rows]) % config.num_players
        else:
            self.seat[rows] = seat_rule
        self.game_id[rows] = self.first_id[rows] + self.begun[rows].astype(np.uint64)
        self.begun[rows] += 1
        self.over[rows] = False
        self.masks[rows] = legal_action_mask(self.games.select(rows))
        self.lineups.seat(rows, self.seat[rows])
        if self.keeper is not None:
            self.keeper.begin(rows)
        elif any(wants_history(agent) for agent in self.lineups.agents):
            # Games under way go without: nobody in them has asked.
            self.keeper = HistoryKeeper(self.games)
        self.lineups.reset_agents(rows, self.game_id, _OPPONENTS_SEED)

    def advance(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Applies one legal action in each of some games, [N] each.

        Raises:
            IllegalActionError: one is not legal.
        """
        before = self.games.clone() if self.keeper is not None else self.games
        if len(rows) == len(self):
            step(self.games, actions, self.masks)
        elif len(rows):
            some, masks = self.games.select(rows), self.masks[rows]
            step(some, actions, masks)
            self.games.raw[rows], self.masks[rows] = some.raw, masks
        if self.keeper is not None:
            done = np.full(len(self), -1, np.int64)
            done[rows] = actions
            self.keeper.note(before, self.games, done)

    def play_opponents(self) -> None:
        """Until every game is the learner's to move, or over.

        Raises:
            ActionError: an agent's answer is not one integer a view.
            IllegalActionError: an agent chose an illegal action.
        """
        while ((self.games.mover != self.seat) & ~self.games.done).any():
            actions = decide(
                self.games, self.lineups.agents, self.lineups.seating, self.game_id,
                self.masks, self.keeper,
            )  # fmt: skip
            rows = np.flatnonzero(actions >= 0)
            self.advance(rows, actions[rows])
