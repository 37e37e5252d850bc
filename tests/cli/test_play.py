"""``arboretum play`` as a program: through pipes and at a terminal, left in every way."""

import contextlib
import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arboretum_env.config import GameConfig
from arboretum_env.errors import IllegalActionError
from arboretum_env.notation import legal_moves
from arboretum_env.records.files import load_record
from arboretum_env.records.replay import replay
from arboretum_env.records.scoresheet import sheet_text
from arboretum_lab.cli.main import main
from arboretum_lab.cli.play import Command, seat_specs
from arboretum_lab.play.session import Session

ARBORETUM = Path(sys.executable).parent / "arboretum"
SMALL = ("--species", "3", "--ranks", "4", "--hand-size", "3")
SMALL_CONFIG = GameConfig(species=3, num_ranks=4, hand_size=3)


def pipe(text: str | bytes, *arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    data = text.encode() if isinstance(text, str) else text
    done = subprocess.run(
        [ARBORETUM, "play", *arguments], input=data, capture_output=True, cwd=cwd, check=False
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def first_moves(config: GameConfig, seats: tuple[str, ...], seed: int) -> tuple[Session, list[str]]:
    """A game in which people take the first legal move, and what they say."""
    session, answers = Session.begin(config, seats, seed), []
    while not session.done:
        if session.mover in session.humans:
            move, actions = next(iter(legal_moves(session.view(session.mover)).items()))
            answers.append(move)
            session.apply(actions)
        else:
            session.let_agent_move()
    return session, answers


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (("human", "greedy"), SMALL),
        (("planner", "human:Bo", "random"), ("--starting-discards", "--species", "4")),
        (("human", "blocker", "greedy", "random"), ("--species", "5")),
    ],
)
def test_a_whole_game_through_a_pipe(
    seats: tuple[str, ...], options: tuple[str, ...], tmp_path: Path
) -> None:
    config = GameConfig(
        num_players=len(seats),
        species="CDJVL"[: int(options[options.index("--species") + 1])],
        num_ranks=4 if "--ranks" in options else 8,
        hand_size=3 if "--hand-size" in options else 7,
        starting_discards="--starting-discards" in options,
    )
    session, answers = first_moves(config, seats, 3)
    done = pipe(
        "\n".join(answers) + "\n",
        *(*seats, *options, "--seed", "3", "--save", "game.arb"),
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, "")
    record = load_record(tmp_path / "game.arb")
    assert record == session.record()
    sheet = replay(record).sheet
    assert sheet is not None
    assert sheet_text(sheet, session.names) in done.stdout
    assert done.stdout.endswith("saved: game.arb\n")


def test_the_end_of_the_input_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    session, answers = first_moves(SMALL_CONFIG, ("human", "greedy"), 8)
    done = pipe("\n".join(answers[:6]), "human", "greedy", *SMALL, "--seed", "8", cwd=tmp_path)
    assert done.returncode == 0
    *_, saved, hint = done.stdout.splitlines()
    assert saved == "saved: arboretum-1.arb (it holds the whole deal: do not look)"
    words = hint.removeprefix("go on with: ").split()
    assert words[1:] == ["play", "--resume", "arboretum-1.arb"]
    assert load_record(tmp_path / "arboretum-1.arb").result is None
    again = pipe("\n".join(answers[6:]), *words[2:], cwd=tmp_path)
    assert again.returncode == 0
    assert load_record(tmp_path / "arboretum-1.arb") == session.record()
    third = pipe("", *words[2:], cwd=tmp_path)
    assert (third.returncode, third.stdout) == (2, "")
    assert third.stderr == (
        "arboretum: error: arboretum-1.arb: the game is over: arboretum replay explains its score\n"
    )
    fourth = pipe("", *SMALL, cwd=tmp_path)  # another game has another name
    assert "saved: arboretum-2.arb" in fourth.stdout


def test_ctrl_c_saves(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [ARBORETUM, "play", *SMALL, "--save", "my game.arb"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
    )
    assert process.stdin and process.stdout
    try:
        process.stdin.write("d\n")
        process.stdin.flush()
        for line in process.stdout:
            if "second draw>" in line:
                break
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, errors) == (130, "")
    assert "saved: my game.arb" in printed
    assert printed.endswith("play --resume 'my game.arb'\n")
    assert load_record(tmp_path / "my game.arb").num_decisions == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gredy", "human"), "unknown agent 'gredy'; did you mean 'greedy'?"),
        (("human",) * 5, "game options: num_players 5: expected at most 4"),
        (("human", "--players", "1"), "game options: num_players 1: expected at least 2"),
        (("human", "greedy", "random", "--players", "2"), "3 seats named: expected at most 2"),
        (("--seat", "2"), "--seat 2: expected 0..1"),
        (("--seed", "-1"), "--seed -1: expected 0 or more"),
        (("--save", "game.txt"), "game.txt: expected a name that ends in .arb or .json"),
        (("--save", "old.arb"), "old.arb: is there already, expected a new name"),
        (("--save", "no/game.arb"), "no/game.arb: expected a folder that is there, no is none"),
        (("--resume", "none.arb"), "none.arb: No such file or directory"),
        (("--resume", "old.arb", "--seed", "0"), "--resume: expected no --seed and no kind of"),
        (("--resume", "old.arb", "--ranks", "4"), "--resume: expected no --seed and no kind of"),
        (("--resume", "old.arb"), "old.arb: 'Arboretum': no [Arboretum ...] header"),
        (("--species", "99"), "game options: 99 species: expected 2..10"),
        (('human:name="', "greedy"), "Seat0: no double quote or control character"),
    ],
)
def test_bad_options_are_one_line(
    arguments: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.arb").write_text("mine\n")
    assert main(["play", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert message in line
    assert [path.name for path in tmp_path.iterdir()] == ["old.arb"]


@pytest.mark.parametrize(
    ("named", "players", "seat", "expected"),
    [
        ((), 2, 0, ("human", "planner")),
        ((), 2, 1, ("planner", "human")),
        ((), 4, 3, ("planner", "planner", "planner", "human")),
        (("human",), 3, 0, ("human", "planner", "planner")),
        (("human", "greedy"), 3, 1, ("greedy", "human", "greedy")),
        (("human:Ann", "human:Bo", "random"), 3, 2, ("human:Bo", "random", "human:Ann")),
    ],
)
def test_who_sits_where(
    named: tuple[str, ...], players: int, seat: int, expected: tuple[str, ...]
) -> None:
    assert seat_specs(Command(seats=named, seat=seat), players) == expected


def test_seats_of_a_saved_game_can_be_given_to_others(tmp_path: Path) -> None:
    pipe("d\n", *SMALL, "--seed", "1", cwd=tmp_path)
    path = tmp_path / "arboretum-1.arb"
    assert load_record(path).seats == ("human", "planner")
    pipe("", "greedy", "human", "--resume", str(path), cwd=tmp_path)
    assert load_record(path).seats == ("greedy", "human")


@settings(deadline=None, max_examples=40)
@given(st.lists(st.binary(max_size=40) | st.sampled_from([b"d", b"undo", b"\x00" * 9000, b"\r"])))
def test_any_bytes_may_come_in(lines: list[bytes]) -> None:
    """Whatever it reads, it ends well, with a game that can be read."""
    data = b"\n".join(line for line in lines if b"save" not in line and b"hint" not in line)
    path = Path("fuzzed.arb")
    saved: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        patch.setattr(Session, "save", lambda session, path: saved.append(session.record()))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            assert main(["play", *SMALL, "--seed", "5", "--save", str(path)]) == 0
    assert len(saved) == 1
    assert not path.exists()
    assert "go on with: " in out.getvalue() or "game over" in out.getvalue()


def test_a_game_that_cannot_be_saved_in_its_place_is_saved_elsewhere(tmp_path: Path) -> None:
    """Its folder goes away during the game; people are told where it is now."""
    (tmp_path / "games").mkdir()
    process = subprocess.Popen(
        [ARBORETUM, "play", *SMALL, "--save", "games/mine.arb"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        text=True,
    )
    assert process.stdout
    try:
        for line in process.stdout:
            if "first draw>" in line:
                break
        (tmp_path / "games").rmdir()
        printed, errors = process.communicate("d\nquit\n", timeout=120)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, errors) == (0, "")
    [refuge] = tmp_path.glob("arboretum-*/mine.arb")
    assert "games/mine.arb: No such file or directory\n" in printed
    assert printed.endswith(f"play --resume {refuge}\n")
    assert load_record(refuge).num_decisions == 1


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP])
def test_a_closed_terminal_and_being_ended_save(end: signal.Signals, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [ARBORETUM, "play", *SMALL],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
    )
    assert process.stdout
    try:
        for line in process.stdout:
            if "first draw>" in line:
                break
        process.send_signal(end)
        printed, _ = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "saved: arboretum-1.arb" in printed
    assert load_record(tmp_path / "arboretum-1.arb").num_decisions == 0


def test_a_reader_that_went_away_costs_no_game(tmp_path: Path) -> None:
    """Nobody reads what is said, at any moment: the game is saved first."""
    process = subprocess.Popen(
        [ARBORETUM, "play", *SMALL],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
    )
    assert process.stdin and process.stdout and process.stderr
    try:
        for line in process.stdout:
            if "first draw>" in line:
                break
        process.stdout.close()
        process.stdin.close()  # the end of the input, and then there is something to say
        assert process.wait(120) == 141
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
    assert load_record(tmp_path / "arboretum-1.arb").num_decisions == 0


def test_an_agents_fault_saves_the_game_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(session: Session) -> None:
        raise IllegalActionError("agent 1 chose nonsense")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Session, "let_agent_move", fail)
    assert main(["play", "greedy", "human", *SMALL]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors[0].startswith("saved: arboretum-1.arb")
    assert errors[1].endswith("play --resume arboretum-1.arb")
    assert errors[2:] == ["arboretum: error: agent 1 chose nonsense"]
    assert load_record(tmp_path / "arboretum-1.arb").num_decisions == 0


def test_two_games_in_one_folder_have_two_files(tmp_path: Path) -> None:
    """The second one is left while the first one is under way."""
    first = subprocess.Popen(
        [ARBORETUM, "play", *SMALL, "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
    )
    assert first.stdout
    try:
        for line in first.stdout:
            if "first draw>" in line:
                break
        assert "saved: arboretum-1.arb" in pipe("d\n", *SMALL, "--seed", "2", cwd=tmp_path).stdout
        printed, _ = first.communicate("quit\n", timeout=120)
    finally:
        first.kill()
        first.wait()
    assert "saved: arboretum-2.arb" in printed
    assert [load_record(tmp_path / f"arboretum-{number}.arb").deal for number in (1, 2)] == [
        "user seed 2 game 0",
        "user seed 1 game 0",
    ]


class Screen:
    """What a program prints at a terminal, read piece by piece."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._unread = ""

    def read_until(self, text: str, seconds: float = 120.0) -> str:
        """Everything up to and with a text; what came behind it is read next time."""
        deadline = time.monotonic() + seconds
        while text not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._terminal], [], [], left)[0]:
                pytest.fail(f"no {text!r} in {self._unread!r}")
            try:
                self._unread += os.read(self._terminal, 65536).decode("utf-8", "replace")
            except OSError:
                pytest.fail(f"ended without {text!r}: {self._unread!r}")
        read, found, self._unread = self._unread.partition(text)
        return read + found


def test_at_a_terminal_tab_completes(tmp_path: Path) -> None:
    pytest.importorskip("readline", reason="TAB WAS NOT TRIED: this Python has no readline")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [ARBORETUM, "play", "human:Ann", "human:Bo", *SMALL, "--seed", "2"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env={**os.environ, "TERM": "dumb", "INPUTRC": os.devnull},
        start_new_session=True,
    )
    os.close(theirs)
    screen = Screen(ours)
    try:
        screen.read_until("then press Enter> ")
        os.write(ours, b"\n")
        screen.read_until("first draw> ")
        os.write(ours, b"hel\t\n")
        screen.read_until("Tab completes moves and commands")
        screen.read_until("first draw> ")
        os.write(ours, b"hint gre\t\n")
        screen.read_until("greedy would play d")
        screen.read_until("first draw> ")
        # What Ann typed, a card of hers among it, is not to be had by whoever sits there next.
        os.write(ours, b"d\n")
        screen.read_until("second draw> ")
        os.write(ours, b"d\n")
        screen.read_until("plant> ")
        os.write(ours, b"C4@9,9\n")
        screen.read_until("stands at 0,0")
        os.write(ours, b"C3@0,0\n")
        screen.read_until("discard> ")
        os.write(ours, b"xC4\n")
        screen.read_until("then press Enter> ")
        os.write(ours, b"\n")
        screen.read_until("first draw> ")
        os.write(ours, b"\x10\x10\n")  # twice the line before, as arrow keys say it
        assert "is no move here" not in screen.read_until("expected a draw")
        screen.read_until("first draw> ")
        os.write(ours, b"\x04")  # the end of the input, as a terminal has it
        assert "saved: arboretum-1.arb" in screen.read_until("--resume")
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
