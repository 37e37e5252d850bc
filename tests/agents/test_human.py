"""A person as an agent: asked in notation, told what is wrong, asked again."""

import io
import sys

import numpy as np
import pytest

from arboretum_agents.human import HumanAgent, tidied
from arboretum_agents.terminal import MAX_ANSWER, Terminal
from arboretum_env.engine.deal import deal_exact
from arboretum_env.errors import ForfeitError
from arboretum_env.match import play_match
from arboretum_env.view_json import view_from_json
from tests.play.screen import DECK, GAME, HANDS, TINY, Screen
from tests.protocol.test_view_json import VIEW


def test_two_seats_of_one_person_play_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = np.zeros(1, np.uint64)
    screen = Screen(["nonsense", "help", *" ".join(GAME).split()])
    agent = HumanAgent(TINY)
    monkeypatch.setattr(agent, "_terminal", screen)
    agent.reset(ids, 0)
    match = play_match(
        deal_exact(TINY, HANDS, DECK), [agent], np.zeros((1, 2), np.int64), ids, keep_actions=True
    )
    assert match.scores.points.tolist() == [[5, 5]]
    assert len(screen.prompts) == 2 + 16
    assert "'nonsense' is no move here: expected a draw" in screen.text
    # Boards of the seat that is asked, and of no other: the first shows C1 C2, and two questions.
    assert "hand   C1 C2" in screen.printed[0]
    assert "hand   ? ?" in screen.printed[0]


def test_the_end_of_the_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = HumanAgent(TINY)
    monkeypatch.setattr(agent, "_terminal", Screen([]))
    with pytest.raises(ForfeitError, match="the input has ended"):
        play_match(
            deal_exact(TINY, HANDS, DECK),
            [agent],
            np.zeros((1, 2), np.int64),
            np.zeros(1, np.uint64),
        )


DISCARDING = view_from_json({**VIEW, "seat": 1, "hand": ["D3", "J2", "J3"], "history": None})


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        (" xj2 ", "xJ2"),
        ("X J2", "xJ2"),
        ("j2", "xJ2"),
        ("D", "D"),  # no draw is due, so it is left for the error to name
        ("p1", "p1"),
        ("m7@0,1", "M7@0,1"),
        ("m7 @ -1 , 1", "M7@-1,1"),
        ("M7 0 1", "M7@0,1"),
        ("m7@١,0", "m7@١,0"),
        ("ß", "ß"),
    ],
)
def test_what_people_type(typed: str, move: str) -> None:
    assert tidied(DISCARDING, typed) == move


@pytest.mark.parametrize(
    ("data", "answers"),
    [
        (b"d\r\nxM7\n", ["d", "xM7"]),
        (b"last", ["last"]),
        (b"\xff\n", ["\ufffd"]),
        (b"\x00\n", ["\x00"]),
        (b"x" * 100_000 + b"\nd\n", ["x" * MAX_ANSWER, "d"]),
        (b"x" * (8 * MAX_ANSWER) + b"\nd\n", ["x" * MAX_ANSWER, "d"]),
        (b"x" * (8 * MAX_ANSWER - 1) + b"\nd\n", ["x" * MAX_ANSWER, "d"]),
    ],
)
def test_lines_of_a_pipe(
    data: bytes,
    answers: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    terminal = Terminal()
    assert [terminal.ask("move> ") for _ in answers] == answers
    with pytest.raises(EOFError):
        terminal.ask("move> ")
    assert capsys.readouterr().out == "move>\n" * (len(answers) + 1)


def test_a_terminal_that_cannot_show_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    sink = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(sink, encoding="ascii"))
    Terminal().say("Zoë \ud800")
    assert sink.getvalue() == b"Zo\\xeb \\ud800\n"
