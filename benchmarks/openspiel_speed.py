"""How fast the game is in OpenSpiel, beside a Python game and a C++ game of OpenSpiel's own.

    python -m benchmarks.openspiel_speed [ROUNDS]

in an environment with the extra ``openspiel``. Random play through Python: a decision is the legal
actions, a choice and its application, chance nodes included; then the same with the mover's
information state as text. The best of all rounds counts, and every game has its turn in each.
"""

import random
import sys
import time

import open_spiel.python.games.team_dominoes  # noqa: F401  registers its game
import pyspiel

import arboretum_env.openspiel  # noqa: F401  registers ours
from benchmarks.machine import described

GAMES = (
    "python_arboretum",
    "python_arboretum(players=3)",
    "python_arboretum(players=4)",
    "python_arboretum(species=2,ranks=3,hand_size=1)",
    "python_team_dominoes",
    "gin_rummy",
)
SECONDS = 0.5


def decisions_per_second(game: pyspiel.Game, *, with_text: bool, seed: int) -> float:
    """Plays whole games at random for about half a second."""
    generator, decisions = random.Random(seed), 0
    began = time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                decisions += 1
                if with_text:
                    state.information_state_string()
            state.apply_action(generator.choice(state.legal_actions()))
    return decisions / (time.perf_counter() - began)


def main(rounds: int) -> None:
    """Prints a table."""
    games = {name: pyspiel.load_game(name) for name in GAMES}
    best: dict[tuple[str, bool], float] = {}
    for seed in range(rounds):
        for name, game in games.items():
            for with_text in (False, True):
                rate = decisions_per_second(game, with_text=with_text, seed=seed)
                best[name, with_text] = max(best.get((name, with_text), 0.0), rate)
    print(f"{described(('open_spiel', 'numba', 'numpy'))}\n")
    print("| game | decisions a second | with the information state as text |")
    print("|---|---|---|")
    for name in GAMES:
        print(f"| `{name}` | {best[name, False]:,.0f} | {best[name, True]:,.0f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
