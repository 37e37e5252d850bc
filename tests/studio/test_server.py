"""The server as a process: its port, its end, and what it says when it cannot begin."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arboretum_lab.cli.main import main
from arboretum_lab.cli.problems import explain
from arboretum_lab.studio.server import listen

ARBORETUM = (sys.executable, "-m", "arboretum_lab")


class Server:
    """``arboretum serve`` on a free port."""

    def __init__(self, data: Path, *options: str) -> None:
        command = [*ARBORETUM, "serve", "--port", "0", "--data", str(data), *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.said = [self.process.stdout.readline() for _ in range(3 if "--lan" in options else 2)]
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", self.said[0])
        assert found is not None, self.process.communicate()
        self.port = int(found[1])
        self.token = ""

    def call(self, method: str, path: str, body: Any = None, host: str = "127.0.0.1") -> Any:
        request = urllib.request.Request(
            f"http://{host}:{self.port}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def end(self, number: int) -> tuple[int, str]:
        """Sends a signal; the exit code and what was said on stderr."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    yield server
    if server.process.poll() is None:
        server.process.kill()
        server.process.communicate()


@pytest.mark.slow
def test_ctrl_c_ends_it_at_once_and_no_game_is_lost(server: Server, tmp_path: Path) -> None:
    assert server.said[1] == f"games: {tmp_path}\n"
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=60) as page:
        assert b"<title>" in page.read() and "server" not in page.headers
    server.token = server.call("POST", "/api/session")["token"]
    made = {"players": 2, "seats": ["human", "greedy"], "seed": 4}
    game = server.call("POST", "/api/games", made)
    move = {"state_id": 0, "seat": 0, "action": 0}
    state = server.call("POST", f"/api/games/{game['id']}/moves", move)
    answers: list[Any] = []
    waiting = f"/api/games/{game['id']}/events?after={state['state_id']}"
    thread = threading.Thread(target=lambda: answers.append(server.call("GET", waiting)))
    thread.start()
    while not _is_connected(server):
        time.sleep(0.01)
    time.sleep(1)  # and its request read
    assert server.end(signal.SIGINT) == (0, "")
    thread.join(60)
    assert answers == [state]  # who waited got an answer

    again = Server(tmp_path)
    again.token = server.token
    try:
        assert again.call("GET", f"/api/games/{game['id']}") == state
    finally:
        again.end(signal.SIGKILL)
    third = Server(tmp_path)
    third.token = server.token
    assert third.call("GET", f"/api/games/{game['id']}") == state
    assert third.end(signal.SIGINT)[0] == 0


def _is_connected(server: Server) -> bool:
    """Whether the thread that waits has its connection."""
    port = f"{server.port:04X}"
    established = "01"
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return any(
        line.split()[1].endswith(f":{port}") and line.split()[3] == established for line in lines
    )


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--data", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        f"arboretum: error: port {port} is taken, perhaps by another studio: choose one with "
        "--port, 0 for any free one\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--port", "70000"], "--port 70000: expected 0..65535"),
        (
            ["--agent", "runs/none"],
            "expected a run or checkpoint folder or a .onnx",
        ),
        (["--agent", "gredy"], "unknown agent 'gredy'; did you mean 'greedy'?"),
        (["--bot-seconds", "0"], "--bot-seconds 0: expected more than 0, to 3600"),
        (["--port", "0", "--data", "{file}/x"], "no folder to keep games in: Not a directory"),
    ],
)
def test_what_it_cannot_begin_with(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main(["serve", *(word.format(file=file) for word in arguments)]) == 2
    line = capsys.readouterr().err
    assert line.startswith("arboretum: error: ") and message in line, line
    assert line.count("\n") == 1


def test_a_folder_of_no_use_is_told_before_anything_is_promised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    (tmp_path / "file").touch()
    assert main(["serve", "--open", "--port", "0", "--data", str(tmp_path / "file" / "x")]) == 2
    assert capsys.readouterr().out == "" and opened == []


@pytest.mark.parametrize("opens", [True, False])
def test_a_machine_without_a_browser(
    opens: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or opens)
    monkeypatch.setattr("arboretum_lab.studio.server.serve", lambda app, listener: None)
    assert main(["serve", "--open", "--port", "0", "--data", str(tmp_path)]) == 0
    [address] = asked
    said = capsys.readouterr().out
    assert f"studio: {address} (Ctrl-C ends it)\n" in said
    told = f"no browser could be opened here: open {address} in one\n"
    assert (told in said) is not opens


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    probe = (
        "import sys; sys.modules['fastapi'] = None;"
        "from arboretum_lab.cli.main import main; sys.exit(main(['serve', '--port', '0']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "arboretum: error: this needs fastapi, which is not installed: "
        "pip install 'arboretum-lab[web]'\n"
    )
    for library in ("fastapi", "uvicorn"):
        assert explain(ModuleNotFoundError(name=library)) is not None


def test_small_answers_are_sent_at_once() -> None:
    """Asyncio sets TCP_NODELAY on sockets that name their protocol; else an answer waits 40 ms."""
    with listen(0, lan=False) as listener:
        assert listener.proto == socket.IPPROTO_TCP
        assert listener.getsockname()[0] == "127.0.0.1"


@pytest.mark.slow
def test_other_devices_only_with_lan(tmp_path: Path) -> None:
    here, lan = Server(tmp_path / "here"), Server(tmp_path / "lan", "--lan")
    try:
        assert lan.said[1].startswith("network: http://")
        # All of 127.0.0.0/8 is this machine: another address of it stands for the network's.
        assert lan.call("GET", "/api/agents", host="127.0.0.2")["lan"] is True
        with pytest.raises(urllib.error.URLError, match="refused"):
            here.call("GET", "/api/agents", host="127.0.0.2")
    finally:
        for server in (here, lan):
            assert server.end(signal.SIGTERM)[1] == ""
