"""A game under way: taking back, saving, taking up again, forfeits."""

import errno
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from arboretum_agents.human import is_human
from arboretum_agents.registry import AgentSpecError
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError, RecordError
from arboretum_env.notation import legal_moves, parse_move
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.files import load_record
from arboretum_env.records.tokens import turn_tokens
from arboretum_lab.play.session import Session, display_name
from tests.play.screen import GAME, decisions, tiny_session
from tests.properties.strategies import SOME, configs, seeds
from tests.protocol.bots import command


def move(session: Session, *texts: str) -> None:
    for text in texts:
        session.apply(parse_move(session.view(session.mover), text))


def play_on(session: Session, rng: np.random.Generator, stop: int = 10**9) -> None:
    """People move at random until the end, or until so many decisions are made."""
    while not session.done and decisions(session) < stop:
        if session.mover in session.humans:
            moves = list(legal_moves(session.view(session.mover)).values())
            session.apply(moves[int(rng.integers(len(moves)))])
        else:
            session.let_agent_move()


def tokens(session: Session) -> list[str]:
    record = session.record()
    return [token for turn in record.turns for token in turn_tokens(record.config, turn)]


def test_a_game_by_hand() -> None:
    session = tiny_session()
    move(session, *" ".join(GAME).split())
    assert session.done
    record = session.record()
    assert (record.result, record.winners, record.takebacks) == ((5, 5), (0, 1), 0)
    assert len(record.turns) == 4


@pytest.mark.parametrize(
    ("moves", "left", "harmless"),
    [
        ("d", "", False),  # its card has been seen
        ("d d", "d", False),
        ("d d C1@0,0", "d d", True),  # the own plant has shown nothing
        ("d d C1@0,0 xD3", "d d C1@0,0", True),
        ("d d C1@0,0 xD3 p0 d D1@0,0 xJ2 p1", "d d C1@0,0 xD3 p0 d D1@0,0 xJ2", True),
        ("d d C1@0,0 xD3 p0 d D1@0,0 xJ2 p1 d", "d d C1@0,0 xD3 p0 d D1@0,0 xJ2 p1", False),
    ],
)
def test_a_move_is_taken_back_whole(moves: str, left: str, harmless: bool) -> None:
    session = tiny_session()
    move(session, *moves.split())
    assert session.take_back(0) is harmless
    again = tiny_session()
    move(again, *left.split())
    assert np.array_equal(session.state.raw, again.state.raw)
    assert session.view(0) == again.view(0)  # its history, too
    assert session.takebacks == (0 if harmless else 1)
    assert write_arb(session.record()).count("Takebacks") == session.takebacks


def test_agents_moves_are_taken_back_with_the_own_one() -> None:
    session = tiny_session("human", "greedy")
    assert session.take_back(0) is None
    move(session, "d", "d", "C1@0,0")
    before = session.state.raw.copy()
    move(session, "xD3")
    seen = []
    while session.mover == 1:
        session.let_agent_move()
        seen.append(session.state.raw.copy())
    assert session.take_back(0) is False  # the agent's discard was hidden before
    assert np.array_equal(session.state.raw, before)
    assert session.takebacks == 1
    move(session, "xD3")
    while session.mover == 1:
        session.let_agent_move()
    assert np.array_equal(session.state.raw, seen[-1])  # it does what it did
    assert session.take_back(0) is False
    assert session.takebacks == 2


def test_nobody_takes_another_persons_move_back() -> None:
    session = tiny_session()
    move(session, *GAME[0].split(), "p0")
    raw = session.state.raw.copy()
    with pytest.raises(ConfigError, match="another person has moved since"):
        session.take_back(0)
    assert np.array_equal(session.state.raw, raw)
    assert session.take_back(1) is True
    assert tokens(session) == GAME[0].split()


@SOME
@given(configs(), seeds)
def test_a_saved_game_goes_on_as_if_it_had_not_been_left(config: GameConfig, seed: int) -> None:
    """Agents with randomness of their own included."""
    seats = ("human", "random", "greedy", "human")[: config.num_players]
    whole = Session.begin(config, seats, seed)
    play_on(whole, np.random.default_rng(seed))
    broken = Session.begin(config, seats, seed)
    rng = np.random.default_rng(seed)
    play_on(broken, rng, stop=seed % 60)
    if broken.done:
        return
    text = write_arb(broken.record())
    again = Session.resume(read_arb(text))
    assert write_arb(again.record()) == text
    play_on(again, rng)
    assert write_arb(again.record()) == write_arb(whole.record())


@pytest.mark.parametrize("seed", [0, 2**64, 10**30])
def test_agents_keep_their_randomness_whatever_the_seed(seed: int) -> None:
    whole = Session.begin(GameConfig(), ("random", "random"), seed)
    again = Session.resume(read_arb(write_arb(whole.record())))
    for session in (whole, again):
        for _ in range(20):
            session.let_agent_move()
    assert write_arb(again.record()) == write_arb(whole.record())


def test_saving_replaces_the_file_whole_or_not_at_all(tmp_path: Path) -> None:
    session = tiny_session("human:name=Ann", "planner")
    path = tmp_path / "game.arb"
    for text in ("d", "d"):
        move(session, text)
        session.save(path)
        assert load_record(path) == session.record()
    assert load_record(path).seats == ("human:name=Ann", "planner")
    session.save(tmp_path / "game.json")
    assert load_record(tmp_path / "game.json") == session.record()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game.arb", "game.json"]
    (tmp_path / "folder.arb").mkdir()
    with pytest.raises(OSError, match="is no file that could be replaced"):
        session.save(tmp_path / "folder.arb")
    with pytest.raises(FileNotFoundError, match=r"nowhere/game\.arb'$"):
        session.save(tmp_path / "nowhere" / "game.arb")


def test_what_cannot_be_replaced_leaves_no_part_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(part: Path, path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(part))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match=rf"No space left on device: '{tmp_path}/game\.arb'$"):
        tiny_session("human", "planner").save(tmp_path / "game.arb")
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_taken_up_again() -> None:
    session = tiny_session()
    move(session, "d")
    record = session.record()
    with pytest.raises(RecordError, match="unknown cards: such a game cannot be played on"):
        Session.resume(replace(record, deck=(-1, *record.deck[1:])))
    with pytest.raises(RecordError, match="the game has ended: forfeit seat 1: x"):
        Session.resume(replace(record, termination="forfeit seat 1: x"))
    with pytest.raises(RecordError, match="does not say who plays: name the seats"):
        Session.resume(replace(record, seats=("human", "")))
    assert Session.resume(replace(record, seats=("", "")), ("human", "greedy")).humans == (0,)
    move(session, *" ".join(GAME).split()[1:])
    with pytest.raises(RecordError, match="the game is over"):
        Session.resume(session.record())


def test_a_record_may_stop_between_a_card_and_its_cell() -> None:
    session = tiny_session()
    move(session, "d", "d")
    session.apply([parse_move(session.view(0), "C1@0,0")[0]])
    again = Session.resume(read_arb(write_arb(session.record())))
    assert list(legal_moves(again.view(0))) == ["C1@0,0"]
    assert again.take_back(0) is True
    assert next(iter(legal_moves(again.view(0)))) == "C1@0,0"
    assert len(legal_moves(again.view(0))) == 4


def test_a_program_that_fails_forfeits(tmp_path: Path) -> None:
    session = tiny_session("human", f"process:{command(tmp_path, 'dies at once')}")
    move(session, *GAME[0].split())
    session.let_agent_move()
    assert session.done
    record = session.record()
    assert record.termination == "forfeit seat 1: ended with exit code 1"
    assert (record.winners, record.result) == ((0,), None)


def test_seats_are_checked_before_anybody_plays() -> None:
    with pytest.raises(AgentSpecError, match="unknown agent 'gredy'"):
        tiny_session("human", "gredy")
    with pytest.raises(AgentSpecError, match="agent 'human' has no option 'nane'"):
        tiny_session("human:nane=Ann", "greedy")
    with pytest.raises(RecordError, match="no double quote or control character"):
        tiny_session('human:name="Ann"', "greedy")
    with pytest.raises(ConfigError, match="1 seats named: expected 2"):
        tiny_session("human")


def test_people_have_names() -> None:
    assert [is_human(spec) for spec in ("human", "human@1:Ann", "humane", "greedy")] == [
        True,
        True,
        False,
        False,
    ]
    assert [display_name(spec) for spec in ("human", "human:name=Ann", "human:Bo", "greedy")] == [
        "human",
        "Ann",
        "Bo",
        "greedy",
    ]
