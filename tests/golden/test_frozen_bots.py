"""Published bots never change: what they play, move by move, on a few deals.

A change of their values is a new version: another ``AgentEntry``, and a line here. Regenerate with
``python -m tests.golden.test_frozen_bots``.
"""

import hashlib
import sys

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match

GAMES = 12

PUBLISHED = {
    ("random@1", 2): "6cca0ac8cdb5ff24",
    ("random@1", 3): "5375949f9b5936bb",
    ("random@1", 4): "3aac384a3921ece6",
    ("greedy@1", 2): "53ba425ad4f77de1",
    ("greedy@1", 3): "e717f106209ee5fb",
    ("greedy@1", 4): "d9b1c784fbe4df82",
    ("blocker@1", 2): "334e9af7c37424d3",
    ("blocker@1", 3): "f26f770389078420",
    ("blocker@1", 4): "3c959227f4654bb9",
    ("planner@1", 2): "a9e6ae87fbf7acb7",
    ("planner@1", 3): "1dfb26ba033a63e0",
    ("planner@1", 4): "7d638bfea8668d4c",
    ("planner@1:tuned=false", 2): "71d49186d1aa267f",
    ("planner@1:tuned=false", 3): "01a4c519ffdb18e9",
    ("planner@1:tuned=false", 4): "c08e1d47fddc7f1c",
}
"""SHA-256, 16 digits, of all actions of the games of a bot against itself."""


def actions_hash(spec: str, players: int) -> str:
    """The bot in every seat; every second game with starting discards."""
    whole = hashlib.sha256()
    for starting_discards in (False, True):
        config = GameConfig(num_players=players, starting_discards=starting_discards)
        agent = make_agent(spec, config)
        ids = np.arange(GAMES // 2, dtype=np.uint64)
        agent.reset(ids, 1)
        seating = np.zeros((len(ids), players), np.int64)
        match = play_match(deal(config, 77, ids), [agent], seating, ids, keep_actions=True)
        for game in range(len(ids)):
            whole.update(np.array(match.game_actions(game), "<i2").tobytes())
    return whole.hexdigest()[:16]


@pytest.mark.parametrize(("spec", "players"), PUBLISHED)
def test_it_plays_as_it_was_published(spec: str, players: int) -> None:
    assert actions_hash(spec, players) == PUBLISHED[spec, players]


if __name__ == "__main__":
    for name in ("random@1", "greedy@1", "blocker@1", "planner@1", "planner@1:tuned=false"):
        for number in (2, 3, 4):
            line = f'    ("{name}", {number}): "{actions_hash(name, number)}",'
            sys.stdout.write(f"{line}\n")
