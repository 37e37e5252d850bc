"""Checks the answers of puzzles that were made once, in worlds that none of them has met.

    python -m arboretum_lab.puzzles.recheck
    python -m arboretum_lab.puzzles.recheck --seed 3 --worlds 1200 plant-2p-7-6-9

What agents and search believe and play may have changed since a puzzle was made. Its answer stands
if the same choice is still best, as clearly as ``find`` asks for: in games played on by the policy,
and in searches. Answers of who has the right are counted, and checked with the tests.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from arboretum_agents.search.agent import SearchAgent
from arboretum_env.errors import ArboretumError
from arboretum_env.notation import legal_moves
from arboretum_lab.puzzles.find import Candidate, agreed_lead, is_clear
from arboretum_lab.puzzles.make import SHIPPED
from arboretum_lab.puzzles.measure import Measured, measure
from arboretum_lab.puzzles.puzzle import MovePuzzle, read_puzzles
from arboretum_lab.puzzles.searched import Lead


@dataclass(frozen=True)
class Recheck:
    """What new worlds say of a puzzle.

    Attributes:
        best: the move that is worth most in them.
        measured: every choice, in the order of the legal moves.
        lead: of the puzzle's answer in new searches; None if it is not the best there, or not
            beyond doubt.
        stands: whether the answer is the same, and as clear as when it was made.
    """

    best: str
    measured: Measured
    lead: Lead | None
    stands: bool


def recheck(puzzle: MovePuzzle, worlds: int, seed: int) -> Recheck:
    """Plays every choice out in new worlds, and searches anew.

    Args:
        puzzle: as it was made.
        worlds: for the games played on, and simulations of each search.
        seed: of both; not that of the puzzle's source, whose worlds it has met.
    """
    view = puzzle.read_view()
    moves = legal_moves(view)
    actions = [ids[0] for ids in moves.values()]
    agent = SearchAgent(view.config)
    agent.reset(np.zeros(1, np.uint64), seed)
    rng = np.random.default_rng((seed, puzzle.source.seed, puzzle.source.game, view.turn))
    measured = measure(agent, view, actions, worlds, rng)
    answer = puzzle.options[0].move
    best = list(moves)[measured.ranking[0]]
    candidate = Candidate(puzzle.kind, view, puzzle.source.model_copy(update={"seed": seed}))
    lead = agreed_lead(candidate, moves[answer][0], worlds)
    return Recheck(best, measured, lead, best == answer and is_clear(measured) and lead is not None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code, 1 if an answer does not stand."""
    parser = argparse.ArgumentParser(
        prog="python -m arboretum_lab.puzzles.recheck",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="of puzzles; default: all")
    parser.add_argument("--worlds", type=int, default=1200, help="and simulations of each search")
    parser.add_argument("--seed", type=int, default=1_000_003, help="of the new worlds")
    parser.add_argument("--file", type=Path, default=SHIPPED)
    options = parser.parse_args(arguments)
    try:
        return _report(options)
    except (ArboretumError, ValueError, OSError) as error:
        print(f"arboretum: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; what is above was checked", file=sys.stderr)
        return 130


def _report(options: argparse.Namespace) -> int:
    if options.worlds < 20:
        raise ValueError(f"--worlds {options.worlds}: expected 20 or more")
    listed = {
        puzzle.id: puzzle
        for puzzle in read_puzzles(options.file.read_text("utf-8")).puzzles
        if isinstance(puzzle, MovePuzzle)
    }
    if unknown := [name for name in options.ids if name not in listed]:
        raise ValueError(f"no puzzle {', '.join(unknown)}: expected some of {', '.join(listed)}")
    fallen = 0
    names = options.ids or list(listed)
    print(f"{'puzzle':<22}{'answer':<10}{'lead in games':>18}{'in searches':>18}")
    for name in names:
        puzzle = listed[name]
        found = recheck(puzzle, options.worlds, options.seed)
        gap = found.measured.gap
        searched = "-" if found.lead is None else _lead(found.lead.gap.mean, found.lead.gap.half)
        answer = puzzle.options[0].move
        said = "stands" if found.stands else f"does not stand: {_why(found, answer)}"
        print(f"{name:<22}{answer:<10}{_lead(gap.mean, gap.half):>18}{searched:>18}  {said}")
        sys.stdout.flush()
        fallen += not found.stands
    print(f"{len(names) - fallen} of {len(names)} answers stand, {options.worlds} worlds each")
    return 1 if fallen else 0


def _why(found: Recheck, answer: str) -> str:
    if found.best != answer:
        return f"{found.best} is worth more in games"
    return "not clear in searches" if found.lead is None else "not clear in games"


def _lead(mean: float, half: float) -> str:
    return f"{mean:.3f} ± {half:.3f}"


if __name__ == "__main__":
    sys.exit(main())
