"""A seat that cannot go on: it loses, the others share, its game stops and all others go on."""

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.bots.random import RandomAgent
from arboretum_agents.learner_games import LearnerGames
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.scoring import score
from arboretum_env.errors import ForfeitError, IllegalActionError
from arboretum_env.forfeit import FORFEIT
from arboretum_env.match import MatchResult, play_match
from arboretum_env.phase import Phase
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.from_game import record_from_match
from arboretum_env.records.replay import replay
from arboretum_env.view import PlayerViews
from tests.random_games import CONFIGS

IDS = np.arange(40, 48, dtype=np.uint64)
FAILING = {2: 41, 7: 44}
"""Turn of the failure -> game."""


class Failing(RandomAgent):
    """Plays at random, but cannot discard in some turns of some games."""

    wants_history = True

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        assert views.histories is not None
        actions = super().act(views)
        for turn, game in FAILING.items():
            stop = (views.turn >= turn) & (views.game_id == game)
            actions[stop & (views.phase == Phase.DISCARD)] = FORFEIT
        return actions

    def forfeit_reason(self, game_id: int, seat: int) -> str:
        return f"lost its way in game {game_id}"


def played(config: GameConfig, agents: list[Agent], seats: list[int]) -> MatchResult:
    for agent in agents:
        agent.reset(IDS, 3)
    seating = np.tile(np.array(seats), (len(IDS), 1))
    return play_match(deal(config, 9, IDS), agents, seating, IDS, keep_actions=True)


@pytest.mark.parametrize("name", [name for name in CONFIGS if "players" in name])
def test_the_seat_loses_the_others_share_and_other_games_go_on(name: str) -> None:
    config = CONFIGS[name]
    players = config.num_players
    seats = [0] * (players - 1) + [1]  # the last seat fails
    match = played(config, [RandomAgent(config), Failing(config)], seats)
    sound = played(config, [RandomAgent(config), RandomAgent(config)], seats)
    assert match.forfeits.keys() == {1, 4}
    standing = score(match.final)
    for row in range(len(IDS)):
        if row not in match.forfeits:
            assert np.array_equal(match.final.raw[row], sound.final.raw[row])
            assert np.array_equal(match.scores.win_shares[row], sound.scores.win_shares[row])
            continue
        forfeit = match.forfeits[row]
        assert forfeit.seat == players - 1
        assert forfeit.termination == (
            f"forfeit seat {players - 1}: lost its way in game {IDS[row]}"
        )
        # It stands where the seat failed, before its discard.
        assert match.final.phase[row] == Phase.DISCARD
        assert match.final.mover[row] == players - 1
        first = {41: 2, 44: 7}[int(IDS[row])]
        assert match.final.turn[row] == first + (players - 1 - first) % players
        share = 1 / (players - 1)
        assert match.scores.win_shares[row].tolist() == [share] * (players - 1) + [0.0]
        assert match.scores.points[row].tolist() == [*standing.points[row][:-1].tolist(), 0]


def test_its_record_says_so_and_can_be_read() -> None:
    config = CONFIGS["3 players"]
    match = played(config, [RandomAgent(config), Failing(config)], [0, 0, 1])
    record = record_from_match(
        match.initial, match.game_actions(1), index=1, forfeit=match.forfeits[1]
    )
    assert '[Termination "forfeit seat 2: lost its way in game 41"]' in write_arb(record)
    again = read_arb(write_arb(record))
    assert (again, again.forfeited_by, again.winners, again.result) == (record, 2, (0, 1), None)
    assert not replay(again).finished
    assert replay(again).turns == match.final.turn[1]


def test_histories_stop_with_the_game() -> None:
    config = CONFIGS["2 players"]
    seen: dict[int, list[int]] = {}

    class Listening(Failing):
        def act(self, views: PlayerViews) -> NDArray[np.int64]:
            assert views.histories is not None
            for game, history in zip(views.game_id, views.histories, strict=True):
                seen.setdefault(int(game), []).append(len(history))
            return super().act(views)

    played(config, [Listening(config)], [0, 0])
    assert seen[41][-1] == 2 * 4 + 3  # turn 2, after two draws and the plant
    assert len(seen[41]) < len(seen[40])


def test_where_nobody_counts_forfeits_they_are_errors() -> None:
    config = CONFIGS["2 players"]
    games = LearnerGames(config, "random", num_games=8)

    class AlwaysFailing(Failing):
        wants_history = False

        def act(self, views: PlayerViews) -> NDArray[np.int64]:
            return np.full(len(views), FORFEIT)

    games.set_opponents(AlwaysFailing(config))
    with pytest.raises(
        ForfeitError, match=r"AlwaysFailing.*: forfeit seat 0: lost its way in game"
    ):
        games.reset(seed=1)


def test_other_illegal_actions_stay_errors() -> None:
    config = CONFIGS["2 players"]

    class Wrong(Failing):
        def act(self, views: PlayerViews) -> NDArray[np.int64]:
            return np.full(len(views), -2)

    with pytest.raises(IllegalActionError, match="chose action -2 for seat 0 of game 40"):
        played(config, [Wrong(config)], [0, 0])

    class NoReasons(RandomAgent):
        def act(self, views: PlayerViews) -> NDArray[np.int64]:
            return np.full(len(views), FORFEIT)

    with pytest.raises(IllegalActionError, match="chose action -1"):
        played(config, [NoReasons(config)], [0, 0])
