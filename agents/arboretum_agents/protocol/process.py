"""``process:command=./bot``: a program in any language that plays (docs/protocol.md).

It is sent its seat's view and the legal moves as one line of JSON a decision, and answers with one
line. A plant is asked for once, as one move; its cell is kept until it is asked for. Whatever goes
wrong is its forfeit of that one game, with the reason; its other games go on in a new process.
"""

import shlex
import shutil
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.protocol.child import Child, ChildError
from arboretum_agents.protocol.lines import LineError, dump_line, one_line, parse_line
from arboretum_agents.registry import AgentSpecError
from arboretum_env.agent import check_movers
from arboretum_env.config import GameConfig
from arboretum_env.errors import ActionError
from arboretum_env.forfeit import FORFEIT
from arboretum_env.notation import legal_moves, parse_move
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_env.view_json import view_to_json

PROTOCOL: Final = 1

_START_SECONDS: Final = 10.0
"""More time for the first answer of a process, which may have to load itself."""

_MOST_FAILURES: Final = 3
"""After so many failures in a row, all games that wait for an answer are forfeited."""

Turn = tuple[int, int, int]
"""(game, seat, completed turns): keys a cell that was chosen together with its card."""


class ProcessAgent:
    """Asks a program; see the module.

    Args:
        config: the game.
        command: the program and its arguments, split as a shell would, without a shell.
        seconds: time for each move.
        history: whether views tell the past, which costs time.

    Raises:
        AgentSpecError: there is no such program, or no time.
    """

    def __init__(
        self, config: GameConfig, command: str, seconds: float = 10.0, history: bool = False
    ) -> None:
        self.config = config
        self.wants_history = history
        self._arguments = _split(command)
        if not 0 < seconds < float("inf"):
            raise AgentSpecError(f"agent 'process': seconds={seconds}: expected more than 0")
        self._seconds = seconds
        self._seed, self._games = 0, np.zeros(0, np.uint64)
        self._child: Child | None = None
        self._fresh = True
        self._next_id = 0
        self._cells: dict[Turn, tuple[int, int]] = {}
        self._reasons: dict[tuple[int, int], str] = {}

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Tells the program which games begin, and a seed; a process that runs is kept."""
        self._seed, self._games = seed, np.array(game_ids, np.uint64)
        self._cells.clear()
        self._reasons.clear()
        if self._child is not None:
            self._child.send(dump_line(self._reset_message()))

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """[B] actions; ``FORFEIT`` where the program failed.

        Raises:
            ValueError: a view of an idle seat or a finished game, which has nothing to decide.
        """
        check_movers(views)
        actions = np.full(len(views), FORFEIT, np.int64)
        asked: dict[int, int] = {}
        seen: dict[int, PlayerView] = {}
        for row, view in enumerate(views):
            card, cell = self._cells.pop(_turn(views, row), (None, FORFEIT))
            if view.phase is Phase.PLACE and view.chosen_card == card:
                actions[row] = cell
            else:
                asked[self._next_id], seen[row] = row, view
                self._next_id += 1
        for row, answer in self._answers(views, seen, asked):
            actions[row] = self._read(views, row, seen[row], answer)
        return actions

    def forfeit_reason(self, game_id: int, seat: int) -> str:
        """What went wrong in a game, in one line."""
        return self._reasons[game_id, seat]

    def close(self) -> None:
        """Ends the process; the next move starts another one."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _answers(
        self, views: PlayerViews, seen: dict[int, PlayerView], asked: dict[int, int]
    ) -> Iterable[tuple[int, dict[str, Any]]]:
        """(row, answer) of every row that got one; the others have a reason in ``_reasons``."""
        waiting = dict(asked)
        failures = 0
        while waiting:
            try:
                child = self._running()
                for number, row in waiting.items():
                    child.send(dump_line(_move_message(number, views, row, seen[row])))
                while waiting:
                    answer = parse_line(child.receive(self._patience()))
                    row = _row_of(answer, waiting)
                    self._fresh = False
                    failures = 0
                    yield row, answer
            except (ChildError, LineError) as error:
                # Programs answer one after the other: the oldest question is the one it failed at.
                failures += 1
                failed = list(waiting) if failures == _MOST_FAILURES else [next(iter(waiting))]
                for number in failed:
                    self._fail(views, waiting.pop(number), str(error))
                self.close()

    def _patience(self) -> float:
        return self._seconds + (_START_SECONDS if self._fresh else 0.0)

    def _running(self) -> Child:
        if self._child is None:
            self._child = Child(self._arguments)
            self._fresh = True
            self._child.send(dump_line({"type": "hello", "protocol": PROTOCOL}))
            self._child.send(dump_line(self._reset_message()))
        return self._child

    def _reset_message(self) -> dict[str, Any]:
        games = [str(game) for game in self._games.tolist()]
        return {"type": "reset", "seed": self._seed, "games": games}

    def _read(self, views: PlayerViews, row: int, view: PlayerView, answer: dict[str, Any]) -> int:
        """The action of an answer, or ``FORFEIT`` with a reason."""
        move = answer.get("move")
        if not isinstance(move, str):
            said = answer.get("error")
            reason = f"gave up: {said}" if isinstance(said, str) else "an answer without a move"
            return self._fail(views, row, reason)
        try:
            first, *rest = parse_move(view, move)
        except ActionError as error:
            return self._fail(views, row, f"illegal move {error}")
        if rest:
            card = first - 1 - self.config.num_players
            self._cells[_turn(views, row)] = card, rest[0]
        return first

    def _fail(self, views: PlayerViews, row: int, reason: str) -> int:
        game, seat, _ = _turn(views, row)
        self._reasons[game, seat] = one_line(reason)
        return FORFEIT


def _split(command: str) -> list[str]:
    """The program, found, and its arguments."""
    if '"' in command:
        raise AgentSpecError(
            f"agent 'process': command={command}: expected single quotes, since records write "
            "names in double ones"
        )
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise AgentSpecError(f"agent 'process': command={command}: {error}") from error
    program = shutil.which(arguments[0]) if arguments else None
    if program is None:
        raise AgentSpecError(
            f"agent 'process': command={command}: expected a program that can be run; there is none"
        )
    return [program, *arguments[1:]]


def _turn(views: PlayerViews, row: int) -> Turn:
    return int(views.game_id[row]), int(views.seat[row]), int(views.turn[row])


def _move_message(number: int, views: PlayerViews, row: int, view: PlayerView) -> dict[str, Any]:
    return {
        "type": "move",
        "id": number,
        "game": str(views.game_id[row]),
        "view": view_to_json(view),
        "legal": list(legal_moves(view)),
    }


def _row_of(answer: dict[str, Any], waiting: dict[int, int]) -> int:
    """The row that an answer is about, which then waits no more."""
    number = answer.get("id")
    if type(number) is not int or number not in waiting:
        raise LineError("an answer without the id of an open question")
    return waiting.pop(number)
