"""A long run of the fuzzer: ``python -m tests.fuzz --decisions 10000000``.

Random legal decisions in random kinds of games, with every invariant of
``tests.fuzz.invariants`` checked on the way. Prints what was checked; the exit code is 1 as soon as
one does not hold, with what repeats it.
"""

import argparse
import sys
import time

from tests.fuzz.invariants import InvariantError
from tests.fuzz.play import Tally, fuzz

CHUNK = 250_000


def say(text: str) -> None:
    """Print at once, also into a file."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--decisions", type=int, default=10_000_000, help="at least (10000000)")
    parser.add_argument("--seed", type=int, default=1, help="of games, deals and play (1)")
    parser.add_argument(
        "--every", type=int, default=1, help="decisions between two checks of whole positions (1)"
    )
    options = parser.parse_args()
    began = time.perf_counter()
    total = Tally()
    chunk = 0
    while total.decisions < options.decisions:
        target = min(total.decisions + CHUNK, options.decisions)
        try:
            fuzz(target, options.seed * 1_000_000 + chunk, total, every=options.every)
        except InvariantError as error:
            say(f"BROKEN: {error}")
            return 1
        say(f"{total.decisions:,} decisions, {total.games:,} games")
        chunk += 1
    say("| kinds of games | games | decisions | observations | scores |")
    say("|---|---|---|---|---|")
    say(total.row())
    say(f"every invariant held; {time.perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
