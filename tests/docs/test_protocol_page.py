"""docs/protocol.md and docs/playing.md: their examples are what happens, their tables complete."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from arboretum_agents.human import HumanAgent
from arboretum_agents.protocol import process
from arboretum_agents.protocol.process import ProcessAgent
from arboretum_agents.registry import option_defaults
from arboretum_env.notation import legal_moves, parse_move
from arboretum_env.view import PlayerViews
from arboretum_env.view_json import ConfigJson, ViewJson, view_from_json, view_to_json
from arboretum_lab.engine.requests import FaultKind, MoveRequest, Request
from tests.play.screen import Screen, tiny_session
from tests.play.test_table import sit_down
from tests.protocol.engine_talk import raw_answers

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "protocol.md").read_text(encoding="utf-8")
PLAYING = (DOCS / "playing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
BOT, ENGINE = (block for _, block in BLOCKS if "\n< " in block)


def table(header: str, page: str = PAGE) -> list[str]:
    """First cells of the rows of the table whose first title is ``header``, names in ticks."""
    lines = page.split(f"\n| {header} |", 1)[1].splitlines()[2:]
    rows = [line for line in lines[: lines.index("")] if line.startswith("|")]
    return [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]


def marked(block: str, mark: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith(mark)]


def example_view() -> dict[str, Any]:
    [text] = [block for language, block in BLOCKS if language == "json"]
    view: dict[str, Any] = json.loads(text)
    return view


def test_the_view_is_one_and_is_written_so() -> None:
    assert view_to_json(view_from_json(example_view())) == example_view()
    assert list(legal_moves(view_from_json(example_view()))) == ["xD3", "xJ2", "xJ3"]


def test_every_field_is_explained() -> None:
    assert table("field") == list(ViewJson.model_fields)
    assert table("option") == list(ConfigJson.model_fields)
    assert table("`move` | type") == [
        name for name in MoveRequest.model_fields if name not in ("id", "type")
    ]
    types = [get_args(request.model_fields["type"].annotation)[0] for request in get_args(Request)]
    assert sorted([*table("request"), "move"]) == sorted(types)
    assert table("`error.kind`") == list(get_args(FaultKind))
    assert table("message") == ["hello", "reset", "move"]
    parts = PAGE.split("| option | meaning | default |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", parts, re.MULTILINE) == list(option_defaults(ProcessAgent))


def test_the_engine_answers_as_the_page_says() -> None:
    asked = "\n".join(marked(ENGINE, "> ")).encode() + b"\n"
    said = sorted(raw_answers(asked), key=lambda answer: str(answer["id"]))
    assert said == [json.loads(line) for line in marked(ENGINE, "< ")]


def test_a_bot_is_asked_as_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    class Child:
        def __init__(self, arguments: list[str]) -> None:
            pass

        def send(self, line: bytes) -> None:
            sent.append(line.decode().rstrip("\n"))

        def receive(self, seconds: float) -> bytes:
            return marked(BOT, "< ")[0].encode()

    monkeypatch.setattr(process, "Child", Child)
    view = view_from_json({**example_view(), "history": None})
    agent = ProcessAgent(view.config, "sh")
    games = np.array([5], np.uint64)
    agent.reset(games, 7)
    views = PlayerViews(view.config, view.to_observation()[None, :], games)
    assert agent.act(views).tolist() == list(parse_move(view, "xJ2"))
    assert sent == marked(BOT, "> ")


def test_every_command_of_the_game_is_explained(tmp_path: Path) -> None:
    screen = Screen(["help", "quit"])
    assert not sit_down(tiny_session("human", "greedy"), screen, tmp_path).play()
    [text] = [text for text in screen.printed if text.startswith("moves:")]
    commands = re.findall(r"^  (\w+)", text.split("commands:")[1], re.MULTILINE)
    assert sorted(table("command", PLAYING)) == sorted(commands)
    assert option_defaults(HumanAgent) == {"name": ""}
