"""Bots for tests: programs of a few lines that play, fail and misbehave."""

import shlex
import sys
import time
from pathlib import Path

HEAD = """
import json, os, sys, time

def say(**answer):
    print(json.dumps(answer), flush=True)

def turn(message):
    return message["view"]["turn"]

def trouble(message):
    return message["game"] == "41" and turn(message) >= 2

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "move":
        number, legal = message["id"], message["legal"]
"""

BODIES = {
    "sound": "say(id=number, move=legal[0])",
    "last": "say(id=number, move=legal[-1])",
    "crash": """
if trouble(message):
    print("out of ideas", file=sys.stderr)
    print('"no" \\x1b[31mway\\n', file=sys.stderr)
    sys.exit(3)
say(id=number, move=legal[0])""",
    "killed": """
if trouble(message):
    os.kill(os.getpid(), 9)
say(id=number, move=legal[0])""",
    "illegal": """say(id=number, move="xZ9" if trouble(message) else legal[0])""",
    "elsewhere": """
move = "d" if message["view"]["phase"] == "discard" and trouble(message) else legal[0]
say(id=number, move=move)""",
    "no move": """say(id=number, **({} if trouble(message) else {"move": legal[0]}))""",
    "number": """say(id=number, move=7 if trouble(message) else legal[0])""",
    "gives up": """
if trouble(message):
    say(id=number, error="I am lost")
else:
    say(id=number, move=legal[0])""",
    "not json": """
if trouble(message):
    print("thinking...", flush=True)
say(id=number, move=legal[0])""",
    "wrong id": """say(id=-1 if trouble(message) else number, move=legal[0])""",
    "twice": """
say(id=number, move=legal[0])
if trouble(message):
    say(id=number, move=legal[0])""",
    "endless line": """
if trouble(message):
    while True:
        sys.stdout.write("x" * 65536)
say(id=number, move=legal[0])""",
    "hangs": "time.sleep(600)",
    "dies at once": "sys.exit(1)",
    "chatty": """
sys.stderr.write("blah " * 40000)
sys.stderr.flush()
say(id=number, move=legal[0], thoughts="hm " * 30000)""",
}


def command(folder: Path, kind: str) -> str:
    """A command that runs a bot of a kind, as a spec's option takes it."""
    lines = "\n".join(f"        {line}" for line in BODIES[kind].strip().splitlines())
    path = folder / f"{kind.replace(' ', '_')}.py"
    path.write_text(f"{HEAD}{lines}\n", encoding="utf-8")
    return shlex.join([sys.executable, str(path)])


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be reaped by its parent does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def wait_until_gone(*pids: int, seconds: float = 60.0) -> bool:
    """Whether all processes end; waits for them."""
    deadline = time.monotonic() + seconds
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(is_running, pids))
