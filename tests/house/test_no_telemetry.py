"""Nothing is sent anywhere: no command looks up a host or connects, no module has a client."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from arboretum_env.config import GameConfig
from arboretum_training.config import BudgetConfig, EvaluationConfig, dump_experiment
from tests.house.test_files import source_modules
from tests.training.experiments import experiment

CLIENTS = {"urllib.request", "http.client", "requests", "httpx", "aiohttp", "ftplib", "smtplib"}
# An audit hook sees what any library does, and cannot be taken away again.
PROBE = """
import os, sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname",
                 "urllib.Request", "smtplib.connect", "ftplib.connect"):
        os.write(2, f"NETWORK {event} {arguments[1:]}\\n".encode())
        os._exit(99)

sys.addaudithook(watch)
"""
RUN = "from arboretum_lab.cli.main import main; sys.exit(main(sys.argv[1:]))"
TINY = experiment(
    GameConfig(num_players=2, species=4, num_ranks=5, hand_size=3),
    games=12,
    turns=4,
    seed=2,
    budget=BudgetConfig(decisions=300),
    evaluation=EvaluationConfig(final_deals=2),
)


def watched(code: str, arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs Python code under the hook."""
    command = [sys.executable, "-c", PROBE + code, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "tiny.yaml", "--workers", "1"],
        ["evaluate", "league-2p", "greedy", "--deals", "2", "--workers", "1"],
        ["agents"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_reach_for_no_network(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(dump_experiment(TINY), encoding="utf-8")
    done = watched(RUN, arguments, tmp_path)
    assert "NETWORK" not in done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.create_connection(('127.0.0.1', 1))",
        "import socket; socket.gethostbyname('localhost')",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1/')",
    ],
)
def test_whoever_reached_for_it_would_be_noticed(code: str, tmp_path: Path) -> None:
    done = watched(code, [], tmp_path)
    assert done.returncode == 99
    assert done.stderr.startswith("NETWORK ")


def imported(path: Path) -> set[str]:
    """Modules that a file names in imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_no_module_brings_a_client() -> None:
    users = {str(path) for path in source_modules() if imported(path) & CLIENTS}
    assert users == set()


def test_a_client_is_found(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def f():\n    from urllib import request\n")
    assert imported(path) & CLIENTS == {"urllib.request"}
