"""Measures all contestants in one process and prints rates, ratios and bars.

``benchmarks/peers/run.py`` starts it in the environment that has the peers; elsewhere those whose
library is missing are left out. Every contestant plays random legal actions with a mask and an
observation for each decision, in its own fastest ordinary way; the module of each says which. The
random choice is one call of a generator and one look at the mask, everywhere. All of them have one
and the same core.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from benchmarks.machine import described, one_core
from benchmarks.peers import (
    arboretum,
    openspiel_games,
    pettingzoo_games,
    pgx_games,
    report,
    rlcard_games,
)
from benchmarks.peers.bars import judge
from benchmarks.peers.contest import Contestant, measure

CONTESTANTS: Final[tuple[Contestant, ...]] = (
    *arboretum.CONTESTANTS,
    *openspiel_games.CONTESTANTS,
    *pgx_games.CONTESTANTS,
    *rlcard_games.CONTESTANTS,
    *pettingzoo_games.CONTESTANTS,
)


def main(words: Sequence[str] | None = None) -> int:
    """Measures; the exit code is 1 if a bar is missed."""
    options = _parser().parse_args(words)
    machine = described(report.LIBRARIES)
    chosen = [entry for entry in CONTESTANTS if not options.only or entry.key in options.only]
    with one_core():
        results = measure(
            chosen, options.rounds, options.seconds, say=lambda line: print(line, file=sys.stderr)
        )
    verdicts = judge(results)
    if options.json:
        how = {"rounds": options.rounds, "seconds": options.seconds}
        print(report.as_json(results, verdicts, machine, how))
    else:
        print(f"{machine}\n\n{report.as_text(results, verdicts)}")
    return 1 if any(verdict.met is False for verdict in verdicts) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks/peers/run.py", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often all is repeated")
    parser.add_argument("--seconds", type=float, default=1.0, help="of a contestant in a round")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="KEY",
        choices=[entry.key for entry in CONTESTANTS],
        help="measure these alone: " + ", ".join(entry.key for entry in CONTESTANTS),
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
