"""Learners and opponents for tests of environments with one learner's seat."""

import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.bots.random import RandomAgent
from arboretum_agents.learner_games import LearnerGames
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews

Course = list[tuple[bytes, bytes, int, float, tuple[Any, ...]]]
"""A row's game decision by decision: observation, mask, action, reward, how it ended."""


def hashed_action(observation: NDArray[np.int8], mask: NDArray[Any]) -> int:
    """A legal action that only what the learner sees decides; it looks random."""
    legal = np.flatnonzero(mask)
    return int(legal[zlib.crc32(observation.tobytes()) % len(legal)])


def hashed_actions(observations: NDArray[np.int8], masks: NDArray[Any]) -> NDArray[np.int64]:
    """``hashed_action`` of every row; -1 where nothing is legal."""
    return np.array(
        [
            hashed_action(observation, mask) if mask.any() else -1
            for observation, mask in zip(observations, masks, strict=True)
        ],
        np.int64,
    )


def play_courses(games: LearnerGames, episodes: int) -> list[list[Course]]:
    """[B][episodes] courses of games with ``hashed_actions``; the games have just been reset.

    The last entry of a course is the final observation, with action -1.
    """
    courses: list[list[Course]] = [[[]] for _ in range(games.num_games)]
    while True:
        seen, masks, over = games.observe(), games.legal_action_mask(), games.over
        if over.all():
            return courses
        actions = hashed_actions(seen, masks)
        ended = games.step(actions)
        results: dict[int, tuple[float, tuple[Any, ...]]] = {
            int(row): (
                float(ended.reward[i]),
                (
                    int(ended.seat[i]),
                    tuple(ended.points[i].tolist()),
                    tuple(ended.winners[i].tolist()),
                    int(ended.turns[i]),
                    bool(ended.broken_off[i]),
                ),
            )
            for i, row in enumerate(ended.rows)
        }
        for row in np.flatnonzero(~over):
            reward, result = results.get(int(row), (0.0, ()))
            courses[row][-1].append(
                (seen[row].tobytes(), masks[row].tobytes(), int(actions[row]), reward, result)
            )
        final = games.observe(ended.rows), games.legal_action_mask(ended.rows)
        for observation, mask, row in zip(*final, ended.rows, strict=True):
            courses[row][-1].append((observation.tobytes(), mask.tobytes(), -1, 0.0, ()))
        again = [int(row) for row in ended.rows if len(courses[row]) < episodes]
        for row in again:
            courses[row].append([])
        if again:
            games.reset(rows=np.array(again))


def bytes_of(games: LearnerGames) -> tuple[bytes, ...]:
    """All that a refused call must leave as it was."""
    shown = games.observe(), games.legal_action_mask(), games.over, games.seat, games.game_id
    return games.state.raw.tobytes(), *(array.tobytes() for array in shown)


def play_out(games: LearnerGames) -> None:
    """To the end of all games, with ``hashed_actions``."""
    while not games.over.all():
        games.step(hashed_actions(games.observe(), games.legal_action_mask()))


def pettingzoo_course(
    environment: Any,
    config: GameConfig,
    learner_seat: int,
    opponents: Sequence[Agent],
    game_id: int,
    choose: Callable[[NDArray[np.int8], NDArray[np.int8]], int] = hashed_action,
) -> Course:
    """The learner's course of the game that an AEC environment has just been reset to.

    Args:
        environment: an AEC environment; played to the end.
        config: its game.
        learner_seat: where the learner sits.
        opponents: P - 1 agents in turn order from the learner, already reset.
        game_id: id that keys the opponents' randomness.
        choose: the learner.
    """
    course: Course = []
    learner = environment.possible_agents[learner_seat]
    while not environment.terminations[learner]:
        player = environment.agent_selection
        seen = environment.observe(player)
        seat = environment.possible_agents.index(player)
        row = seen["observation"]
        if seat == learner_seat:
            action = choose(row, seen["action_mask"])
            shown = row.tobytes(), seen["action_mask"].astype(bool).tobytes()
            course.append((*shown, action, 0.0, ()))
        else:
            views = PlayerViews(config, row[None, :], np.array([game_id], np.uint64))
            k = (seat - learner_seat - 1) % config.num_players
            action = int(opponents[k].act(views)[0])
        environment.step(action)
    info = environment.infos[learner]
    winners = tuple(seat in info["winners"] for seat in range(config.num_players))
    final = environment.observe(learner)
    turns = int(PlayerViews(config, final["observation"][None, :]).turn[0])
    result = (learner_seat, info["scores"], winners, turns, False)
    observation, mask, action, _, _ = course[-1]
    course[-1] = (observation, mask, action, float(environment.rewards[learner]), result)
    nothing = final["action_mask"].astype(bool).tobytes()
    return [*course, (final["observation"].tobytes(), nothing, -1, 0.0, ())]


class Watcher(RandomAgent):
    """Counts its decisions by seat, as seen from the learner's in seat 0, and its batches."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__(config)
        self.seats: Counter[int] = Counter()
        self.batches: list[int] = []
        self.begun: list[list[int]] = []

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        super().reset(game_ids, seed)
        self.begun.append([int(game) for game in game_ids])

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        self.seats.update(views.seat.tolist())
        self.batches.append(len(views))
        return super().act(views)


class Listener(RandomAgent):
    """Plays at random and keeps every history that it is shown, by game, seat and decision."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__(config)
        self.wants_history = True
        self.heard: dict[tuple[int, int, int], tuple[str, ...]] = {}

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        if not self.wants_history:
            assert views.histories is None
            return super().act(views)
        assert views.histories is not None
        keys = zip(views.game_id, views.seat, views.decision, strict=True)
        for (game, seat, decision), history in zip(keys, views.histories, strict=True):
            self.heard[int(game), int(seat), int(decision)] = history
        return super().act(views)


class Poisoned(Listener):
    """Plays at random until its third turn, then answers nonsense as long as it is told to."""

    def __init__(self, config: GameConfig, answer: int = 9999) -> None:
        super().__init__(config)
        self.answer = answer
        self.cured = False

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        actions = super().act(views)
        if not self.cured:
            actions[views.decision >= 12] = self.answer
        return actions
