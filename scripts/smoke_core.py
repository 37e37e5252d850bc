"""Tries an installed arboretum-lab that has only its core dependencies; run by check_distribution.

It stands outside the checkout and uses what a newcomer would: PettingZoo, gymnasium and the command
line.
"""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np

import arboretum_env
from arboretum_env import pettingzoo_env

ARBORETUM = Path(sys.executable).parent / "arboretum"
BOARD = {
    "species": "CDJVLG",
    "players": [
        {"hand": ["C2"], "arboretum": [[0, 0, "C1"], [1, 0, "D5"], [1, 1, "C8"]]},
        {"hand": [], "arboretum": []},
    ],
}


def attempt(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """``arboretum ARGUMENTS``, run to its end, whatever its exit code."""
    return subprocess.run(
        [ARBORETUM, *arguments], check=False, capture_output=True, text=True, input=typed
    )


def run(*arguments: str, typed: str = "") -> str:
    """Standard output of ``arboretum ARGUMENTS``, which must succeed."""
    done = attempt(*arguments, typed=typed)
    assert done.returncode == 0, f"arboretum {' '.join(arguments)}: {done.stderr}"
    return done.stdout


def play(num_players: int) -> None:
    """One random game through PettingZoo ends, and its rewards sum to zero."""
    env = pettingzoo_env.env(num_players=num_players)
    env.reset(seed=1)
    generator = np.random.default_rng(1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, termination, truncation, info = env.last()
        total[agent] += reward
        over = termination or truncation
        env.step(None if over else generator.choice(np.flatnonzero(info["action_mask"])))
    assert len(total) == num_players
    assert abs(sum(total.values())) < 1e-6, total


def learn() -> None:
    """A named task through gymnasium, until each of its games has ended once."""
    envs = gymnasium.make_vec("Arboretum-Mini-v0", num_envs=3)
    generator = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    ended = np.zeros(3, np.bool_)
    while not ended.all():
        masks = infos["action_mask"]
        actions = (masks * generator.random(masks.shape)).argmax(axis=1)
        _, rewards, terminations, _, infos = envs.step(actions)
        assert not rewards[~terminations].any(), rewards
        ended |= terminations


def main() -> None:
    """Runs every check."""
    assert "site-packages" in str(arboretum_env.__file__), arboretum_env.__file__
    assert importlib.util.find_spec("torch") is None, "torch is here: this tries the core alone"
    for num_players in (2, 3, 4):
        play(num_players)
    learn()
    assert run("--version").startswith("arboretum-lab ")
    for command in ("score", "replay", "render", "bench", "play", "engine"):
        assert "usage: arboretum" in run(command, "--help")
    board = Path("board.json")
    board.write_text(json.dumps(BOARD), encoding="utf-8")
    # Three cards, from a 1 to an 8: 3 + 1 + 2; nobody contests the right.
    assert json.loads(run("score", str(board), "--json"))["scores"] == [6, 0]
    assert "planner would play d" in run("play", "--save", "game.arb", typed="hint\nd\n")
    assert run("play", "--resume", "game.arb", typed="d\nquit\n").count("seat 0, plant>") == 1
    assert json.loads(run("engine", typed='{"id": 1, "type": "hello"}\n'))["protocol"] == 1
    without_extra = attempt("train", "x.yaml")
    assert without_extra.returncode == 2, without_extra
    assert "arboretum-lab[train]" in without_extra.stderr, without_extra.stderr
    print("the core alone: 2, 3 and 4 players, a task, score, a game saved, help of every command")


if __name__ == "__main__":
    main()
