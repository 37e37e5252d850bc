"""Games with one learner's seat each: what the gymnasium and Stable-Baselines3 adapters stand on.

``LearnerGames`` plays ``B`` games at once. Between two decisions of the learner all opponents move,
batched over the games. A game's whole course is a function of its own seed, its number in the
seed's stream, and what the learner does: the same in any batch, in any row. (With a network as an
opponent, a probability may differ in its last bit with the size of the batch, see
``arboretum_env.agent``.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.bots.random import RandomAgent
from arboretum_agents.learner_batch import STEPPED, LearnerBatch, SeatRule
from arboretum_agents.opponents import Lineups, Opponents
from arboretum_env.actions import checked_action_ids, num_actions
from arboretum_env.config import GameConfig, check_choice
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ActionError, ConfigError, DealError, IllegalActionError, ViewError
from arboretum_env.exact_deal import deal_from_options
from arboretum_env.observation import observe
from arboretum_env.rewards import ILLEGAL_REWARD, REWARD_KINDS, RewardKind, final_rewards
from arboretum_env.seeding import Purpose, checked_seed, random_seed
from arboretum_env.view import redact

IllegalRule = Literal["raise", "lose", "random"]
"""What an illegal action of the learner does: raise an error and change nothing; end the game with
``ILLEGAL_REWARD``; or stand for a legal action drawn at random."""

ILLEGAL_RULES: Final[tuple[IllegalRule, ...]] = get_args(IllegalRule)

_STAND_IN_SEED: Final = 1  # not that of the opponents


@dataclass(frozen=True)
class Ended:
    """E games that ended with one decision of the learner.

    Attributes:
        rows: [E] int64, which of the B games, ascending.
        seat: [E] int64, the learner's seat.
        reward: [E] float64, the learner's (``final_rewards``), or ``ILLEGAL_REWARD``.
        points: [E, P] int64, final scores by seat; 0 in a game that was broken off.
        winners: [E, P] bool, by seat; False in a game that was broken off.
        turns: [E] int64, completed turns of all seats.
        broken_off: [E] bool, an illegal action of the learner ended the game; hands stay hidden.
    """

    rows: NDArray[np.int64]
    seat: NDArray[np.int64]
    reward: NDArray[np.float64]
    points: NDArray[np.int64]
    winners: NDArray[np.bool_]
    turns: NDArray[np.int64]
    broken_off: NDArray[np.bool_]


class LearnerGames:
    """B games between a learner and its opponents.

    Every row has a stream of games of its own, begun by its seed: game 0, 1, 2 ... with the deals
    that the PettingZoo environment deals for the same seed. Arrays that were handed out never
    change later.

    Args:
        config: the game.
        opponents: a spec or an agent for all other seats, or P - 1 of them in turn order from the
            learner.
        num_games: B.
        seat: the learner's seat, or ``"rotate"``: game ``i`` of a stream with seed ``s`` is played
            from seat ``(s + i) mod P``.
        reward: see ``arboretum_env.rewards``.
        illegal_action: see ``IllegalRule``.
        purpose: keeps the deals of training, evaluation and other use apart.

    Attributes:
        config, num_games, seat_rule, reward_kind, illegal_rule, purpose: as given.

    Raises:
        ConfigError: options that do not exist or do not fit the game.
        ArboretumError: a spec that makes no agent.
    """

    def __init__(
        self,
        config: GameConfig,
        opponents: Opponents = "random",
        *,
        num_games: int = 1,
        seat: SeatRule = "rotate",
        reward: RewardKind = "win",
        illegal_action: IllegalRule = "raise",
        purpose: Purpose = Purpose.USER,
    ) -> None:
        check_choice("seat", seat, ("rotate", *range(config.num_players)))
        check_choice("reward", reward, REWARD_KINDS)
        check_choice("illegal_action", illegal_action, ILLEGAL_RULES)
        _check_size(num_games)
        self.config = config
        self.num_games = num_games
        self.seat_rule: SeatRule = seat
        self.reward_kind: RewardKind = reward
        self.illegal_rule: IllegalRule = illegal_action
        self.purpose = purpose
        self._stand_in = RandomAgent(config)
        lineups = Lineups(config, opponents, num_games)
        self._batch = LearnerBatch.waiting(config, lineups, num_games)
        self._none_ended = _none_ended(config.num_players)

    @property
    def state(self) -> GameState:
        """The B games themselves, hidden cards included: for drawings and tests, not for players.

        Not to be changed.
        """
        return self._begun().games

    @property
    def seat(self) -> NDArray[np.int64]:
        """[B] the learner's seats."""
        return self._begun().seat.copy()

    @property
    def game_id(self) -> NDArray[np.uint64]:
        """[B] what keys the agents' randomness."""
        return self._begun().game_id.copy()

    @property
    def over(self) -> NDArray[np.bool_]:
        """[B] True where the game has ended and none has begun since."""
        return self._begun().over.copy()

    @property
    def illegal(self) -> NDArray[np.bool_]:
        """[B] True where the learner's last action was illegal; only where that does not raise."""
        return self._begun().illegal.copy()

    def observe(self, rows: NDArray[np.integer] | None = None) -> NDArray[np.int8]:
        """[N, L] int8, what the learner sees now in all or some games, after their end too."""
        batch = self._begun()
        if rows is None:
            return observe(batch.games, batch.seat)
        return observe(batch.games.select(rows), batch.seat[rows])

    def legal_action_mask(self, rows: NDArray[np.integer] | None = None) -> NDArray[np.bool_]:
        """[N, A] bool, the learner's legal actions in all or some games; none after the end."""
        masks = self._begun().masks
        return masks.copy() if rows is None else masks[rows]

    def set_opponents(self, opponents: Opponents, rows: NDArray[np.integer] | None = None) -> None:
        """Changes the opponents of all or some rows, each from its next game on.

        Args:
            opponents: as for the constructor.
            rows: [N] which rows.

        Raises:
            ConfigError, ArboretumError: as for the constructor. Nothing was changed.
        """
        self._batch.lineups.invite(opponents, self._rows(rows))

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        *,
        rows: NDArray[np.integer] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Begins new games; opponents who are before the learner move.

        Args:
            seed: begins streams: row ``i`` gets that of ``seed + i``, or of the i-th of B seeds.
                Without one a stream goes on with its next game, and the first streams have random
                seeds.
            rows: [N] which rows; all by default.
            options: an exact deal for all these rows (``arboretum_env.exact_deal``); it takes no
                deal from a stream.

        Raises:
            DealError: a bad seed or a bad deal.
            ViewError: rows that do not exist, or some only before all have begun.
            ActionError: an opponent's answer is none, or illegal. In every case nothing was
                changed.
        """
        exact = deal_from_options(self.config, options)
        chosen = self._rows(rows)
        seeds = self._seeds(seed)
        batch = self._batch.clone()
        batch.illegal[chosen] = False
        for row in chosen:
            begun_by = seeds[row]
            if begun_by is not None:
                batch.begin_stream(int(row), begun_by, self.purpose)
        batch.begin_games(chosen, self.seat_rule, exact)
        if not batch.begun.all():
            raise ViewError("some rows wait for their first game: call reset() for all rows first")
        batch.play_opponents()
        self._batch = batch

    def step(self, actions: Any) -> Ended:
        """Takes the learner's decision in every game, then lets the opponents move.

        Args:
            actions: [B] integers, flat action ids; -1 for games that are over.

        Returns:
            The games that ended by this, each once. They stay over until they are ``reset``.

        Raises:
            ActionError: not B integers of the action space, or an opponent's answer is none.
            IllegalActionError: an illegal action where that is the rule, or one of an opponent.
                In every case nothing was changed.
        """
        before = self._begun()
        chosen = self._checked(before, actions)
        batch = before.clone(STEPPED)
        batch.illegal[:] = False
        running = np.flatnonzero(~batch.over)
        illegal = running[~batch.masks[running, chosen[running]]]
        if len(illegal):
            running = self._settle_illegal(batch, chosen, running, illegal)
        batch.advance(running, chosen[running])
        batch.play_opponents()
        batch.over |= batch.games.done
        result = self._result(batch, np.flatnonzero(batch.over & ~before.over))
        self._batch = batch
        return result

    def _begun(self) -> LearnerBatch:
        if not self._batch.begun.all():
            raise ViewError("no games have been dealt: call reset() first")
        return self._batch

    def _rows(self, rows: NDArray[np.integer] | None) -> NDArray[np.int64]:
        if rows is None:
            return np.arange(self.num_games)
        chosen = np.asarray(rows)
        fits = chosen.ndim == 1 and (chosen.dtype.kind in "iu" or not chosen.size)
        if not fits or len(np.unique(chosen)) != len(chosen) or not _within(chosen, self.num_games):
            raise ViewError(f"rows {rows!r}: expected different integers 0..{self.num_games - 1}")
        return chosen.astype(np.int64)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """A seed for each of the B rows, or None to go on."""
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str | bytes):
            if len(seed) != self.num_games:
                raise DealError(f"{len(seed)} seeds: expected one, or {self.num_games} of them")
            given = [None if each is None else checked_seed(each) for each in seed]
        elif seed is None:
            given = [None] * self.num_games
        else:
            first = checked_seed(seed)
            given = [first + row for row in range(self.num_games)]
        fresh = self._batch.begun == 0
        return [
            random_seed() if each is None and fresh[row] else each for row, each in enumerate(given)
        ]

    def _checked(self, batch: LearnerBatch, actions: Any) -> NDArray[np.int64]:
        given = checked_action_ids(actions, self.num_games)
        size = num_actions(self.config)
        fits = np.where(batch.over, given == -1, (given >= 0) & (given < size))
        if not fits.all():
            row = int(np.flatnonzero(~fits)[0])
            expected = "-1, its game is over" if batch.over[row] else f"0..{size - 1}"
            raise ActionError(f"action {int(given[row])} of row {row}: expected {expected}")
        return given.copy()  # the caller's array stays as it is

    def _settle_illegal(
        self,
        batch: LearnerBatch,
        actions: NDArray[np.int64],
        running: NDArray[np.int64],
        illegal: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Deals with illegal actions by the rule; returns the rows that play on.

        ``actions`` and the batch are changed.
        """
        if self.illegal_rule == "raise":
            row = int(illegal[0])
            raise IllegalActionError(
                f"action {int(actions[row])} of row {row} is illegal: the "
                f"{int(batch.masks[row].sum())} legal ones are in its action mask"
            )
        batch.illegal[illegal] = True
        if self.illegal_rule == "random":
            views = redact(batch.games.select(illegal), batch.seat[illegal], batch.game_id[illegal])
            self._stand_in.reset(batch.game_id[illegal], _STAND_IN_SEED)
            actions[illegal] = self._stand_in.act(views)
            return running
        batch.over[illegal] = True
        batch.masks[illegal] = False
        return running[~np.isin(running, illegal)]

    def _result(self, batch: LearnerBatch, rows: NDArray[np.int64]) -> Ended:
        if not len(rows):
            return self._none_ended
        scores = score(batch.games.select(rows))
        broken_off = ~batch.games.done[rows]
        seat = batch.seat[rows]
        reward = final_rewards(scores, self.reward_kind)[np.arange(len(rows)), seat]
        return Ended(
            rows=rows,
            seat=seat,
            reward=np.where(broken_off, ILLEGAL_REWARD, reward),
            points=np.where(broken_off[:, None], 0, scores.points),
            winners=scores.winners & ~broken_off[:, None],
            turns=batch.games.turn[rows].astype(np.int64),
            broken_off=broken_off,
        )


def _check_size(num_games: Any) -> None:
    whole = isinstance(num_games, int | np.integer) and not isinstance(num_games, bool)
    if not whole or num_games < 1:
        raise ConfigError(f"{num_games!r} games: expected a positive integer")


def _none_ended(players: int) -> Ended:
    nobody = np.zeros(0, np.int64)
    return Ended(
        rows=nobody,
        seat=nobody,
        reward=np.zeros(0, np.float64),
        points=np.zeros((0, players), np.int64),
        winners=np.zeros((0, players), np.bool_),
        turns=nobody,
        broken_off=np.zeros(0, np.bool_),
    )


def _within(indices: NDArray[np.integer], size: int) -> bool:
    return not indices.size or bool(indices.min() >= 0 and indices.max() < size)
