"""Whole games in a batch: what measures of the course of play start from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import Scores, score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import RecordError
from arboretum_env.match import MatchResult
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import positions, replay


@dataclass(frozen=True)
class PlayedGames:
    """B games of one kind, played to their end by the rules.

    Attributes:
        initial: as they were dealt.
        actions: [T, B] int16 flat action ids, -1 where a game was over already.
        final: at their end.
    """

    initial: GameState
    actions: NDArray[np.int16]
    final: GameState

    def __len__(self) -> int:
        return len(self.final)

    @property
    def scores(self) -> Scores:
        """Their final scores."""
        return score(self.final)

    @classmethod
    def of_match(cls, match: MatchResult) -> Self:
        """The games of a match; those that were forfeited are left out.

        Raises:
            ValueError: the match was played without ``keep_actions``.
        """
        if match.actions is None:
            raise ValueError("the match kept no actions: play it with keep_actions=True")
        whole = [row for row in range(len(match.final)) if row not in match.forfeits]
        return cls(match.initial.select(whole), match.actions[:, whole], match.final.select(whole))

    @classmethod
    def of_records(cls, records: Sequence[GameRecord]) -> Self:
        """The games of at least one record, all of the same ``config``.

        Raises:
            RecordError: an illegal move, a false result, or a game that is not known whole
                (``why_not_whole``).
        """
        return cls.joined([cls._of_record(record) for record in records])

    @classmethod
    def _of_record(cls, record: GameRecord) -> Self:
        if reason := why_not_whole(record):
            raise RecordError(reason)
        last = replay(record).position
        actions = np.array(last.actions, np.int16)[:, None]
        return cls(next(positions(record)).state, actions, last.state)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """One batch of several, in their order.

        Raises:
            RecordError: games of different kinds.
        """
        config = parts[0].final.config
        if any(part.final.config != config for part in parts):
            raise RecordError("records of different games: expected one kind at a time")
        longest = max(len(part.actions) for part in parts)
        actions = [
            np.pad(part.actions, ((0, longest - len(part.actions)), (0, 0)), constant_values=-1)
            for part in parts
        ]
        return cls(
            GameState(config, np.concatenate([part.initial.raw for part in parts])),
            np.concatenate(actions, axis=1),
            GameState(config, np.concatenate([part.final.raw for part in parts])),
        )

    def decisions(self) -> Iterator[tuple[GameState, NDArray[np.int64]]]:
        """Every position with a decision to make and the [B] actions taken there, -1 for none.

        All games are in the same phase of the same turn. The state is advanced in place between two
        yields: copy what you keep.
        """
        state = self.initial.clone()
        for taken in self.actions:
            ids = taken.astype(np.int64)
            yield state, ids
            apply_action(state, ids)


def why_not_whole(record: GameRecord) -> str:
    """Why a record says too little about a game's end; ``""`` if it does not."""
    if record.termination:
        return f"the game did not end by the rules ({record.termination})"
    if record.has_unknown_cards:
        return "some of its cards are unknown"
    if record.result is None:
        return "the game is not finished"
    return ""
