"""``greedy``: takes the obvious move, the same one whatever it is batched with, and wins."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_env.actions import Action, decode
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView
from tests.features.oracle import batch, view_of
from tests.table import picture

TWO = GameConfig()
PURE = picture("C2 C3 C4")
"""One card more of the right rank makes four of one species, which count double."""


def greedy(config: GameConfig, seed: int = 0) -> Agent:
    agent = make_agent("greedy", config)
    agent.reset(np.arange(3, dtype=np.uint64), seed)
    return agent


def choice(view: PlayerView) -> Action:
    """What greedy does in one view."""
    [action] = greedy(view.config).act(batch([view]))
    return decode(view.config, int(action))


def played(config: GameConfig, view: PlayerView) -> tuple[str, tuple[int, int]]:
    """The card it plants from a view in PLAY, and where."""
    card = choice(view)
    assert card.kind == "play_card"
    place = choice(replace(view, phase=Phase.PLACE, chosen_card=card.index))
    assert place.kind == "place_cell"
    return config.card_text(card.index), view.true_cell(place.index)


def with_piles(view: PlayerView, piles: Sequence[Sequence[str]], deck: int = 5) -> PlayerView:
    """The view with discard piles by absolute seat, bottom to top."""
    ids = tuple(tuple(view.config.parse_card(card) for card in pile) for pile in piles)
    return replace(view, discard_piles=ids, deck_size=deck)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("phase", [Phase.DRAW_FIRST, Phase.DRAW_SECOND])
def test_it_draws_the_card_that_completes_its_path(players: int, seat: int, phase: Phase) -> None:
    config = GameConfig(num_players=players)
    arboreta = [PURE if k == seat else {} for k in range(players)]
    view = view_of(config, arboreta, ["D1", "J2"], seat=seat, phase=phase)
    for owner in range(players):
        piles = [["L1"] if k != owner else ["L2", "C5"] for k in range(players)]
        assert choice(with_piles(view, piles)) == Action("draw_discard", (owner - seat) % players)
        # Beneath another card it is out of reach.
        piles[owner].append("G1")
        assert choice(with_piles(view, piles)) == Action("draw_deck")


def test_it_takes_a_pile_when_the_deck_is_empty() -> None:
    view = view_of(TWO, [PURE, {}], ["D1"], phase=Phase.DRAW_SECOND)
    assert choice(with_piles(view, [["L1"], []], deck=0)) == Action("draw_discard", 0)
    assert choice(with_piles(view, [["L1"], ["L2"]], deck=0)) == Action("draw_discard", 1)
    assert choice(with_piles(view, [[], []])) == Action("draw_deck")


@pytest.mark.parametrize(
    ("board", "hand", "card", "cells"),
    [
        # Past the end of the path, on any of the free sides of C4.
        ("C2 C3 C4", "D8 C5 J7 L1", "C5", {(3, 0), (2, 1), (2, -1)}),
        # 1 before the 2 and 1 for the start; a gap behind the 4 gains as much but wastes ranks.
        ("C2 C3 C4", "D8 C1 J7 L1", "C1", {(-1, 0), (0, 1), (0, -1)}),
        # The one cell between the 3 and the 6 that closes the gap.
        ("C3 .  C6\nC2 D1 D7", "C4 V8 J7", "C4", {(1, 1)}),
        # A first card: all it gives up is a card of hand, so the lowest goes.
        ("", "C8 D2 J5 L7", "D2", {(0, 0)}),
    ],
)
def test_it_plants_where_its_path_gains_most(
    board: str, hand: str, card: str, cells: set[tuple[int, int]]
) -> None:
    for seat in (0, 1):
        arboreta = [picture(board) if k == seat else {} for k in range(2)]
        planted, cell = played(TWO, view_of(TWO, arboreta, hand.split(), seat=seat))
        assert planted == card
        assert cell in cells


@pytest.mark.parametrize(
    ("own", "rival", "hand", "discard"),
    [
        # D1 is of no species on its table and of the lowest rank.
        ("C2 C3 C4", "", "C8 C7 D1 J6", "D1"),
        # Its own next card is worth more than a higher one of another species.
        ("C2 C3 C4", "", "C5 J5", "J5"),
        # What completes a rival's path is not offered: 9 points for V5, V8 alike, J2 gives nothing.
        ("C2 C3 C4", "V2 V3 V4", "V5 J6 C8", "J6"),
    ],
)
def test_it_discards_what_nobody_wants(own: str, rival: str, hand: str, discard: str) -> None:
    view = view_of(TWO, [picture(own), picture(rival)], hand.split(), phase=Phase.DISCARD)
    assert choice(view) == Action("discard_card", TWO.parse_card(discard))


@pytest.mark.parametrize(("players", "least"), [(2, 0.97), (3, 0.9), (4, 0.85)])
def test_it_beats_random(players: int, least: float) -> None:
    """One greedy against random in all other seats, every deal from every seat."""
    config = GameConfig(num_players=players)
    deals = 80
    ids = np.repeat(np.arange(deals, dtype=np.uint64), players)
    seats = np.tile(np.arange(players), deals)
    seating = np.ones((len(ids), players), np.int64)
    seating[np.arange(len(ids)), seats] = 0
    agents = [make_agent(spec, config) for spec in ("greedy", "random")]
    for agent in agents:
        agent.reset(ids, 6)
    scores = play_match(deal(config, 6, ids), agents, seating, ids).scores
    share = scores.win_shares[np.arange(len(ids)), seats].mean()
    assert share > least
    own = scores.points[np.arange(len(ids)), seats].mean()
    assert own > 2 * scores.points[seating == 1].mean()
