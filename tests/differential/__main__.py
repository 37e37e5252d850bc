"""A long differential run: ``python -m tests.differential --games 20000``.

Plays the given number of random games for each number of players, half of them with starting
discards, engine and reference side by side (see ``tests.differential.lockstep``), and prints what
was compared. The exit code is 1 as soon as they disagree.
"""

import argparse
import sys
import time

from tests.differential.lockstep import DisagreementError, Tally, compare
from tests.reference import Options

SPECIES = {2: "CDJVLG", 3: "CDJVLGMP", 4: "CDJVLGMPOW"}
CHUNK = 1000


def say(text: str) -> None:
    """Print at once, also into a file."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def run(players: int, games: int, seed: int, observed: float) -> Tally:
    """All games of one number of players, with a line of progress after every chunk."""
    total = Tally()
    for starting_discards in (False, True):
        share = games // 2 if starting_discards else games - games // 2
        options = Options(players, SPECIES[players], starting_discards=starting_discards)
        for start in range(0, share, CHUNK):
            chunk = range(start, min(start + CHUNK, share))
            total.add(compare(options, seed, chunk, observed=observed))
            say(f"{players} players: {total.games}/{games} games, {total.decisions} decisions")
    return total


def main() -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="games for each P (20000)")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=[2, 3, 4])
    parser.add_argument("--seed", type=int, default=1, help="root of the deals and of the play (1)")
    parser.add_argument(
        "--observed", type=float, default=0.05, help="share of games with observations (0.05)"
    )
    options = parser.parse_args()
    for players in options.players:
        began = time.perf_counter()
        try:
            tally = run(players, options.games, options.seed, options.observed)
        except DisagreementError as error:
            say(f"{players} players: DISAGREEMENT: {error}")
            return 1
        say(
            f"{players} players: {tally.games} games agree: {tally.decisions} decisions, "
            f"{tally.observations} observations, {min(tally.turns)}-{max(tally.turns)} turns, "
            f"coordinates within +-{tally.extent}, {time.perf_counter() - began:.0f} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
