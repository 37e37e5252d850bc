"""A second, slow way to exact best responses, for small trees: whole deals, nothing merged.

A world is a complete deal, the deck's order included, so there are no chance nodes; worlds are
parted as soon as the responder observes a difference, and never joined again.
"""

from collections import defaultdict
from collections.abc import Callable
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.observation import observe
from arboretum_env.rewards import RewardKind, final_rewards

Policy = Callable[[GameState], NDArray[np.float64]]
"""[B, A] how likely the movers of B games are to take each action."""


def uniform(games: GameState) -> NDArray[np.float64]:
    legal = legal_action_mask(games).astype(np.float64)
    return legal / legal.sum(axis=1, keepdims=True)


def all_deals(config: GameConfig) -> GameState:
    """Every deal, a hand in each of its orders."""
    size, players = config.hand_size, config.num_players
    dealt = config.num_cards - config.deck_size
    raws = []
    for cards in permutations(range(config.num_cards)):
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(players)]
        starting = cards[players * size : dealt]
        piles = [[], *([card] for card in starting)] if starting else None
        raws.append(deal_exact(config, hands, cards[dealt:], piles).raw[0])
    assert len(raws) == factorial(config.num_cards)
    return GameState(config, np.array(raws))


def brute_force(
    config: GameConfig,
    seat: int,
    policy: Policy = uniform,
    reward: RewardKind = "win",
    *,
    clairvoyant: bool = False,
) -> float:
    """The value of a best response.

    Args:
        config: the game's options.
        seat: the responder.
        policy: of all others.
        reward: what a finished game is worth.
        clairvoyant: the responder sees every card, the deck included.
    """

    def parted(games: GameState, weights: NDArray[np.float64]) -> float:
        groups: dict[bytes, list[int]] = defaultdict(list)
        shown = observe(games, seat)
        for row in range(len(games)):
            groups[games.raw[row].tobytes() if clairvoyant else shown[row].tobytes()].append(row)
        return sum(value(games.select(rows), weights[rows]) for rows in groups.values())

    def value(games: GameState, weights: NDArray[np.float64]) -> float:
        if games.done[0]:
            return float(weights @ final_rewards(score(games), reward)[:, seat])
        if games.mover[0] == seat:
            values = []
            for action in np.flatnonzero(legal_action_mask(games)[0]):
                children = games.clone()
                apply_action(children, np.full(len(games), action))
                values.append(parted(children, weights))
            return max(values)
        odds = policy(games)
        rows, actions = np.nonzero(odds)
        children = games.select(rows)
        apply_action(children, actions)
        return parted(children, weights[rows] * odds[rows, actions])

    deals = all_deals(config)
    return parted(deals, np.full(len(deals), 1 / len(deals)))
