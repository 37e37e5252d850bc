"""Histories: filled by the runner for agents that ask, own events in full, rivals' draws hidden."""

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.bots.random import RandomAgent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, initial_deal
from arboretum_env.match import MatchResult, play_match
from arboretum_env.phase import Phase
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.from_game import record_from_match
from arboretum_env.view import PlayerViews
from tests.random_games import CONFIGS


class Listener(RandomAgent):
    """Plays at random and keeps every history that it is shown."""

    wants_history = True

    def __init__(self, config: GameConfig) -> None:
        super().__init__(config)
        self.shown: list[tuple[int, int, int, int, tuple[str, ...]]] = []

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        assert views.histories is not None
        for index, view in enumerate(views):
            assert view.history == views.histories[index]
            game = int(views.game_id[index])
            self.shown.append((game, view.seat, view.turn, int(view.phase), view.history or ()))
        return super().act(views)


def listen(config: GameConfig, games: int) -> tuple[Listener, MatchResult]:
    agent = Listener(config)
    ids = np.arange(games, dtype=np.uint64)
    agent.reset(ids, 5)
    seating = np.zeros((games, config.num_players), np.int64)
    return agent, play_match(deal(config, 11, ids), [agent], seating, ids, keep_actions=True)


def recorded_tokens(match: MatchResult, index: int) -> list[str]:
    """The moves of a game as its record writes them, with the cards of deck draws filled in."""
    players = match.initial.config.num_players
    record = record_from_match(
        match.initial, match.game_actions(index), ["a"] * players, index=index
    )
    moves = write_arb(record).split("\n\n", 1)[1]
    tokens = [token for token in moves.split() if not token.endswith(".")]
    _, deck, _ = initial_deal(match.initial, index)
    cards = iter(deck)
    return [
        f"d({match.initial.config.card_text(next(cards))})" if token == "d" else token
        for token in tokens
    ]


@pytest.mark.parametrize("name", CONFIGS)
def test_histories_are_the_record_without_the_rivals_deck_draws(name: str) -> None:
    config = CONFIGS[name]
    agent, match = listen(config, 3)
    expected = [recorded_tokens(match, index) for index in range(3)]
    assert len(agent.shown) == (match.actions >= 0).sum()  # type: ignore[operator]
    for game, seat, turn, phase, history in agent.shown:
        done = {Phase.DISCARD: 3, Phase.PLACE: 2}.get(Phase(phase), phase)
        events = expected[game][: 4 * turn + done]
        mine = [
            "?" if event.startswith("d(") and index // 4 % config.num_players != seat else event
            for index, event in enumerate(events)
        ]
        assert list(history) == mine


def test_nobody_pays_for_histories_that_nobody_wants() -> None:
    config = GameConfig()

    class Deaf(RandomAgent):
        def act(self, views: PlayerViews) -> NDArray[np.int64]:
            assert views.histories is None
            return super().act(views)

    ids = np.arange(2, dtype=np.uint64)
    play_match(deal(config, 1, ids), [Deaf(config)], np.zeros((2, 2), np.int64), ids)
