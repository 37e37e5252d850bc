"""The game in OpenSpiel is the engine's, move for move, and refuses what the engine refuses."""

import copy
import random

import numpy as np
import pyspiel
import pytest

from arboretum_env.actions import num_actions
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ConfigError, IllegalActionError
from arboretum_env.history import HistoryKeeper
from arboretum_env.observation import observe
from arboretum_env.openspiel.game import config_of, parameters_of
from arboretum_env.openspiel.table import CHANCE, NOBODY
from arboretum_env.rewards import final_rewards
from integrations.openspiel.games import BLOCKING, GAMES, at_random, playout


def dealt_game(game: pyspiel.Game, end: pyspiel.State) -> GameState:
    """The engine's game with the cards that chance gave in a finished game."""
    config: GameConfig = game.config
    given = [step.action for step in end.full_history() if step.player == CHANCE]
    size, players = config.hand_size, config.num_players
    hands = [given[seat * size : (seat + 1) * size] for seat in range(players)]
    starting = given[players * size : config.num_cards - config.deck_size]
    piles = [[], *([card] for card in starting)] if starting else None
    return deal_exact(config, hands, given[config.num_cards - config.deck_size :], piles)


@pytest.mark.parametrize("name", GAMES)
def test_a_playout_is_the_engines_game(name: str) -> None:
    game = pyspiel.load_game(name)
    for seed in range(3):
        states = list(playout(game, at_random(random.Random(seed))))
        end = states[-1]
        engine = dealt_game(game, end)
        keeper = HistoryKeeper(engine)
        for state, step in zip(states, end.full_history(), strict=False):
            if step.player == CHANCE:
                assert state.current_player() == pyspiel.PlayerId.CHANCE
                continue
            assert state.current_player() == int(engine.mover[0]) == step.player
            legal = np.flatnonzero(legal_action_mask(engine)[0]).tolist()
            assert state.legal_actions() == legal
            for seat in range(game.num_players()):
                expected = observe(engine, seat)[0]
                assert state.observation_tensor(seat) == expected.tolist()
                assert state.table.seen[seat] == keeper.histories(np.array([0]), [seat])[0]
            before = engine.clone()
            apply_action(engine, [step.action])
            keeper.note(before, engine, np.array([step.action]))
        assert end.is_terminal() and engine.done[0]
        assert end.table.row.tobytes() == engine.raw[0].tobytes()
        assert end.returns() == final_rewards(score(engine), game.reward)[0].tolist()


def test_chance_is_uniform_over_what_is_left() -> None:
    game = pyspiel.load_game("python_arboretum(players=3,species=3,ranks=4,hand_size=2)")
    for state in playout(game, at_random(random.Random(4))):
        given = {step.action for step in state.full_history() if step.player == CHANCE}
        if state.is_chance_node():
            left = sorted(set(range(12)) - given)
            assert state.chance_outcomes() == [(card, 1 / len(left)) for card in left]
    assert game.max_chance_nodes_in_history() == game.max_chance_outcomes() == 12


def test_clones_and_copies_go_their_own_ways() -> None:
    game = pyspiel.load_game(BLOCKING)
    [*_, state, _] = playout(game, at_random(random.Random(7)))
    before = str(state), state.history(), state.serialize()
    for twin in (state.clone(), copy.deepcopy(state)):
        assert str(twin) == before[0]
        twin.apply_action(twin.legal_actions()[-1])
        assert str(twin) != before[0]
        assert (str(state), state.history(), state.serialize()) == before


def test_options_come_from_the_parameters() -> None:
    config = config_of({"players": 3, "ranks": 5, "species": 4, "hand_size": 2, "rights": "all"})
    assert config == GameConfig(num_players=3, species=4, num_ranks=5, hand_size=2, rights="all")
    assert config_of({}) == GameConfig()
    assert config_of({"players": 4}) == GameConfig(num_players=4)
    assert config_of(parameters_of(config)) == config
    game = pyspiel.load_game("python_arboretum", {"cancel_eights": False})
    assert game.config == GameConfig(cancel_eights=False) and game.reward == "win"
    assert game.num_distinct_actions() == num_actions(GameConfig())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"players": 5}, "num_players 5: expected at most 4"),
        ({"species": 2, "ranks": 3}, "6 cards leave a deck of -8"),
        ({"reward": "points"}, "reward 'points': expected one of 'win', 'margin', 'mixed'"),
        ({"rights": "none"}, "rights"),
    ],
)
def test_impossible_parameters(parameters: dict[str, int | str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        pyspiel.load_game("python_arboretum", parameters)


def test_parameters_that_do_not_exist() -> None:
    with pytest.raises(pyspiel.SpielError, match="colour"):
        pyspiel.load_game("python_arboretum(colour=red)")


def test_illegal_moves_change_nothing() -> None:
    state = pyspiel.load_game(BLOCKING).new_initial_state()
    state.apply_action(3)
    before = str(state)
    with pytest.raises(IllegalActionError, match=r"card 3: expected one of \[0, 1, 2, 4, 5\]"):
        state.apply_action(3)
    state.apply_action(0)
    with pytest.raises(IllegalActionError, match=r"action 1: expected one of \[0\]"):
        state.apply_action(1)
    state.apply_action(0)
    with pytest.raises(IllegalActionError, match="card 3: expected one of"):
        state.apply_action(3)
    assert before != str(state) and state.history() == [3, 0, 0]
    table = state.table
    with pytest.raises(IllegalActionError, match="expected a card, chance is to move"):
        table.act(0)
    with pytest.raises(IllegalActionError, match="expected a seat's action"):
        table.give(1).give(2)
    assert state.table is table


def test_ids_are_openspiels() -> None:
    assert int(pyspiel.PlayerId.CHANCE) == CHANCE
    assert int(pyspiel.PlayerId.TERMINAL) == NOBODY


@pytest.mark.parametrize("name", GAMES)
def test_returns_are_zero_until_the_end_and_within_bounds(name: str) -> None:
    game = pyspiel.load_game(name)
    for seed in range(5):
        *before, end = playout(game, at_random(random.Random(seed)))
        assert all(not any(state.returns()) for state in before)
        assert abs(sum(end.returns())) < 1e-12
        assert all(game.min_utility() <= won <= game.max_utility() for won in end.returns())


def test_action_texts_are_those_of_records() -> None:
    state = pyspiel.load_game("python_arboretum(species=2,ranks=4,hand_size=2)").new_initial_state()
    tokens = []
    # C1 D3 / C4 D1, then C2 D4; plant C1, discard D3; take C3 and the pile, plant C4, discard D3;
    # take the pile and the last card, plant C2 east of C1.
    for action in [0, 6, 3, 4, 0, 1, 0, 7, 3, 11, 33, 0, 2, 2, 6, 11, 33, 2, 0, 5, 4, 12]:
        tokens.append(state.action_to_string(action))
        state.apply_action(action)
    assert " ".join(tokens) == (
        "C1 D3 C4 D1 d C2 d D4 C1 @0,0 xD3 d C3 p0 C4 @0,0 xD3 p1 d D2 C2 @1,0"
    )
    assert [state.action_to_string(action) for action in state.legal_actions()] == [
        "xD2", "xD3", "xD4",
    ]  # fmt: skip
