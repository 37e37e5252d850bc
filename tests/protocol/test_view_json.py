"""A view as JSON: the same view comes back, and what is no view is refused by name."""

import contextlib
import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arboretum_env.config import GameConfig
from arboretum_env.determinize import determinize
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.errors import ConfigError, ViewError
from arboretum_env.history import HistoryKeeper
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews, redact
from arboretum_env.view_json import config_from_json, config_to_json, view_from_json, view_to_json
from tests.properties.strategies import SOME, configs, seeds
from tests.random_games import random_actions

VIEW: dict[str, Any] = {
    "config": {"players": 2, "species": "CDJ", "ranks": 3, "hand_size": 2},
    "seat": 0,
    "mover": 1,
    "phase": "discard",
    "turn": 1,
    "deck_size": 2,
    "hand": ["C2", "C3"],
    "known_hands": [[], ["D3"]],
    "discard_piles": [[], []],
    "arboreta": [[[0, 0, "C1"]], [[0, 0, "D1"]]],
    "history": ["d(C3)", "d(D3)", "C1@0,0", "xD3", "p0(D3)", "?", "D1@0,0"],
}
"""The second turn of the example game of docs/records.md, before its discard, as seat 0 sees it."""


@SOME
@given(configs(), seeds, st.integers(0, 400))
def test_every_view_of_a_game_comes_back(config: GameConfig, seed: int, stop: int) -> None:
    state = deal(config, seed, [0])
    masks = legal_action_mask(state)
    keeper = HistoryKeeper(state)
    rng = np.random.default_rng(seed)
    for _ in range(stop):
        if state.done.all():
            break
        before, actions = state.clone(), random_actions(masks, rng)
        step(state, actions, masks)
        keeper.note(before, state, actions)
    for seat in range(config.num_players):
        histories = keeper.histories(np.zeros(1, np.int64), np.array([seat]))
        view = redact(state, seat, histories=histories)[0]
        text = json.dumps(view_to_json(view))
        assert view_from_json(json.loads(text)) == view


@SOME
@given(configs())
def test_options_come_back(config: GameConfig) -> None:
    assert config_from_json(json.loads(json.dumps(config_to_json(config)))) == config


def test_options_have_the_defaults_of_the_rules() -> None:
    assert config_from_json({"players": 3}) == GameConfig(num_players=3)
    with pytest.raises(ConfigError, match="game options: players: missing, expected a value"):
        config_from_json({})
    with pytest.raises(ConfigError, match="num_players 5: expected at most 4"):
        config_from_json({"players": 5})
    with pytest.raises(ConfigError, match="game options: expected keys and values"):
        config_from_json([2])


def test_a_view_by_hand() -> None:
    view = view_from_json(VIEW)
    assert view.phase is Phase.DISCARD
    assert view.hand == (1, 2)  # C2 and C3 of CDJ with three ranks
    assert view.known_hands == (frozenset(), frozenset({5}))
    assert view.arboreta == (((0, 0, 0),), ((0, 0, 3),))
    assert view.chosen_card is None
    form = view_to_json(view)
    assert form == {
        **VIEW,
        "chosen_card": None,
        "config": {
            **VIEW["config"],
            "starting_discards": False,
            "cancel_eights": True,
            "rights": "highest",
        },
    }


def changed(path: str, value: Any) -> dict[str, Any]:
    form = copy.deepcopy(VIEW)
    *above, last = path.split(".")
    at: Any = form
    for key in above:
        at = at[int(key)] if isinstance(at, list) else at[key]
    at[int(last) if isinstance(at, list) else last] = value
    return form


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("seat", 2, "view: seat 2: expected 0..1"),
        ("seat", True, "view: seat: expected an integer"),
        ("seat", 0.0, "view: seat: expected an integer"),
        ("turn", 5, "view: turn 5: expected 0..3"),
        ("mover", 0, "view: mover 0: expected 1, the seat of turn 1"),
        ("phase", "think", "view: phase: expected 'draw_first'"),
        ("phase", "game_over", "view: turn 1: expected 3..4"),
        ("deck_size", 6, "view: deck_size 6: expected 0..5"),
        ("deck_size", 0, "view: deck_size 0: 4 draws cannot have taken 5 cards"),
        ("deck_size", 3, "view: 4 cards are not shown, expected 5"),
        ("chosen_card", "C2", "view: chosen_card: expected null"),
        ("hand", ["C2"], "view: hand: 1 cards, expected 2"),
        ("hand", ["C2", "C2"], "view: hand: C2 stands there twice"),
        ("hand", ["C2", "C9"], "view: 'C9' is not a card in play"),
        ("hand", ["C2", "D1"], "view: D1 stands in two places"),
        ("hand", "C2 C3", "view: hand: expected a list"),
        ("known_hands", [[]], "view: known_hands: 1 seats, expected 2"),
        ("known_hands.0", ["J1"], "view: known_hands: the observer's own known cards"),
        ("known_hands.1", ["D3", "J1", "J2", "J3"], "view: known_hands: 4 cards of seat 1"),
        ("discard_piles.0", ["J1"], "view: 3 cards are not shown, expected 4"),
        ("arboreta.1", [], "view: arboreta: 0 cards of seat 1, expected 1"),
        ("arboreta.0.0", [1, 0, "C1"], "view: arboreta: C1 of seat 0 at 1,0: expected the first"),
        ("arboreta.0.0", [0, 0], r"view: arboreta: \[0, 0\]: expected \[x, y, card\]"),
        ("history", ["d(C3)"] * 8, "view: history: 8 events, expected at most 7"),
        ("history.1", "?", "view: history: event 1, '\\?', cannot stand there"),
        ("history.5", "d(J1)", "view: history: event 5"),
        ("history.6", "xD1", "view: history: event 6"),
        ("config.ranks", 9, "view: game options: num_ranks 9: expected at most 8"),
        ("config.hand_size", 3, "view: deck_size 2: expected 0|view: hand: 2 cards, expected 3"),
        ("more", 1, "view: more: unknown key"),
    ],
)
def test_what_is_no_view_is_refused_by_name(path: str, value: Any, message: str) -> None:
    with pytest.raises(ViewError, match=message):
        view_from_json(changed(path, value))


@pytest.mark.parametrize("key", [key for key in VIEW if key not in ("history", "chosen_card")])
def test_every_part_is_needed(key: str) -> None:
    form = {name: value for name, value in VIEW.items() if name != key}
    with pytest.raises(ViewError, match=f"view: {key}: missing, expected a value"):
        view_from_json(form)


def test_planted_cards_touch_an_earlier_one() -> None:
    config = GameConfig()
    state = deal(config, 1, [0])
    view = view_to_json(redact(state, 0)[0])
    view |= {"turn": 4, "deck_size": 26}
    unused = [card for card in map(config.card_text, range(48)) if card not in view["hand"]]
    planted = [[0, 0, unused[0]], [0, 1, unused[1]], [0, 0, unused[2]], [0, 1, unused[3]]]
    view["arboreta"] = [planted[:2], planted[2:]]
    view["discard_piles"] = [unused[4:6], unused[6:8]]
    assert view_from_json(view).turn == 4
    for cell in ([1, 1], [0, 0], [0, 2]):
        broken = copy.deepcopy(view)
        broken["arboreta"][1][1][:2] = cell
        with pytest.raises(ViewError, match=f"of seat 1 at {cell[0]},{cell[1]}: expected"):
            view_from_json(broken)
    no_discard = copy.deepcopy(view)
    no_discard["discard_piles"] = [unused[4:8], []]
    with pytest.raises(ViewError, match="seat 1 has just discarded, expected a card there"):
        view_from_json(no_discard)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
PATHS = st.sampled_from(
    [
        *VIEW,
        *(f"config.{key}" for key in VIEW["config"]),
        "hand.0",
        "known_hands.1",
        "discard_piles.0",
        "arboreta.0",
        "arboreta.1.0",
        "arboreta.1.0.0",
        "history.3",
    ]
)
NEAR = st.sampled_from(["C1", "D3", "J2", "J3", [], ["J1"], 0, 1, 2, 3, -1, 127, "play", "place"])


def put(form: Any, path: str, value: Any) -> None:
    """Puts a value where a path leads; nowhere if it leads nowhere any more."""
    *above, last = (int(step) if step.isdigit() else step for step in path.split("."))
    with contextlib.suppress(KeyError, IndexError, TypeError):
        at = form
        for step in above:
            at = at[step]
        at[last] = value


@SOME
@given(st.lists(st.tuples(PATHS, JUNK | NEAR), min_size=1, max_size=4))
def test_junk_is_refused_or_a_true_position(changes: list[tuple[str, Any]]) -> None:
    """What passes has a completion and, for its mover, a legal action."""
    form = copy.deepcopy(VIEW)
    for path, value in changes:
        put(form, path, copy.deepcopy(value))
    try:
        view = view_from_json(form)
    except ViewError:
        return
    views = PlayerViews(view.config, view.to_observation()[None, :])
    determinize(views, np.random.default_rng(0))  # raises for what is no position
    if view.mover == view.seat and view.phase is not Phase.GAME_OVER:
        assert view.legal_actions()
