"""Makes puzzles from games of strong agents against themselves, and adds them to a file.

    python -m arboretum_lab.puzzles.make --players 2 --games 8 --discards 4 --plants 3 --rights 2

It goes through the games in order, takes at most one puzzle of a kind from each until there are as
many as asked for, and writes the file after each. It can be stopped at any time: called again, it
finds the same ones, keeps what the file holds, and goes on.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arboretum_agents.search.agent import SearchAgent
from arboretum_env.config import GameConfig
from arboretum_env.errors import ArboretumError
from arboretum_lab.puzzles.find import Candidate, candidates, move_puzzle, right_puzzles
from arboretum_lab.puzzles.games import play_games
from arboretum_lab.puzzles.puzzle import (
    FILE_NAME,
    Puzzle,
    PuzzleFile,
    Source,
    read_puzzles,
    write_puzzles,
)

SHIPPED = Path(__file__).with_name(FILE_NAME)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m arboretum_lab.puzzles.make",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--agent", default="", help="who plays; default: league-2p, -3p or -4p")
    parser.add_argument("--seed", type=int, default=1, help="of the deals and the sampled worlds")
    parser.add_argument("--games", type=int, default=8, help="how many games to go through at most")
    parser.add_argument(
        "--worlds", type=int, default=200, help="and simulations; 10 times to check"
    )
    parser.add_argument("--discards", type=int, default=0, help="puzzles of what to discard")
    parser.add_argument("--plants", type=int, default=0, help="puzzles of where to plant")
    parser.add_argument("--rights", type=int, default=0, help="puzzles of who may score")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args(arguments)
    try:
        return make(options)
    except (ArboretumError, ValueError, OSError) as error:
        print(f"arboretum: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; what was found is in the file", file=sys.stderr)
        return 130


def make(options: argparse.Namespace) -> int:
    """Finds puzzles and adds them to ``options.out``."""
    for name, least in (("games", 1), ("worlds", 20), ("seed", 0)):
        if getattr(options, name) < least:
            raise ValueError(f"--{name} {getattr(options, name)}: expected {least} or more")
    config = GameConfig(num_players=options.players)
    spec = options.agent or f"league-{options.players}p"
    agent = SearchAgent(config)
    agent.reset(np.zeros(1, np.uint64), options.seed)
    wanted = {"right": options.rights, "discard": options.discards, "plant": options.plants}
    collection = _Collection(options.out, _command(options), wanted)
    print(f"playing {options.games} games of {spec}", file=sys.stderr)
    for game, record in enumerate(play_games(spec, config, options.seed, options.games)):
        source = Source(
            agents=[spec] * options.players, seed=options.seed, game=game, turn=len(record.turns)
        )
        name = f"right-{options.players}p-{options.seed}-{game}"
        found = list(right_puzzles(record, source, name))
        if found and collection.wants("right"):
            collection.add(found[0])
        for kind in ("discard", "plant"):
            if collection.wants(kind):
                _search_game(collection, candidates(record, source, kind), agent, options.worlds)
    collection.report()
    return 0


def _search_game(
    collection: "_Collection", listed: Sequence[Candidate], agent: SearchAgent, worlds: int
) -> None:
    """Adds one puzzle of a game's decisions, if it has any."""
    if not listed:
        return
    source = listed[0].source
    # Not in the order of the game, so that some are early and some late.
    order = np.random.default_rng((source.seed, source.game)).permutation(len(listed))
    for index in order:
        rng = np.random.default_rng((source.seed, source.game, listed[index].source.turn))
        puzzle = move_puzzle(listed[index], agent, worlds, rng)
        print("." if puzzle is None else "!", end="", flush=True, file=sys.stderr)
        if puzzle is not None:
            collection.add(puzzle)
            return


class _Collection:
    """A file of puzzles that grows, and how many of each kind are still wanted."""

    def __init__(self, path: Path, command: str, wanted: dict[str, int]) -> None:
        self._path, self._command, self._wanted = path, command, dict(wanted)
        self._file = PuzzleFile(commands=[], puzzles=[])
        if path.exists():
            try:
                self._file = read_puzzles(path.read_text("utf-8"))
            except ValueError as error:
                raise ValueError(f"{path} holds no puzzles: name another file") from error

    def wants(self, kind: str) -> bool:
        """Whether more are wanted."""
        return self._wanted[kind] > 0

    def add(self, puzzle: Puzzle) -> None:
        """Counts a puzzle, and writes the file unless it holds it already."""
        self._wanted[puzzle.kind] -= 1
        if any(puzzle.id == known.id for known in self._file.puzzles):
            return
        commands = list(dict.fromkeys([*self._file.commands, self._command]))
        self._file = PuzzleFile(commands=commands, puzzles=[*self._file.puzzles, puzzle])
        partial = self._path.with_suffix(".part")
        partial.write_text(write_puzzles(self._file), "utf-8")
        partial.replace(self._path)

    def report(self) -> None:
        """Says what there is, and what was not found."""
        print(f"\n{len(self._file.puzzles)} puzzles in {self._path}", file=sys.stderr)
        missing = [f"{count} of kind {kind}" for kind, count in self._wanted.items() if count > 0]
        if missing:
            words = ", ".join(missing)
            print(f"not found in these games: {words}; try more --games", file=sys.stderr)


def _command(options: argparse.Namespace) -> str:
    names = ("players", "seed", "games", "worlds", "discards", "plants", "rights")
    given = [f"--{name} {getattr(options, name)}" for name in names]
    agent = [f"--agent {options.agent}"] if options.agent else []
    return " ".join(["python -m arboretum_lab.puzzles.make", *given, *agent])


if __name__ == "__main__":
    sys.exit(main())
