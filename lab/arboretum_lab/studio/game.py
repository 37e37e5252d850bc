"""One game of the studio: a session of ``arboretum play``, who holds its seats, and its changes.

Whoever touches the game holds ``lock``; agents think outside it (``bots.py``). ``state_id`` counts
everything that happens to the game: a request that names an older one comes from a page that shows
something else, and is refused.
"""

import asyncio
import contextlib
import hmac
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from arboretum_env.errors import ActionError, ArboretumError
from arboretum_env.forfeit import Forfeit
from arboretum_env.notation import parse_move
from arboretum_env.view import PlayerView
from arboretum_lab.play.session import Session
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.moves import why_illegal


class Bell:
    """Wakes requests that wait for a change, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = set()

    async def wait(self, ready: Callable[[], bool], seconds: float) -> None:
        """Returns once something is so, which is looked at when it rings, or after some seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not await self._wait_once(ready):
                    pass

    async def _wait_once(self, ready: Callable[[], bool]) -> bool:
        loop = asyncio.get_running_loop()
        entry = loop, loop.create_future()
        with self._lock:
            self._waiting.add(entry)
        try:
            if ready():  # not before: what changes from here on rings
                return True
            await entry[1]
            return False
        finally:
            with self._lock:
                self._waiting.discard(entry)

    def ring(self) -> None:
        """Wakes all."""
        with self._lock:
            waiting = list(self._waiting)
        for loop, future in waiting:
            with contextlib.suppress(RuntimeError):  # that loop has ended
                loop.call_soon_threadsafe(_wake, future)


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


@dataclass
class Chair:
    """Who holds a seat.

    Attributes:
        owner: hash of a browser's token; None for an agent, and while a guest is awaited.
        invitation: hash of the token that a guest's device joins with; None for other seats.
    """

    owner: str | None = None
    invitation: str | None = None


@dataclass(frozen=True)
class BotFault:
    """An agent that could not move: the game waits for somebody to let it try again.

    Attributes:
        seat: whose agent.
        message: what happened, in words that tell no card.
    """

    seat: int
    message: str


@dataclass
class StudioGame:
    """A game that a browser plays.

    Attributes:
        id: names it in addresses and on disk.
        session: the game itself.
        chairs: who holds each seat.
        creator: hash of the token that made it.
        practice: whether draws may be taken back, and the whole deal looked at.
        created: seconds since 1970.
        state_id: counts what has happened.
        fault: why no agent moves, if so.
        at_screen: by owner, the seat that several people at one screen have it handed over to.
            In memory alone: after a restart the curtain is down.
        stopped: agents no longer move and nobody waits: the studio closes, or it was deleted.
        deleted: somebody has deleted it.
        bell: rings when something has happened.
        keep: writes the game down.
        thinking: a thread lets agents move.
    """

    id: str
    session: Session
    chairs: list[Chair]
    creator: str
    practice: bool
    created: float
    state_id: int = 0
    fault: BotFault | None = None
    at_screen: dict[str, int] = field(default_factory=dict)
    stopped: bool = False
    deleted: bool = False
    lock: threading.RLock = field(default_factory=threading.RLock)
    bell: Bell = field(default_factory=Bell)
    keep: Callable[["StudioGame"], None] = lambda game: None
    thinking: bool = False

    def kinds(self) -> list[str]:
        """Per seat: ``human``, ``guest`` (of another device), or the agent's spec."""
        humans = self.session.humans
        return [
            spec
            if seat not in humans
            else ("human" if self.chairs[seat].invitation is None else "guest")
            for seat, spec in enumerate(self.session.specs)
        ]

    def awaited(self) -> list[int]:
        """The guests' seats that no device holds."""
        return [k for k, chair in enumerate(self.chairs) if chair.invitation and not chair.owner]

    def seats_of(self, owner: str) -> tuple[int, ...]:
        """The seats that a browser holds."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.owner == owner)

    def seen_by(self, owner: str) -> bool:
        """Whether a browser has anything to do with this game."""
        return owner == self.creator or bool(self.seats_of(owner))

    def shows(self, owner: str, seat: int) -> bool:
        """Whether no curtain hides a seat of this browser from it."""
        return len(self.seats_of(owner)) < 2 or self.at_screen.get(owner) == seat

    def check_seat(self, owner: str, seat: int) -> None:
        """Refuses a seat that the browser does not hold, or that is behind the curtain.

        Raises:
            RefusedError: ``forbidden`` or ``curtain``.
        """
        seats = self.seats_of(owner)
        if seat not in seats:
            raise RefusedError("forbidden", f"seat {seat} is not yours to see")
        if not self.shows(owner, seat):
            raise RefusedError("curtain", f"hand the screen over to seat {seat} first")

    def seat_shown(self, owner: str) -> int:
        """The seat that a browser sees: its only one, or the one handed over to.

        Raises:
            RefusedError: ``forbidden`` or ``curtain``.
        """
        seats = self.seats_of(owner)
        if not seats:
            raise RefusedError("forbidden", "no seat of this game is yours")
        if len(seats) == 1:
            return seats[0]
        if owner not in self.at_screen:
            raise RefusedError("curtain", "several people play here: hand the screen over first")
        return self.at_screen[owner]

    def check_current(self, state_id: int) -> None:
        """Refuses what was meant for an earlier position.

        Raises:
            RefusedError: ``stale``.
        """
        if state_id != self.state_id:
            raise RefusedError("stale", "the game has gone on since: look again, then choose")

    def play(self, seat: int, actions: Sequence[int]) -> None:
        """Plays a person's move of one or two decisions; an illegal one changes nothing.

        Raises:
            RefusedError: ``illegal``, with the reason, or ``not_now``.
        """
        self._check_turn(seat)
        reason = why_illegal(self.session.view(seat), actions)
        if reason:
            raise RefusedError("illegal", reason)
        with self.change():
            self.session.apply(actions)

    def play_text(self, seat: int, text: str) -> None:
        """Plays a move in notation, such as ``M7@0,1``.

        Raises:
            RefusedError: as ``play``.
        """
        self._check_turn(seat)
        try:
            actions = parse_move(self.session.view(seat), text)
        except ActionError as error:
            raise RefusedError("illegal", str(error)) from error
        self.play(seat, actions)

    @property
    def agent_is_due(self) -> bool:
        """Whether an agent is to move, and nothing keeps it from it."""
        session = self.session
        return (
            not (self.stopped or session.done or self.fault is not None)
            and session.mover not in session.humans
        )

    def _check_turn(self, seat: int) -> None:
        if self.session.done:
            raise RefusedError("not_now", "the game is over")
        if self.session.mover != seat:
            raise RefusedError("not_now", f"seat {self.session.mover} is to move, not seat {seat}")

    def sit_down(self, owner: str, invitation: str) -> int:
        """Gives a guest's seat to the device that brings its invitation.

        Raises:
            RefusedError: ``not_found``: no such invitation; ``taken``: another device has the seat.
        """
        for seat, chair in enumerate(self.chairs):
            if chair.invitation is None or not hmac.compare_digest(chair.invitation, invitation):
                continue
            if chair.owner == owner:
                return seat
            if chair.owner is not None:
                raise RefusedError("taken", f"seat {seat} is taken by another device")
            if self.seats_of(owner):
                raise RefusedError("taken", "you sit at this table already")
            with self.change():
                chair.owner = owner
            return seat
        raise RefusedError("not_found", "there is no such game, or the invitation is wrong")

    def invite_again(self, seat: int, invitation: str) -> None:
        """Takes a guest's seat from the device that holds it; the old invitation is void.

        From a device that holds it in a game under way: that makes it a practice game.

        Args:
            seat: absolute.
            invitation: hash of the token that the seat is joined with from now on.

        Raises:
            RefusedError: ``invalid``: it is no guest's seat.
        """
        if seat >= len(self.chairs) or self.chairs[seat].invitation is None:
            raise RefusedError("invalid", f"seat {seat} is no guest's: there is nobody to invite")
        held = self.chairs[seat].owner is not None
        with self.change():
            # Whoever opens the new link sees the hand that another person has played.
            self.practice = self.practice or (held and not self.session.done)
            self.chairs[seat] = Chair(None, invitation)

    def look_at_the_deal(self, owner: str, *, agreed: bool) -> None:
        """Lets a person see everything before the end, which makes it a practice game.

        Raises:
            RefusedError: ``not_now``: others play too, or the person has not agreed.
        """
        holders = {
            chair.owner for seat, chair in enumerate(self.chairs) if seat in self.session.humans
        }
        if holders != {owner}:
            raise RefusedError("not_now", "others play here too: the record is for after the game")
        if not agreed:
            raise RefusedError(
                "not_now",
                "the record tells the whole deal: after the game, or with whole_deal=true, "
                "which makes it a practice game",
            )
        if not self.practice:
            with self.change():
                self.practice = True

    def take_back(self, seat: int) -> None:
        """Takes a person's last move back, with what agents did since.

        Raises:
            RefusedError: ``not_now``, with the reason.
        """
        reason = self.why_no_take_back(seat)
        if reason:
            raise RefusedError("not_now", reason)
        with self.change():
            self.session.take_back(seat, over_draws=self.practice)
            self.fault = None

    def why_no_take_back(self, seat: int) -> str:
        """Why the seat's last move cannot be taken back, or ``""``."""
        if self.session.forfeit is not None:
            return "the game has ended"
        if self.session.done and not self.practice:
            return "the game is over: all hands have been shown"
        return self.session.why_no_take_back(seat, over_draws=self.practice)

    def settle(self, answer: int | Forfeit) -> None:
        """Takes an agent's answer."""
        with self.change():
            self.session.settle(answer)

    def fail(self, seat: int, message: str) -> None:
        """Notes that an agent could not move; it starts afresh when it is asked again."""
        self.renew_agents()
        self.fault = BotFault(seat, message)
        self.state_id += 1  # not kept: after a restart the agent tries again by itself
        self.bell.ring()

    def renew_agents(self) -> None:
        """Makes all agents anew; if that fails (a checkpoint is gone), they stay as they are."""
        with contextlib.suppress(ArboretumError, OSError):
            self.session.renew_agents()

    def try_again(self) -> None:
        """Lets the agent that could not move try once more.

        Raises:
            RefusedError: ``not_now``: no agent has failed.
        """
        if self.fault is None:
            raise RefusedError("not_now", "no agent has failed")
        self.fault = None
        self.state_id += 1
        self.bell.ring()

    @contextlib.contextmanager
    def change(self) -> Iterator[None]:
        """Does something to the game, keeps it on disk, and only then tells those who wait.

        Raises:
            RefusedError: ``not_kept``: it cannot be written down; then nothing has been done.
        """
        session = self.session
        before = session.actions, session.takebacks, session.forfeit
        practice, fault, chairs = self.practice, self.fault, [replace(c) for c in self.chairs]
        yield
        self.state_id += 1
        try:
            self.keep(self)
        except OSError as error:
            self.state_id -= 1
            self.practice, self.fault, self.chairs = practice, fault, chairs
            session.rewind(*before)
            raise RefusedError(
                "not_kept", f"the game cannot be kept on disk, so nothing is done: {error.strerror}"
            ) from error
        self.bell.ring()

    def view(self, seat: int) -> PlayerView:
        """What a seat knows."""
        return self.session.view(seat)
