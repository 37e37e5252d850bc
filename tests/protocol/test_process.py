"""Bots in other processes: they play, and whatever they do wrong is a forfeit of that one game."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.protocol import process
from arboretum_agents.protocol.process import ProcessAgent
from arboretum_agents.registry import AgentSpecError, make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import MatchResult, play_match
from arboretum_env.notation import legal_moves, parse_move
from arboretum_env.phase import Phase
from arboretum_env.records.files import load_record
from arboretum_env.view import PlayerViews
from arboretum_lab.cli.main import main
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise
from tests.protocol.bots import command, is_running, wait_until_gone
from tests.random_games import CONFIGS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "bot.mjs"
NODE = shutil.which("node")
PATIENCE = 120.0
"""Seconds for a move: no sound program fails a test because a machine is busy."""

IDS = np.arange(40, 44, dtype=np.uint64)


class Pick:
    """Plays the first or the last legal move of the notation: what "sound" and "last" play."""

    def __init__(self, which: int) -> None:
        self.which = which

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        pass

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        return np.array([parse_move(v, list(legal_moves(v))[self.which])[0] for v in views])


def played(config: GameConfig, agents: list[Agent], seats: list[int]) -> MatchResult:
    for agent in agents:
        agent.reset(IDS, 3)
    seating = np.tile(np.array(seats), (len(IDS), 1))
    return play_match(deal(config, 9, IDS), agents, seating, IDS, keep_actions=True)


def games(match: MatchResult) -> list[list[int]]:
    return [match.game_actions(row) for row in range(len(IDS))]


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize(("kind", "which"), [("sound", 0), ("last", -1)])
def test_a_program_plays_whole_games_of_every_kind(
    name: str, kind: str, which: int, tmp_path: Path
) -> None:
    config = CONFIGS[name]
    agent = ProcessAgent(config, command(tmp_path, kind), PATIENCE)
    match = played(config, [agent], [0] * config.num_players)
    agent.close()
    assert match.forfeits == {}
    assert match.final.done.all()
    assert games(match) == games(played(config, [Pick(which)], [0] * config.num_players))


REASONS = {
    "crash": "ended with exit code 3: 'no'  [31mway",
    "killed": "was killed by signal 9",
    "illegal": "illegal move 'xZ9' is no move here: expected a draw",
    "elsewhere": "illegal move 'd' is no move here: expected a discard such as xG2",
    "no move": "an answer without a move",
    "number": "an answer without a move",
    "gives up": "gave up: I am lost",
    "not json": "not JSON: Expecting value: line 1 column 1 (char 0) in 'thinking...'",
    "wrong id": "an answer without the id of an open question",
    "endless line": "said a line of more than 1048576 bytes",
}


@pytest.mark.parametrize("kind", REASONS)
def test_a_failure_forfeits_one_game_with_a_reason(kind: str, tmp_path: Path) -> None:
    config = GameConfig(num_players=3)
    agent = ProcessAgent(config, command(tmp_path, kind), PATIENCE)
    match = played(config, [Pick(0), agent], [0, 0, 1])
    assert match.forfeits.keys() == {1}
    assert match.forfeits[1].seat == 2
    assert match.forfeits[1].reason.startswith(REASONS[kind])
    assert match.final.turn[1] == 2
    assert (match.final.phase[1] == Phase.DISCARD) == (kind == "elsewhere")
    sound = played(config, [Pick(0)], [0, 0, 0])
    for row in (0, 2, 3):
        assert match.game_actions(row) == sound.game_actions(row)
    agent.close()


def test_an_answer_too_many_costs_the_next_game_in_line(tmp_path: Path) -> None:
    config = GameConfig()
    agent = ProcessAgent(config, command(tmp_path, "twice"), PATIENCE)
    match = played(config, [agent], [0, 0])
    agent.close()
    assert len(match.forfeits) >= 1
    for forfeit in match.forfeits.values():
        assert forfeit.reason == "an answer without the id of an open question"


@pytest.mark.parametrize("kind", ["hangs", "dies at once"])
def test_a_program_that_never_answers_is_given_up(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_START_SECONDS", 0.15 if kind == "hangs" else 60.0)
    config = GameConfig()
    agent = ProcessAgent(config, command(tmp_path, kind), seconds=0.1)
    match = played(config, [agent], [0, 0])
    reason = {"hangs": "no answer within 0.25 seconds", "dies at once": "ended with exit code 1"}
    assert [match.forfeits[row].termination for row in range(4)] == [
        f"forfeit seat 0: {reason[kind]}"
    ] * 4
    assert match.game_actions(0) == []


def test_floods_on_both_outputs_stop_nobody(tmp_path: Path) -> None:
    """Each answer comes with more than pipes hold, while questions still wait to be read."""
    config = CONFIGS["reduced 2"]
    agent = ProcessAgent(config, command(tmp_path, "chatty"), PATIENCE)
    match = played(config, [agent], [0, 0])
    agent.close()
    assert match.forfeits == {}
    assert games(match) == games(played(config, [Pick(0)], [0, 0]))


def test_many_questions_at_once(tmp_path: Path) -> None:
    """A batch of questions is far more than a pipe holds."""
    config = GameConfig(num_players=2, species=4, hand_size=3)
    agent = ProcessAgent(config, command(tmp_path, "sound"), PATIENCE)
    ids = np.arange(100, dtype=np.uint64)
    agent.reset(ids, 1)
    match = play_match(deal(config, 1, ids), [agent], np.zeros((100, 2), np.int64), ids)
    agent.close()
    assert match.forfeits == {}


def test_one_process_serves_many_games_and_is_reaped(tmp_path: Path) -> None:
    config = CONFIGS["reduced 2"]
    agent = ProcessAgent(config, command(tmp_path, "sound"), PATIENCE)
    first = played(config, [agent], [0, 0])
    assert agent._child is not None
    pid = agent._child.pid
    assert is_running(pid)
    again = played(config, [agent], [0, 0])  # `reset` keeps the process
    assert agent._child.pid == pid
    assert games(first) == games(again)
    agent.close()
    assert not is_running(pid)
    with pytest.raises(ChildProcessError):  # reaped: nothing is left to wait for
        os.waitpid(pid, os.WNOHANG)
    played(config, [agent], [0, 0])
    assert agent._child.pid != pid
    other = agent._child.pid
    del agent, first, again  # forgotten without `close`
    assert wait_until_gone(other)


def test_views_tell_the_past_if_asked(tmp_path: Path) -> None:
    config = CONFIGS["reduced 2"]
    path = tmp_path / "log.py"
    path.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'move':\n"
        "        past = m['view']['history']\n"
        "        assert past is not None and len(past) >= 4 * m['view']['turn'], past\n"
        "        print(json.dumps({'id': m['id'], 'move': m['legal'][0]}), flush=True)\n",
        encoding="utf-8",
    )
    shlexed = f"{sys.executable} {path}"
    agent = make_agent(f"process:{shlexed},history=true,seconds={PATIENCE}", config)
    assert played(config, [agent], [0, 0]).forfeits == {}
    silent = make_agent(f"process:{shlexed},seconds={PATIENCE}", config)
    match = played(config, [silent], [0, 0])
    assert "AssertionError: None" in match.forfeits[0].reason


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("process", "agent 'process': expected an option command=..."),
        ("process:command=", "agent 'process': command=: expected a program that can be run"),
        ("process:./no-such-bot", "agent 'process': command=./no-such-bot: expected a program"),
        ("process:sh 'x", "agent 'process': command=sh 'x: No closing quotation"),
        ('process:sh "x"', "agent 'process': command=sh \"x\": expected single quotes"),
        ("process:sh,seconds=0", "agent 'process': seconds=0.0: expected more than 0"),
        ("process:sh,seconds=nan", "agent 'process': seconds=nan: expected more than 0"),
    ],
)
def test_bad_specs(spec: str, message: str) -> None:
    with pytest.raises(AgentSpecError) as error:
        make_agent(spec, GameConfig())
    assert str(error.value).startswith(message)


def test_an_evaluation_counts_and_records_forfeits(tmp_path: Path) -> None:
    """Every game in which the bot meets trouble is lost, and its record says why."""
    spec = f"process:{command(tmp_path, 'crash')},seconds={PATIENCE}"
    result = evaluate(
        [spec, "random"], GameConfig(), deals=22, seed=1, save_games=tmp_path / "games"
    )
    [lost] = np.flatnonzero(result.games.game_id == 41)
    seat = int(np.flatnonzero(result.games.seating[lost] == 0)[0])
    assert result.games.win_shares[lost, seat] == 0
    assert result.games.win_shares[lost, 1 - seat] == 1
    assert result.games.points[lost, seat] == 0
    assert result.games.forfeits[lost] == seat
    assert summarise(result).agents[spec].forfeits == 1
    record = load_record(tmp_path / "games" / "deal000020-game0000041.arb")
    assert record.termination.startswith(f"forfeit seat {seat}: ended with exit code 3")
    assert record.seats[seat] == spec
    assert record.winners == (1 - seat,)
    others = [path for path in (tmp_path / "games").iterdir() if "game0000041" not in path.name]
    assert len(others) == 43
    assert not any(load_record(path).termination for path in others)


needs_node = pytest.mark.skipif(
    NODE is None, reason="THE EXAMPLE BOT WAS NOT RUN: there is no node on this machine"
)


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 40


@needs_node
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("starting_discards", [False, True])
def test_the_example_completes_games(players: int, starting_discards: bool) -> None:
    config = GameConfig(num_players=players, starting_discards=starting_discards)
    agent = ProcessAgent(config, f"node '{EXAMPLE}'", PATIENCE)
    match = played(config, [agent], [0] * players)
    agent.close()
    assert match.forfeits == {}
    assert match.final.done.all()


@needs_node
def test_the_example_beats_random() -> None:
    result = evaluate(
        [f"process:node '{EXAMPLE}',seconds={PATIENCE}", "random"], GameConfig(), deals=25, seed=5
    )
    shares = result.games.win_shares[result.games.seating == 0]
    assert shares.mean() > 0.55  # 0.76 over 40 deals


STUBBORN = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(os.path.join(sys.argv[1], f"{os.getpid()}.tmp"), "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename(file.name, file.name[:-4])
while True:
    time.sleep(1)
"""


def pids_in(folder: Path, wanted: int) -> list[int]:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        files = [path for path in folder.iterdir() if not path.suffix]
        if len(files) >= wanted:
            return [int(pid) for path in files for pid in path.read_text().split()]
        time.sleep(0.02)
    pytest.fail("the bots did not start")


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("workers", [1, 2])
def test_no_program_outlives_us(tmp_path: Path, end: signal.Signals, workers: int) -> None:
    """Bots that ignore the end of their stdin, and have children, go however we go."""
    bot, folder = tmp_path / "stubborn.py", tmp_path / "pids"
    bot.write_text(STUBBORN, encoding="utf-8")
    folder.mkdir()
    spec = f"process:{sys.executable} {bot} {folder},seconds=600"
    parent = subprocess.Popen(
        [
            *(sys.executable, "-m", "arboretum_lab", "evaluate", spec, "random"),
            *("--deals", "128", "--workers", str(workers)),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        pids = pids_in(folder, workers)
        assert all(map(is_running, pids))
        os.killpg(parent.pid, end)  # as a terminal does it, or a shutdown
        parent.wait(60)
        assert wait_until_gone(*pids)
    finally:
        parent.kill()
        parent.wait()


def test_the_list_of_agents_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "--json"]) == 0
    printed = capsys.readouterr().out
    assert '"command": "(required)"' in printed
    assert '"seconds": 10.0' in printed
