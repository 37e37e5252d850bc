"""The evening at the table: who is asked when, what is said, and how it ends."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arboretum_agents.human import Command, ask_move
from arboretum_agents.terminal import Terminal
from arboretum_env.drawing.scene import scene_of_state
from arboretum_env.drawing.text import scene_text
from arboretum_env.errors import ArboretumError
from arboretum_env.history import HIDDEN_DRAW
from arboretum_lab.play.hints import hint, hint_words
from arboretum_lab.play.keeping import check_new, free_name
from arboretum_lab.play.session import Session

_QUIT: Final = "quit"
_UNDO: Final = "undo"
_EVENTS_PER_TURN: Final = 4


class Table:
    """Leads a session to its end, or to where people leave it.

    Args:
        session: the game.
        terminal: where people sit; they take turns at it.
        path: where the game is saved; without one, under a new name in the current folder.
    """

    def __init__(self, session: Session, terminal: Terminal, path: Path | None = None) -> None:
        self._session, self._terminal, self._path = session, terminal, path
        # How much of the past each seat has been told.
        self._told = {seat: len(self._past(seat)) for seat in session.humans}
        self._at_screen: int | None = None

    def play(self) -> bool:
        """Plays on; whether the game came to its end.

        Raises:
            EOFError, KeyboardInterrupt: people have gone.
        """
        session = self._session
        while not session.done:
            if session.mover not in session.humans:
                session.let_agent_move()
            elif not self._ask(session.mover):
                return False
        self._terminal.say(self._ending())
        return True

    def _ask(self, seat: int) -> bool:
        """Has a person move; False if the game is to be left."""
        session = self._session
        self._hand_over(seat)
        self._tell(seat)
        view = session.view(seat)
        answer = ask_move(view, self._terminal, session.names, self._commands(seat))
        if answer == _QUIT:
            return False
        if not isinstance(answer, str):
            session.apply(answer)
            self._tell(seat)
        return True

    def _hand_over(self, seat: int) -> None:
        """Between two people: nobody sees another's hand."""
        if len(self._session.humans) > 1 and self._at_screen != seat:
            if self._at_screen is not None:
                self._terminal.clear()
            name = self._session.names[seat]
            self._terminal.ask(f"pass the screen to seat {seat} ({name}), then press Enter> ")
        self._at_screen = seat

    def _commands(self, seat: int) -> dict[str, Command]:
        return {
            "hint": Command(
                "what an agent would do: hint, hint greedy", self._hint, tuple(hint_words())
            ),
            _UNDO: Command(
                "take your last move back; over a hidden card the game no longer counts",
                self._undo,
            ),
            "save": Command("save the game: save, save FILE.arb", self._save),
            _QUIT: Command("save and leave", lambda _: _QUIT),
        }

    def _hint(self, spec: str) -> None:
        try:
            self._terminal.say(hint(self._session.view(self._session.mover), spec))
        except Exception as error:  # noqa: BLE001 - nobody's agent is to cost a person the game
            self._terminal.say(f"no hint: {error}")

    def _undo(self, _: str) -> str | None:
        seat = self._session.mover
        try:
            harmless = self._session.take_back(seat)
        except ArboretumError as error:
            self._terminal.say(str(error))
            return None
        if harmless is None:
            self._terminal.say("there is nothing to take back")
            return None
        self._told[seat] = min(self._told[seat], len(self._past(seat)))
        counted = "" if harmless else "; something hidden had been seen: the game no longer counts"
        self._terminal.say(f"taken back{counted}")
        return _UNDO

    def _save(self, name: str) -> None:
        path = Path(name) if name else self.path
        try:
            if path != self._path:
                check_new(path)
            self._session.save(path)
        except (ArboretumError, OSError, ValueError) as error:  # a path with a NUL is one of those
            self._terminal.say(f"not saved: {error}")
            return
        self._path = path
        self._terminal.say(f"saved: {path} (it holds the whole deal: do not look)")

    @property
    def path(self) -> Path:
        """Where the game was, or is to be, saved."""
        if self._path is None:  # not before: other games may be under way in this folder
            self._path = free_name()
        return self._path

    def _past(self, seat: int) -> Sequence[str]:
        return self._session.view(seat).history or ()

    def _tell(self, seat: int) -> None:
        """Says what has happened since the seat was told last, as it saw it."""
        past = self._past(seat)
        lines: dict[int, list[str]] = {}
        for number in range(self._told[seat], len(past)):
            lines.setdefault(number // _EVENTS_PER_TURN, []).append(past[number])
        self._told[seat] = len(past)
        for turn, events in lines.items():
            mover = turn % self._session.config.num_players
            name = self._session.names[mover]
            shown = " ".join("d" if event == HIDDEN_DRAW else event for event in events)
            self._terminal.say(f"turn {turn + 1}, seat {mover} ({name}): {shown}")

    def _ending(self) -> str:
        """The last position with all hands, and every point explained."""
        session = self._session
        lines = []
        if session.forfeit is not None:
            lines = [f"{session.forfeit.termination}; all others share the win", ""]
        lines.append(scene_text(scene_of_state(session.state, names=session.names)))
        if session.takebacks:
            lines += ["", f"takebacks: {session.takebacks}; the game counts in no statistic"]
        return "\n".join(lines)
