"""Moves as text: exactly the legal ones, and reasons for all others."""

import re

import numpy as np
import pytest
from hypothesis import given

from arboretum_env.actions import num_actions
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ActionError, IllegalActionError
from arboretum_env.notation import legal_moves, parse_move
from arboretum_env.phase import Phase
from arboretum_env.records.from_game import record_from_match
from arboretum_env.records.tokens import turn_tokens
from arboretum_env.view import PlayerView, redact
from tests.properties.strategies import SOME, configs, seeds

TINY = GameConfig(species="CDJ", num_ranks=3, hand_size=2)


def mover_view(state: GameState) -> PlayerView:
    return redact(state, state.mover)[0]


def after(*moves: str) -> PlayerView:
    """The mover's view of the example game of docs/records.md after some moves."""
    state = deal_exact(TINY, [["C1", "C2"], ["J2", "D1"]], ["C3", "D3", "D2", "J1", "J3"])
    for move in moves:
        for action in parse_move(mover_view(state), move):
            apply_action(state, np.array([action]))
    return mover_view(state)


@SOME
@given(configs(), seeds)
def test_moves_are_the_legal_actions_and_the_tokens_of_a_record(
    config: GameConfig, seed: int
) -> None:
    """Played by random moves, a game's record holds just these moves."""
    state = deal(config, seed, [0])
    initial, rng = state.clone(), np.random.default_rng(seed)
    played: list[str] = []
    actions: list[int] = []
    while not state.done[0]:
        view = mover_view(state)
        moves = legal_moves(view)
        assert len(set(moves.values())) == len(moves)
        first = {ids[0] for ids in moves.values()}
        assert first == set(np.flatnonzero(legal_action_mask(state)[0]).tolist())
        for idle in range(config.num_players):
            if idle != view.seat:
                assert legal_moves(redact(state, idle)[0]) == {}
        move = list(moves)[int(rng.integers(len(moves)))]
        assert parse_move(view, move) == moves[move]
        played.append(move)
        for action in moves[move]:
            if view.phase is Phase.PLAY and action == moves[move][1]:
                placing = mover_view(state)  # half of the move: the same text, one action
                assert parse_move(placing, move) == (action,)
                cells = {ids[0] for ids in legal_moves(placing).values()}
                assert cells == set(np.flatnonzero(legal_action_mask(state)[0]).tolist())
            apply_action(state, np.array([action]))
            actions.append(action)
    assert legal_moves(mover_view(state)) == {}
    record = record_from_match(initial, actions)
    assert [token for turn in record.turns for token in turn_tokens(config, turn)] == played


def test_moves_by_hand() -> None:
    assert list(legal_moves(after())) == ["d"]
    assert list(legal_moves(after("d", "d"))) == ["C1@0,0", "C2@0,0", "C3@0,0", "D3@0,0"]
    view = after("d", "d", "C1@0,0", "xD3")
    assert list(legal_moves(view)) == ["d", "p0(D3)"]
    # Seat 1 moves: the pile of seat 0 is that of the next seat, k = 1.
    assert parse_move(view, "p0") == parse_move(view, "p0(D3)") == (2,)
    view = after("d", "d", "C1@0,0", "xD3", "p0", "d", "D1@0,0", "xJ2", "p1", "d")
    assert list(legal_moves(view))[:4] == ["C2@-1,0", "C2@0,-1", "C2@0,1", "C2@1,0"]


OPENING = ("d", "d", "C1@0,0", "xD3")


@pytest.mark.parametrize(
    ("moves", "text", "reason"),
    [
        ((), "p0", "p0: seat 0's discard pile is empty"),
        ((), "p7", "p7: expected a seat 0..1"),
        (OPENING, "p0(C1)", "p0(C1): the top of seat 0's discard pile is D3"),
        (OPENING, "p1(C1)", "p1(C1): seat 1's discard pile is empty"),
        (("d", "d"), "D1@0,0", "D1@0,0: D1 is not in seat 0's hand"),
        (("d", "d"), "C1@1,0", "C1@1,0: the first card of an arboretum stands at 0,0"),
        (("d", "d", "C1@0,0"), "xC1", "xC1: C1 is not in seat 0's hand"),
        (
            (*OPENING, "p0", "d", "D1@0,0", "xJ2", "p1", "d"),
            "C2@0,0",
            "C2@0,0: C1 stands there already",
        ),
        (
            (*OPENING, "p0", "d", "D1@0,0", "xJ2", "p1", "d"),
            "C2@1,1",
            "C2@1,1: the cell is not next to any card of seat 0's arboretum",
        ),
    ],
)
def test_an_illegal_move_says_why(moves: tuple[str, ...], text: str, reason: str) -> None:
    with pytest.raises(IllegalActionError, match=f"^{re.escape(reason)}$"):
        parse_move(after(*moves), text)


@pytest.mark.parametrize(
    ("moves", "text", "message"),
    [
        ((), "", "'' is no move here: expected a draw: d (deck) or pN (top of seat N's pile)"),
        ((), "xC1", "'xC1' is no move here"),
        (("d", "d"), "C1", "'C1' is no move here: expected a plant such as M7@0,-1 (card@x,y)"),
        (("d", "d"), "C1@", "'C1@' is no move here"),
        (("d", "d"), "C1@100,0", "'C1@100,0' is no move here"),
        (("d", "d"), "W1@0,0", "W1@0,0: 'W1' is not a card in play"),
        (("d", "d", "C1@0,0"), "d", "'d' is no move here: expected a discard such as xG2"),
        (("d", "d", "C1@0,0"), "xC9", "xC9: 'C9' is not a card in play"),
        ((), "\u0664", "'\u0664' is no move here"),
        ((), "d" * 99, f"'{'d' * 40}...' is no move here"),
    ],
)
def test_what_is_no_move_says_what_is_due(moves: tuple[str, ...], text: str, message: str) -> None:
    with pytest.raises(ActionError, match=f"^{re.escape(message)}") as error:
        parse_move(after(*moves), text)
    assert not isinstance(error.value, IllegalActionError)


def test_an_empty_deck_cannot_be_drawn_from() -> None:
    config = GameConfig(species="CD", num_ranks=3, hand_size=2)
    state = deal_exact(config, [["C1", "C2"], ["D1", "D2"]], ["C3", "D3"])
    for move in ("d", "d", "C1@0,0", "xC2"):
        for action in parse_move(mover_view(state), move):
            apply_action(state, np.array([action]))
    assert state.done[0]
    with pytest.raises(IllegalActionError, match="seat 1 is not to move"):
        parse_move(mover_view(state), "d")
    config = GameConfig(species="CD", num_ranks=4, hand_size=2)
    state = deal_exact(config, [["C1", "C2"], ["D1", "D2"]], ["C3", "D3", "C4", "D4"])
    for move in ("d", "d", "C1@0,0", "xC2", "p0", "d", "D1@0,0", "xD2", "d"):
        for action in parse_move(mover_view(state), move):
            assert 0 <= action < num_actions(config)
            apply_action(state, np.array([action]))
    with pytest.raises(IllegalActionError, match="d: the deck is empty, expected a draw from a"):
        parse_move(mover_view(state), "d")
    assert list(legal_moves(mover_view(state))) == ["p1(D2)"]
