"""Our environment keeps every promise of ``aec_conformance``."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arboretum_env import pettingzoo_env
from arboretum_env.config import GameConfig
from arboretum_env.determinize import determinize
from arboretum_env.engine.moves import legal_action_mask
from arboretum_env.errors import ActionError
from arboretum_env.phase import Phase
from arboretum_env.view import redact
from tests.api.aec_conformance import CHECKS, Contract
from tests.random_games import CONFIGS


def redraw(env: Any, agent: str, key: int) -> Any:
    """A copy of the environment in a world drawn from what the agent knows."""
    twin = copy.deepcopy(env)
    raw = twin.unwrapped
    views = redact(raw._game, raw.possible_agents.index(agent))
    raw._game = determinize(views, np.array([key], np.uint64))
    # The mover's hand is another one, and so is its mask.
    raw.infos[raw.agent_selection]["action_mask"] = legal_action_mask(raw._game)[0].view(np.int8)
    return twin


def reveals(env: Any, agent: str, action: int) -> bool:
    """Whether an action may tell the agent something new: a deck draw its card, and so on."""
    game = env.unwrapped._game
    moves = agent == env.agent_selection
    match Phase(int(game.phase[0])):
        case Phase.DRAW_FIRST | Phase.DRAW_SECOND:
            return moves and action == 0
        case Phase.PLACE:
            return not moves  # until now nobody else knew which card was chosen
        case Phase.DISCARD:
            return int(game.deck_left[0]) == 0  # the end shows all hands
    return False


def raw_contract(name: str, config: GameConfig, episodes: int, **options: Any) -> Contract:
    def make() -> Any:
        return pettingzoo_env.raw_env(config=config, render_mode="ansi", **options)

    return Contract(name, make, ActionError, redraw, reveals, episodes)


def wrapped() -> Any:
    return pettingzoo_env.env(num_players=3, reward="mixed", render_mode="ansi")


CONTRACTS = [
    *(
        raw_contract(name, config, 50 if name.endswith("players") else 5)
        for name, config in CONFIGS.items()
    ),
    raw_contract("mask in info", CONFIGS["2 players"], 5, mask_in="info", reward="margin"),
    # An illegal action ends a wrapped game, so none is tried; test_wrappers.py does.
    Contract("wrapped", wrapped, illegal=None, redraw=redraw, reveals=reveals, episodes=5),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.name)
def test_promise_is_kept(contract: Contract, check: Callable[[Contract], None]) -> None:
    check(contract)
