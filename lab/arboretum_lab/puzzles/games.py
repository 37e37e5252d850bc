"""The games that puzzles are taken from: strong agents against themselves."""

from collections.abc import Iterator

import numpy as np

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.state import GameState
from arboretum_env.history import HistoryKeeper
from arboretum_env.match import play_match
from arboretum_env.records.from_game import record_from_match
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import positions
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerView, redact


def play_games(spec: str, config: GameConfig, seed: int, games: int) -> list[GameRecord]:
    """The records of some games of an agent against itself, the same whenever they are played."""
    agent = make_agent(spec, config)
    ids = np.arange(games, dtype=np.uint64)
    agent.reset(ids, seed)
    dealt = deal(config, root_from_seed(seed, Purpose.USER), ids)
    seating = np.zeros((games, config.num_players), np.int64)
    match = play_match(dealt, [agent], seating, ids, keep_actions=True)
    return [
        record_from_match(
            match.initial,
            match.game_actions(game),
            [spec] * config.num_players,
            index=game,
            deal=f"user seed {seed} game {game}",
        )
        for game in range(games)
    ]


def decisions(record: GameRecord) -> Iterator[tuple[PlayerView, int]]:
    """Before each decision what its seat sees, its past included, and the action then taken."""
    before: GameState | None = None
    keeper: HistoryKeeper | None = None
    *_, last = positions(record)
    for position, action in zip(positions(record), last.actions, strict=False):
        state = position.state
        if before is None or keeper is None:
            keeper = HistoryKeeper(state)
        else:
            keeper.note(before, state, np.array(position.actions[-1:]))
        seats = state.mover.astype(np.int64)
        [history] = keeper.histories(np.zeros(1, np.int64), seats)
        views = redact(state, int(seats[0]))
        yield PlayerView.from_observation(record.config, views.observation[0], history), action
        before = state


def final_state(record: GameRecord) -> GameState:
    """The position at the end of a record."""
    *_, last = positions(record)
    return last.state
