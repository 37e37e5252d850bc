"""Records of games that were played on the engine."""

import numpy as np
import pytest

from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import DealError, IllegalActionError, RecordError
from arboretum_env.forfeit import Forfeit
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.from_game import record_from_match
from arboretum_env.records.replay import replay
from tests.random_games import CONFIGS, random_actions


def played(name: str, games: int) -> tuple[GameState, GameState, list[list[int]]]:
    """(the deal, the end, every game's actions) of a batch under random play."""
    initial = deal(CONFIGS[name], 7, np.arange(games))
    state, rng = initial.clone(), np.random.default_rng(7)
    actions: list[list[int]] = [[] for _ in range(games)]
    while not state.done.all():
        chosen = random_actions(legal_action_mask(state), rng)
        for game, action in enumerate(chosen):
            if action >= 0:
                actions[game].append(int(action))
        apply_action(state, chosen)
    return initial, state, actions


@pytest.mark.parametrize("name", CONFIGS)
def test_every_game_of_a_batch_replays_to_its_own_end(name: str) -> None:
    initial, final, actions = played(name, 4)
    untouched = initial.raw.copy()
    scores = score(final)
    for game in range(4):
        players = initial.config.num_players
        names = [f"agent {seat}" for seat in range(players)]
        record = record_from_match(initial, actions[game], names, index=game, deal=f"game {game}")
        assert record.result == tuple(scores.points[game])
        assert record.winners == tuple(np.flatnonzero(scores.winners[game]))
        assert (record.seats, record.deal) == (tuple(names), f"game {game}")
        again = replay(read_arb(write_arb(record)))
        assert list(again.position.actions) == actions[game]
        assert again.turns == final.turn[game]
        # The row's bytes: not a card, order or coordinate differs.
        assert np.array_equal(again.position.state.raw[0], final.raw[game])
    assert np.array_equal(initial.raw, untouched)


def test_unfinished_game() -> None:
    initial, _, actions = played("3 players", 1)
    record = record_from_match(
        initial, actions[0][:13], forfeit=Forfeit(2, "illegal move"), takebacks=1
    )
    assert [turn.num_decisions for turn in record.turns] == [5, 5, 3]
    assert (record.result, record.winners) == (None, (0, 1))
    assert record.termination == "forfeit seat 2: illegal move"
    assert (record.forfeited_by, record.takebacks, record.seats) == (2, 1, ("", "", ""))


def test_refusals() -> None:
    initial, final, actions = played("reduced 2", 1)
    with pytest.raises(DealError, match="the game has begun"):
        record_from_match(final, actions[0])
    with pytest.raises(IllegalActionError):
        record_from_match(initial, [actions[0][0], actions[0][-1]])
    with pytest.raises(RecordError, match="no double quote"):
        record_from_match(initial, actions[0], ('a"b', ""))
