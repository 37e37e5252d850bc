"""A puzzle as data, and the file of those that ship.

A puzzle holds what its seat sees and nothing else: a position is a ``PlayerView``, a finished board
shows hands that are open to all. What is hidden in the recorded game is not in the file.
"""

import json
from functools import cache
from importlib import resources
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from arboretum_env.records.board import Board
from arboretum_env.records.board_json import board_from_json
from arboretum_env.view import PlayerView
from arboretum_env.view_json import view_from_json

FILE_NAME: Final = "puzzles.json"
VERSION: Final = 1


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Strict):
    """The recorded game: who played, which deal, and after how many turns.

    ``arboretum_lab.puzzles.games`` plays it again.
    """

    agents: list[str]
    seed: int
    game: int
    turn: int


class RightPuzzle(_Strict):
    """Who may score a species? All hands are open; the answer is exact.

    Attributes:
        board: as for ``arboretum score``.
        species: a letter.
        answer: the seats with the right, ascending.
    """

    kind: Literal["right"] = "right"
    id: str
    source: Source
    board: dict[str, Any]
    species: str
    answer: list[int]

    def read_board(self) -> Board:
        """The board; raises ``BoardError``."""
        return board_from_json(self.board)


class Option(_Strict):
    """One choice of a decision, and what it is worth.

    Attributes:
        move: in notation, ``xG2`` or ``M7@0,1``.
        worth: to the seat, 0..1: half the win, half the squashed margin, as the search counts.
        worth_half: to either side of it, a 95 % interval.
        wins: the seat's share of the wins.
        wins_half: likewise.
    """

    move: str
    worth: float
    worth_half: float
    wins: float
    wins_half: float


class MovePuzzle(_Strict):
    """What to discard, or where to plant?

    Attributes:
        view: what the seat sees (``docs/protocol.md``).
        options: every legal choice, best first; the first is the answer.
        worlds: sampled worlds that all choices met.
        gap: how much more the best is worth than the second, over the same worlds.
        gap_half: to either side of it, a 95 % interval; the gap is larger.
        first_worlds, first_gap, first_gap_half: the same when the puzzle was found, with a tenth
            of the worlds and none of them in common.
        policy: who plays the worlds to their end.
        search_gap: the lead of the same choice in searches, where all seats may reply better than
            the policy does.
        search_gap_half: to either side of it, a 95 % interval.
        searches: how many there were.
        simulations: of each.
        others: agent -> its choice here.
    """

    kind: Literal["discard", "plant"]
    id: str
    source: Source
    view: dict[str, Any]
    options: list[Option]
    worlds: int
    gap: float
    gap_half: float
    first_worlds: int
    first_gap: float
    first_gap_half: float
    policy: str
    searches: int
    simulations: int
    search_gap: float
    search_gap_half: float
    others: dict[str, str]

    @property
    def answer(self) -> str:
        """The best choice."""
        return self.options[0].move

    def read_view(self) -> PlayerView:
        """What the seat sees; raises ``ViewError``."""
        return view_from_json(self.view)


Puzzle = RightPuzzle | MovePuzzle


class PuzzleFile(_Strict):
    """The file.

    Attributes:
        version: of this format.
        commands: what made it.
    """

    version: Literal[1] = VERSION
    commands: list[str]
    puzzles: list[Annotated[Puzzle, Field(discriminator="kind")]]


def read_puzzles(text: str) -> PuzzleFile:
    """Reads a file's text; raises pydantic's ``ValidationError``, a ``ValueError``."""
    return PuzzleFile.model_validate(json.loads(text))


def write_puzzles(file: PuzzleFile) -> str:
    """The file's text, a line a puzzle, so that differences can be read."""
    lines = ",\n".join(
        "  " + json.dumps(puzzle.model_dump(), ensure_ascii=False) for puzzle in file.puzzles
    )
    head = f'{{"version": {file.version}, "commands": {json.dumps(file.commands)}, "puzzles": ['
    return f"{head}\n{lines}\n]}}\n"


@cache
def shipped_puzzles() -> dict[str, Puzzle]:
    """The puzzles that ship, by id, in the order of the file."""
    text = resources.files(__package__).joinpath(FILE_NAME).read_text("utf-8")
    return {puzzle.id: puzzle for puzzle in read_puzzles(text).puzzles}
