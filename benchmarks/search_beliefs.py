"""Fits which hidden cards rivals hold, for the sampled worlds of ``search``.

Logistic regression on games of the planner against itself: was this unseen card in the rival's hand
or not? Prints the weights as source for ``arboretum_agents/search/fitted_beliefs.py``, and how much
better than "every unseen card alike" they tell hands of games that were not fitted::

    python -m benchmarks.search_beliefs --players 2
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import make_agent
from arboretum_agents.search.fitted_beliefs import FEATURES, FITTED
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.layout import IN_ARBORETUM, IN_DECK, IN_HAND, IN_PILE
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import redact

NEWTON_STEPS = 12
EVERY = 17  # decisions between two positions that are looked at; no multiple of a turn's five


def facts(state: GameState, seats: NDArray[np.int64], k: int) -> NDArray[np.float64]:
    """[B, C, FEATURES] what the log odds of the k-th next seat's holding a card are linear in."""
    config, place = state.config, state.rows["place"]
    rivals = (seats + k) % config.num_players
    cards = np.arange(config.num_cards)
    share = (cards % config.num_ranks + 1) / config.num_ranks

    def of_species(places: NDArray[np.int64]) -> NDArray[np.float64]:
        there = (place == places[:, None]).reshape(len(place), config.num_species, -1).sum(axis=2)
        counts: NDArray[np.float64] = there[:, cards // config.num_ranks].astype(np.float64)
        return counts

    seen = np.stack(
        [of_species(IN_ARBORETUM + rivals), of_species(IN_PILE + rivals),
         of_species(IN_ARBORETUM + seats)],
        axis=-1,
    )  # fmt: skip
    fixed = np.stack([np.ones(len(cards)), share, share * config.num_ranks == 1, share == 1], -1)
    plain = np.concatenate([np.broadcast_to(fixed, (len(place), *fixed.shape)), seen], axis=-1)
    gone = 1.0 - state.deck_left / config.deck_size
    return np.concatenate([plain, plain * gone[:, None, None], seen * share[None, :, None]], -1)


def collect(
    config: GameConfig, games: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
    """([n, FEATURES] facts, [n] whether held, [n] log odds if all unseen cards were alike)."""
    planner = make_agent("planner", config)
    state = deal(config, root_from_seed(seed, Purpose.TRAIN), np.arange(games, dtype=np.uint64))
    found = []
    step = 0
    while len(state):
        seats = state.mover.astype(np.int64)
        if step % EVERY == 0:
            place = state.rows["place"]
            for k in range(1, config.num_players):
                held = place == (IN_HAND + (seats + k) % config.num_players)[:, None]
                hidden = place == IN_DECK
                for j in range(1, config.num_players):
                    hidden |= place == (IN_HAND + (seats + j) % config.num_players)[:, None]
                slots, unseen = held.sum(axis=1), hidden.sum(axis=1)
                odds = np.log(np.maximum(slots, 1) / np.maximum(unseen - slots, 1))
                asked = hidden & ((slots > 0) & (slots < unseen))[:, None]
                offsets = np.broadcast_to(odds[:, None], asked.shape)
                found.append((facts(state, seats, k)[asked], held[asked], offsets[asked]))
        apply_action(state, planner.act(redact(state, seats)))
        state = state.select(np.flatnonzero(~state.done))
        step += 1
    x, y, offset = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return x, y, offset


def loss(z: NDArray[np.float64], y: NDArray[np.bool_]) -> float:
    """Mean negative log likelihood in nats."""
    return float(np.logaddexp(0.0, np.where(y, -z, z)).mean())


def fit(
    x: NDArray[np.float64], y: NDArray[np.bool_], offset: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[FEATURES] weights of the largest likelihood, by Newton's method, a little held back."""
    weights = np.zeros(FEATURES)
    for _ in range(NEWTON_STEPS):
        p = 1.0 / (1.0 + np.exp(-(x @ weights + offset)))
        curvature = (x * (p * (1.0 - p))[:, None]).T @ x + np.eye(FEATURES)
        weights += np.linalg.solve(curvature, x.T @ (y - p) - weights)
    return weights


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=1000)
    arguments = parser.parse_args()
    config = GameConfig(num_players=arguments.players)
    weights = fit(*collect(config, arguments.games, seed=0))
    x, y, offset = collect(config, arguments.games // 2, seed=1)
    print(
        f"{arguments.players} players: {loss(offset, y):.4f} nats a card if all are alike, "
        f"{loss(x @ FITTED[arguments.players] + offset, y):.4f} with the table in use, "
        f"{loss(x @ weights + offset, y):.4f} with the new weights"
    )
    print(f"{arguments.players}: ({', '.join(f'{weight:.2f}' for weight in weights)}),")


if __name__ == "__main__":
    main()
