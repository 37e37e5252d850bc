"""``LearnerGames``: the same games as in a PettingZoo loop, whatever the batch."""

import copy
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest

from arboretum_agents.bots.random import RandomAgent
from arboretum_agents.learner_games import LearnerGames
from arboretum_agents.registry import make_agent
from arboretum_env.actions import action_slices
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.state import GameState
from arboretum_env.errors import DealError
from arboretum_env.match import play_match
from arboretum_env.pettingzoo_env import raw_env
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerViews
from tests.api.learner_play import (
    Listener,
    Watcher,
    bytes_of,
    hashed_actions,
    pettingzoo_course,
    play_courses,
    play_out,
)
from tests.random_games import CONFIGS

SMALL = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3)


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_a_pettingzoo_loop_plays_the_same_games(name: str, reward: Any) -> None:
    config = CONFIGS[name]
    specs = ["greedy", "random", "random"][: config.num_players - 1]
    episodes = config.num_players
    games = LearnerGames(config, specs, reward=reward)
    games.reset(seed=7)
    first_id = int(games.game_id[0])
    (courses,) = play_courses(games, episodes)
    environment = raw_env(config=config, reward=reward)
    for episode in range(episodes):
        opponents = [make_agent(spec, config) for spec in specs]
        for opponent in opponents:
            opponent.reset(np.array([first_id + episode], np.uint64), 0)
        environment.reset(seed=7 if episode == 0 else None)
        seat = (7 + episode) % config.num_players
        expected = pettingzoo_course(environment, config, seat, opponents, first_id + episode)
        assert courses[episode] == expected
        assert expected[-2][3] == environment.rewards[f"player_{seat}"] != -5.0


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_a_row_is_the_same_in_any_batch(players: int, opponents: str) -> None:
    config = GameConfig(num_players=players, species=4, num_ranks=6, hand_size=3)
    large = LearnerGames(config, opponents, num_games=7)
    large.reset(seed=20)
    courses = play_courses(large, 3)
    for row in range(7):
        single = LearnerGames(config, opponents)
        single.reset(seed=20 + row)
        assert play_courses(single, 3) == [courses[row]]
    other = LearnerGames(config, opponents, num_games=3)
    other.reset(seed=[26, 21, 23])
    assert play_courses(other, 3) == [courses[6], courses[1], courses[3]]


@pytest.mark.parametrize("rule", ["lose", "random"])
def test_a_row_is_the_same_in_any_batch_when_actions_are_illegal(rule: Any) -> None:
    def course(games: LearnerGames, row: int) -> list[Any]:
        kept: list[Any] = []
        for number in range(60):
            seen = games.observe()
            actions = hashed_actions(seen, games.legal_action_mask())
            if number % 20 == 19:
                actions[:] = 0  # at the discard: draw from the deck
            ended = games.step(actions)
            at = np.flatnonzero(ended.rows == row)
            kept.append((seen[row].tobytes(), ended.reward[at].tolist(), ended.broken_off[at]))
            if len(ended.rows):
                games.reset(rows=ended.rows)
        return kept

    large = LearnerGames(GameConfig(), num_games=5, illegal_action=rule)
    large.reset(seed=3)
    single = LearnerGames(GameConfig(), illegal_action=rule)
    single.reset(seed=7)
    alone = course(single, 0)
    assert str(course(large, 4)) == str(alone)
    assert any(broken.any() for _, _, broken in alone) == (rule == "lose")


def test_an_illegal_action_loses_its_game_alone() -> None:
    games = LearnerGames(GameConfig(num_players=3), num_games=3, illegal_action="lose", seat=1)
    games.reset(seed=1)
    before = games.observe()
    ended = games.step([0, 387, 0])
    assert ended.rows.tolist() == [1] and ended.reward.tolist() == [-1.0]
    assert ended.broken_off.tolist() == [True] and ended.turns.tolist() == [1]
    assert ended.points.tolist() == [[0, 0, 0]] and not ended.winners.any()
    assert ended.seat.tolist() == [1]
    assert games.over.tolist() == [False, True, False]
    # Nothing happened in it, and nobody's hand is shown: it just stopped.
    assert np.array_equal(games.observe()[1], before[1])
    assert not games.legal_action_mask()[1].any() and games.legal_action_mask()[0].any()
    assert len(games.step([0, -1, 0]).rows) == 0  # the others go on
    games.reset(rows=np.array([1]))
    assert games.over.tolist() == [False] * 3


def test_an_illegal_action_stands_for_a_random_legal_one() -> None:
    """Over many deals, every legal card is discarded about equally often."""
    games = LearnerGames(SMALL, num_games=600, illegal_action="random", seat=0)
    games.reset(seed=5)
    for _ in range(4):
        games.step(games.legal_action_mask().argmax(axis=1))
    legal = games.legal_action_mask()
    before = PlayerViews(SMALL, games.observe()).cards[:, :, 0] == 1
    stand_in = RandomAgent(SMALL)
    stand_in.reset(games.game_id, 1)  # not 0, the opponents'
    expected = stand_in.act(PlayerViews(SMALL, games.observe(), games.game_id))
    actions = np.zeros(600, np.int64)
    games.step(actions)
    assert not actions.any()  # the caller's array stays as it is
    after = PlayerViews(SMALL, games.observe()).cards[:, :, 0] == 1
    counts = Counter(
        np.flatnonzero(hand).tolist().index(int(np.flatnonzero(hand & ~left)[0]))
        for hand, left in zip(before, after, strict=True)
    )
    assert legal.sum(axis=1).tolist() == [4] * 600 and counts.total() == 600
    gone = expected - action_slices(SMALL)["discard_card"].start
    assert (before & ~after)[np.arange(600), gone].all()
    assert sorted(counts) == [0, 1, 2, 3]
    assert all(150 - 45 < count < 150 + 45 for count in counts.values())  # over 4 sigma


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_rotate(players: int) -> None:
    games = LearnerGames(GameConfig(num_players=players), num_games=2 * players)
    seats = []
    for episode in range(2 * players):
        games.reset(seed=5 if episode == 0 else None)
        seats.append(games.seat)
        # Whoever is before the learner has had a turn.
        assert games.state.turn.tolist() == games.seat.tolist()
        assert (games.state.mover == games.seat).all()
    table = np.array(seats)
    assert table[:, 0].tolist() == [(5 + i) % players for i in range(2 * players)]
    for seat in range(players):  # balanced over rows and over episodes
        assert ((table == seat).sum(axis=0) == 2).all()
        assert ((table == seat).sum(axis=1) == 2).all()
    for seat in range(players):
        fixed = LearnerGames(GameConfig(num_players=players), num_games=3, seat=seat)
        for _ in range(3):
            fixed.reset()
            assert fixed.seat.tolist() == [seat] * 3


def test_a_second_reset_with_the_seed_gives_the_same_games() -> None:
    games = LearnerGames(SMALL, num_games=3)
    games.reset(seed=11)
    first = play_courses(games, 2)
    games.reset(seed=11)
    assert play_courses(games, 2) == first
    games.reset(seed=12)
    second = play_courses(games, 2)
    assert second[:2] == first[1:] and second[2] != first[0]
    unseeded = [LearnerGames(SMALL, num_games=2) for _ in range(2)]
    for each in unseeded:
        each.reset()
    assert unseeded[0].state.raw.tobytes() != unseeded[1].state.raw.tobytes()


@pytest.mark.parametrize("purpose", [Purpose.USER, Purpose.TRAIN])
def test_deals_are_the_engines_by_purpose(purpose: Purpose) -> None:
    games = LearnerGames(GameConfig(), num_games=2, seat=0, purpose=purpose)
    for number in range(2):
        games.reset(seed=4 if number == 0 else None)
        for row in range(2):
            expected = deal(GameConfig(), root_from_seed(4 + row, purpose), [number])
            assert games.state.raw[row].tobytes() == expected.raw[0].tobytes()


def test_a_game_id_does_not_tell_its_deal() -> None:
    games = LearnerGames(GameConfig(), num_games=50)
    games.reset(seed=0)
    ids = games.game_id
    assert len(np.unique(ids)) == 50
    for row in range(50):
        assert int(ids[row]) != root_from_seed(row, Purpose.USER)


def test_exact_deals() -> None:
    config = GameConfig(species="CD", num_ranks=3, hand_size=1)
    options = {"hands": [["C1"], ["D3"]], "deck": ["C2", "C3", "D1", "D2"]}
    games = LearnerGames(config, num_games=2, seat=0)
    games.reset(seed=3, options=options)
    for row in range(2):
        assert games.state.hand(row, 0) == [0] and games.state.hand(row, 1) == [5]
        assert games.state.deck(row) == [1, 2, 3, 4]
    # It takes no deal from the stream; the opponents' randomness goes on all the same.
    ids = games.game_id
    games.reset()
    expected = deal(config, root_from_seed(3, Purpose.USER), [0])
    assert games.state.raw[0].tobytes() == expected.raw[0].tobytes()
    assert games.game_id.tolist() == [int(each) + 1 for each in ids]
    before = bytes_of(games)
    with pytest.raises(DealError, match="needs both 'hands' and 'deck'"):
        games.reset(seed=9, options={"hands": [["C1"], ["D3"]]})
    assert bytes_of(games) == before


def test_starting_discards_lie_there() -> None:
    games = LearnerGames(GameConfig(num_players=3, starting_discards=True), num_games=2, seat=0)
    games.reset(seed=0)
    assert games.state.rows["pile_size"].tolist() == [[0, 1, 1]] * 2
    assert games.legal_action_mask()[:, :4].tolist() == [[True, False, True, True]] * 2


def test_opponents_sit_in_turn_order_from_the_learner() -> None:
    config = GameConfig(num_players=4)
    watchers = [Watcher(config) for _ in range(3)]
    games = LearnerGames(config, watchers, seat=2)
    games.reset(seed=0)
    play_out(games)
    assert [set(watcher.seats) for watcher in watchers] == [{3}, {0}, {1}]
    one = Watcher(config)
    games = LearnerGames(config, one, num_games=6, seat=0)
    games.reset(seed=0)
    assert one.begun == [games.game_id.tolist()]
    for _ in range(5):
        games.step(games.legal_action_mask().argmax(axis=1))
    assert one.batches == [6] * 15  # all games at once, three seats after one another
    assert set(one.seats) == {1, 2, 3}


def test_opponents_change_between_games() -> None:
    first, second = Watcher(SMALL), Watcher(SMALL)
    games = LearnerGames(SMALL, first, num_games=4, seat=0)
    games.reset(seed=0)
    play_out(games)
    games.set_opponents(second, rows=np.array([1, 3]))
    first.begun.clear()
    games.reset(rows=np.array([0, 1]))
    ids = games.game_id
    assert (first.begun, second.begun) == ([[ids[0]]], [[ids[1]]])
    decisions = sum(first.seats.values())
    play_out(games)  # rows 2 and 3 are over
    assert sum(first.seats.values()) > decisions and sum(second.seats.values()) > 0
    # A game under way goes on with its opponents.
    games.reset()
    games.set_opponents("greedy")
    decisions = sum(first.seats.values())
    play_out(games)
    assert sum(first.seats.values()) > decisions
    decisions = sum(first.seats.values())
    games.reset()
    play_out(games)
    assert sum(first.seats.values()) == decisions


def test_dismissed_opponents_are_let_go() -> None:
    games = LearnerGames(SMALL, "random", num_games=2)
    games.reset(seed=0)
    for _ in range(5):
        games.set_opponents(Watcher(SMALL))
        games.reset()
    assert len(games._batch.lineups.agents) <= 2


def test_histories_are_those_of_the_runner() -> None:
    config = GameConfig(num_players=3, species=4, num_ranks=5, hand_size=3)
    listener = Listener(config)
    # It joins late: the games before have no histories.
    games = LearnerGames(config, "random", num_games=2, seat=1)
    games.reset(seed=8)
    play_out(games)
    games.set_opponents(["random", listener])
    learner = make_agent("greedy", config)
    for _ in range(2):
        before = len(listener.heard)
        games.reset()
        start, ids = deal_of(games), games.game_id
        while not games.over.all():
            rows = np.flatnonzero(~games.over)
            actions = np.full(2, -1)
            actions[rows] = learner.act(PlayerViews(config, games.observe(rows), ids[rows]))
            games.step(actions)
        heard = dict(list(listener.heard.items())[before:])
        other = Listener(config)
        agents = [other, learner, make_agent("random", config)]
        for agent in agents:
            agent.reset(ids, 0)
        play_match(start, agents, np.array([[0, 1, 2]] * 2), ids)
        assert heard == other.heard and max(len(history) for history in heard.values()) > 20


def deal_of(games: LearnerGames) -> GameState:
    """The deals of games that have just begun, by their number in the streams of seed 8."""
    numbers = [int(number) - 1 for number in games._batch.next_deal]
    states = [
        deal(games.config, root_from_seed(8 + row, Purpose.USER), [number])
        for row, number in enumerate(numbers)
    ]
    return GameState(games.config, np.concatenate([state.raw for state in states]))


def test_no_rows_are_no_games() -> None:
    games = LearnerGames(SMALL, num_games=2)
    games.reset(seed=0)
    before = bytes_of(games)
    games.reset(rows=np.array([], np.int64))
    assert bytes_of(games) == before
    assert games.observe(np.array([], np.int64)).shape == (0, len(games.observe()[0]))


def test_what_was_handed_out_never_changes() -> None:
    games = LearnerGames(SMALL, num_games=2)
    games.reset(seed=0)
    state = games.state
    handed = [games.observe(), games.legal_action_mask(), games.over, games.seat, state.raw]
    kept = [array.copy() for array in handed]
    play_out(games)
    for array, copied in zip(handed, kept, strict=True):
        assert np.array_equal(array, copied)
    for array in handed[:4]:
        array[:] = 1
    assert games.over.all() and not games.legal_action_mask().any()


@pytest.mark.parametrize("how", ["deepcopy", "pickle"])
def test_copies_go_on_alike(how: str) -> None:
    games = LearnerGames(SMALL, "random", num_games=3)
    games.reset(seed=2)
    for _ in range(7):
        games.step(hashed_actions(games.observe(), games.legal_action_mask()))
    if how == "deepcopy":
        twin = copy.deepcopy(games)
    else:
        twin = pickle.loads(pickle.dumps(games))  # noqa: S301 - our own bytes
    assert bytes_of(twin) == bytes_of(games)
    assert play_courses(twin, 2) == play_courses(games, 2)
