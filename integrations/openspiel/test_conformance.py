"""OpenSpiel's own conformance tests: its simulation test, in C++ and Python, and its API tests."""

import doctest
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.tests import games_sim_test

import arboretum_env.openspiel.game
from integrations.openspiel.games import GAMES, TINY

# (chance, decision, terminal) nodes, and information sets of the seats to move.
TINY_NODES = (1237, 7560, 8640)
TINY_INFORMATION_SETS = 1695


@pytest.mark.parametrize("name", GAMES)
def test_random_sim_test(name: str) -> None:
    """Legal actions, masks, clones, serialisation, observers and returns along random games."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_games_sim_test(name: str) -> None:
    """The same in Python; it also takes games and states apart and together again."""
    np.random.seed(5)  # noqa: NPY002  what OpenSpiel draws from
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(name))


def api_tests(base: type[Any], name: str) -> list[Any]:
    """OpenSpiel's test methods over one game, as pytest parameters."""
    case = type(f"{base.__name__}_{name}", (base,), {"game_name": name})
    case.game = pyspiel.load_game(name)
    methods = [method for method in dir(base) if method.startswith("test_")]
    return [pytest.param(case, method, id=f"{name}-{method}") for method in methods]


PARTIAL = [case for name in GAMES for case in api_tests(api_test.EnforceAPIOnPartialTreeBase, name)]
FULL = api_tests(api_test.EnforceAPIOnFullTreeBase, TINY)


def run(case: type[Any], method: str) -> None:
    if not hasattr(case, "game_type") and not hasattr(case, "all_states"):
        random.seed(6)  # what OpenSpiel draws from
        case.setUpClass()
    test = case(method)
    test.setUp()
    getattr(test, method)()
    test.doCleanups()


@pytest.mark.parametrize(("case", "method"), PARTIAL)
def test_api_on_some_states(case: type[Any], method: str) -> None:
    run(case, method)


@pytest.mark.parametrize(("case", "method"), FULL)
def test_api_on_a_whole_tree(case: type[Any], method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Perfect recall among them: equal information states have equal own pasts."""
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, TINY, TINY_NODES)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, TINY, TINY_INFORMATION_SETS)
    run(case, method)


def test_doctests() -> None:
    failed, tried = doctest.testmod(arboretum_env.openspiel.game)
    assert tried and not failed
