"""OpenSpiel's own exact best response to random play, and ours: slow, and not a test.

    python -m benchmarks.openspiel_best_response [--seat SEAT] [--reward REWARD]

goes through a game of 4.5 million nodes in Python, in an environment with the extra ``openspiel``.
``docs/openspiel.md`` has the results.
"""

import time
from typing import Literal

import numpy as np
import pyspiel
import tyro
from open_spiel.python import policy
from open_spiel.python.algorithms import best_response

from arboretum_env.rewards import RewardKind
from arboretum_training.evaluation import best_response as ours
from integrations.openspiel.games import BLOCKING


def main(seat: Literal[0, 1] = 0, reward: RewardKind = "margin", game: str = BLOCKING) -> None:
    """Prints both values and what each took.

    Args:
        seat: the responder.
        reward: what a finished game is worth.
        game: a two-player game with hands of 1.
    """
    loaded = pyspiel.load_game(game.replace(")", f",reward={reward})"))
    began = time.perf_counter()
    mine = ours.best_response(loaded.config, seat, reward=reward)
    print(f"ours: {mine}, {time.perf_counter() - began:.1f} s", flush=True)
    root = loaded.new_initial_state()
    # Seat 0's card comes first, so its information sets fall apart by that card: in parts, the tree
    # fits into memory.
    parts = [root.child(card) for card in root.legal_actions()] if seat == 0 else [root]
    values, information_sets = [], 0
    for part in parts:
        began = time.perf_counter()
        response = best_response.BestResponsePolicy(
            loaded, seat, policy.UniformRandomPolicy(loaded), part
        )
        values.append(response.value(part))
        information_sets += len(response.infosets)
        print(f"part {part}: {values[-1]}, {time.perf_counter() - began:.0f} s", flush=True)
    print(f"OpenSpiel's: {np.mean(values)}, {information_sets} information sets")


if __name__ == "__main__":
    tyro.cli(main)
