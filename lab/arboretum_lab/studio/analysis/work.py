"""The work of each kind of analysis."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from arboretum_agents.registry import make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.drawing.scene import scene_of_view
from arboretum_env.drawing.text import scene_text
from arboretum_env.errors import RecordError
from arboretum_env.notation import legal_moves
from arboretum_env.view import PlayerView
from arboretum_env.view_json import view_to_json
from arboretum_lab.studio.analysis.jobs import Answer, Work
from arboretum_lab.studio.analysis.subject import Subject
from arboretum_lab.studio.payload import boards
from arboretum_training.analysis.luck import Swing, split
from arboretum_training.analysis.report import open_report, position_report, seat_report
from arboretum_training.analysis.retry import attempt, mistakes
from arboretum_training.research.playouts import Playouts, make_playouts
from arboretum_training.research.progress import Pulse, Tick

Kind = Literal["position", "game", "open", "mistakes"]

MOST_MISTAKES: Final = 12


@dataclass(frozen=True)
class Method:
    """How an analysis reckons.

    Attributes:
        agent: spec of whose chances and beliefs are shown.
        reference: spec of who plays worlds to their end.
        worlds: how many.
    """

    agent: str
    reference: str
    worlds: int

    def playouts(self, config: GameConfig) -> Playouts:
        """Plays worlds to their end.

        Raises:
            AgentSpecError: no such agent, or one that would take hours.
        """
        return make_playouts(self.reference, config, self.worlds)

    def asked(self, config: GameConfig) -> Agent:
        """Whose chances and beliefs are shown.

        Raises:
            AgentSpecError: no such agent.
        """
        return make_agent(self.agent, config)

    def to_json(self) -> dict[str, Any]:
        """What the page says about it."""
        return {"agent": self.agent, "reference": self.reference, "worlds": self.worlds}


@dataclass(frozen=True)
class Exercises:
    """A seat's mistakes, to be tried again.

    Attributes:
        swings: in the order of the game.
        playouts: who judges.
    """

    swings: tuple[Swing, ...]
    playouts: Playouts

    def answer(self, index: int, move: str, pulse: Pulse) -> dict[str, Any]:
        """What a move would have been worth, and what was played.

        Args:
            index: which mistake.
            move: in notation.
            pulse: called while it is worked out; it may raise to have that stopped.

        Raises:
            RecordError: no such mistake.
            IllegalActionError: no legal move there.
        """
        if not 0 <= index < len(self.swings):
            raise RecordError(f"mistake {index}: expected 0..{len(self.swings) - 1}")
        playouts = self.playouts.stoppable(pulse)
        return attempt(self.swings[index].step, move, playouts).to_json()


def work_on(kind: Kind, subject: Subject, method: Method, seat: int | None, at: int | None) -> Work:
    """What is to be done, to be called in any thread.

    Raises:
        RecordError: a seat is missing, or the game has no such seat.
    """
    works: dict[str, Callable[[Playouts, Tick], Answer]] = {
        "open": lambda playouts, tick: _open(subject, method, playouts, tick)
    }
    if kind != "open":
        if seat is None:
            raise RecordError("seat: expected whose standpoint it is")
        subject.check_seat(seat)
        works |= {
            "position": lambda playouts, tick: _position(subject, method, seat, at, playouts, tick),
            "game": lambda playouts, tick: _game(subject, method, seat, playouts, tick),
            "mistakes": lambda playouts, tick: _mistakes(subject, method, seat, playouts, tick),
        }

    def work(tick: Tick, pulse: Pulse) -> Answer:
        # The agent is made here, in the job's thread: a network is read from disk.
        playouts = method.playouts(subject.record.config)
        return works[kind](playouts.stoppable(pulse), tick)

    return work


def seen_json(view: PlayerView, names: tuple[str, ...]) -> dict[str, Any]:
    """A position as a seat sees it, with pictures: fields as those of a game that is played."""
    data, scene = view_to_json(view), scene_of_view(view, names)
    return {
        "players": view.config.num_players,
        "config": data["config"],
        "seat": view.seat,
        "mover": view.mover,
        "phase": data["phase"],
        "turn": view.turn,
        "deck": view.deck_size,
        "names": list(names),
        "hand": data["hand"],
        "known": {str(seat): cards for seat, cards in enumerate(data["known_hands"])},
        "piles": data["discard_piles"],
        "chosen": data["chosen_card"],
        "boards": boards(view, scene),
        "text": scene_text(scene),
        "moves": list(legal_moves(view)),
    }


def _position(
    subject: Subject,
    method: Method,
    seat: int,
    at: int | None,
    playouts: Playouts,
    tick: Tick,
) -> Answer:
    view = subject.view(at, seat)
    found = position_report(method.asked(view.config), view, playouts, tick)
    last_at = subject.record.num_decisions
    about = {"method": method.to_json(), "at": last_at if at is None else at, "last_at": last_at}
    return Answer({**about, **seen_json(view, subject.names), **found})


def _game(subject: Subject, method: Method, seat: int, playouts: Playouts, tick: Tick) -> Answer:
    told = subject.story(seat)
    found = seat_report(method.asked(subject.record.config), told, playouts, tick)
    about = {"method": method.to_json(), "names": list(subject.names), "last_at": told.last_at}
    return Answer({**about, **found})


def _open(subject: Subject, method: Method, playouts: Playouts, tick: Tick) -> Answer:
    game = subject.course()
    if game.unknown:
        raise RecordError("the record holds unknown cards: there are no open cards to look at")
    found = open_report(game, playouts, tick)
    about = {"method": method.to_json(), "names": list(subject.names)}
    return Answer({**about, "last_at": len(game.actions), **found})


def _mistakes(
    subject: Subject, method: Method, seat: int, playouts: Playouts, tick: Tick
) -> Answer:
    """The positions alone: what was played, and what came of it, is told after a try."""
    found = split(subject.story(seat), playouts, tick)
    swings = tuple(sorted(mistakes(found)[:MOST_MISTAKES], key=lambda swing: swing.step.at))
    shown = [{"at": swing.step.at, **seen_json(swing.step.view, subject.names)} for swing in swings]
    about = {"method": method.to_json(), "standpoint": seat, "names": list(subject.names)}
    return Answer({**about, "mistakes": shown}, Exercises(swings, playouts))
