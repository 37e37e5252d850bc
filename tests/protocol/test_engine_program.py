"""The engine as a program: what goes where, how it ends, and a client that knows no rules."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arboretum_lab.cli.main import main
from tests.protocol.engine_talk import TO_MOVE

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "docs" / "examples" / "client.mjs"
ARBORETUM = Path(sys.executable).parent / "arboretum"
NODE = shutil.which("node")


def engine(code: str = "", **options: Any) -> "subprocess.Popen[bytes]":
    program = f"import sys; from arboretum_lab.cli.main import main\n{code}\n"
    return subprocess.Popen(
        [sys.executable, "-c", f"{program}sys.exit(main(['engine']))"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def test_stdout_carries_nothing_but_answers() -> None:
    noise = """
import os
from arboretum_lab.engine import advisers
from arboretum_agents.bots.random import RandomAgent
class Noisy(RandomAgent):
    def act(self, views):
        print("thinking")
        os.system("echo and more")
        return super().act(views)
advisers.make_agent = lambda spec, config, mode: Noisy(config)
"""
    request = json.dumps({"id": 1, "type": "move", "view": TO_MOVE}).encode()
    process = engine(noise)
    printed, errors = process.communicate(request + b"\nnonsense\n", timeout=120)
    said = [json.loads(line) for line in printed.splitlines()]
    assert sorted(map(str, (answer["id"] for answer in said))) == ["1", "None"]
    assert b"and more" in errors
    assert process.returncode == 0


def test_a_client_that_went_away() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [ARBORETUM, "engine"],
        input=b'{"id":1,"type":"hello"}\n' * 3,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_no_threads_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--threads", "0"]) == 2
    assert capsys.readouterr().err == "arboretum: error: 0 threads: expected 1..256\n"


def test_the_client_is_short() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= 40


@pytest.mark.slow
@pytest.mark.skipif(
    NODE is None, reason="THE EXAMPLE CLIENT WAS NOT RUN: there is no node on this machine"
)
def test_a_foreign_client_completes_a_hundred_games() -> None:
    done = subprocess.run(
        [str(NODE), str(CLIENT), "100", "planner", "greedy"],
        env={**os.environ, "ARBORETUM": str(ARBORETUM)},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [re.fullmatch(r"(\w+) won ([\d.]+) of 100", line) for line in done.stdout.splitlines()]
    wins = {match[1]: float(match[2]) for match in lines if match}
    assert wins.keys() == {"planner", "greedy"}
    assert sum(wins.values()) == 100
    assert wins["planner"] > 75  # 90.5; the games are the same on every machine
    assert done.stderr == ""
