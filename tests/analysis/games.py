"""A whole small game, worked out by hand, and courses of games between bots.

Two species of eight ranks, one card in hand. Seat 0 is to discard last, with C8 and D7 in hand; the
only card that it does not see, C4, is seat 1's. Seat 1 has the path C2 C3, worth 2; seat 0 has
D1 D4, worth 3 with the bonus for the 1. By keeping C8 seat 0 takes the right to C from seat 1 and
wins 3-0; in the game it throws it away: 3-2.
"""

import numpy as np

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.records.arb_reader import read_arb
from arboretum_training.analysis.story import Course, course, course_of_record

THROWN_AWAY = """[Arboretum "1"]
[Players "2"]
[Species "CD"]
[StartingDiscards "0"]
[Hands "C8 / C4"]
[Deck "D1 D2 C2 D3 D4 D5 C3 D6 C5 C6 C7 D8 C1 D7"]
[Result "3-2"]
[Winners "0"]

1. d d D1@0,0 xD2
2. d d C2@0,0 xD3
3. d d D4@0,1 xD5
4. d d C3@1,0 xD6
5. d d C5@0,2 xC6
6. d d D8@-1,0 xC7
7. d d C1@-1,0 xC8
"""

FIFTH_TURN = 20
"""Decisions before seat 0's third turn, in which seven cards are unseen."""

LAST_DISCARD = 34
"""Decisions before the last one."""


def thrown_away() -> Course:
    return course_of_record(read_arb(THROWN_AWAY))


def bots_course(config: GameConfig, seed: int, specs: tuple[str, ...] = ("planner",)) -> Course:
    """A game between bots, whose seats take turns in ``specs``."""
    agents = [make_agent(spec, config) for spec in specs]
    ids = np.zeros(1, np.uint64)
    for agent in agents:
        agent.reset(ids, seed)
    seating = np.array([[seat % len(specs) for seat in range(config.num_players)]])
    match = play_match(deal(config, seed, [0]), agents, seating, ids, keep_actions=True)
    return course(match.initial, match.game_actions(0))
