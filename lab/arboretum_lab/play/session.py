"""One game under way: its state, its moves, and how it is taken back, saved and taken up again."""

import contextlib
import errno
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.human import is_human
from arboretum_agents.registry import make_agent, parse_spec
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ConfigError, RecordError
from arboretum_env.forfeit import Forfeit
from arboretum_env.history import HistoryKeeper
from arboretum_env.match import decide
from arboretum_env.phase import Phase
from arboretum_env.records.files import save_record
from arboretum_env.records.from_game import note_action, record_of_turns
from arboretum_env.records.record import GameRecord, TurnRecord
from arboretum_env.records.replay import positions
from arboretum_env.seeding import Purpose, random_seed, root_from_seed
from arboretum_env.view import PlayerView, redact

_DEAL_TEXT = re.compile(r"user seed ([0-9]{1,4300}) game 0")


def display_name(spec: str) -> str:
    """How a seat is called on the screen: a person by name, an agent by its spec."""
    if not is_human(spec):
        return spec
    options = parse_spec(spec).options
    return options.get("name") or options.get("") or "human"


@dataclass(frozen=True)
class Question:
    """What an agent is asked: the position, apart from the session, which may go on meanwhile.

    Attributes:
        seat: whose turn it is.
    """

    seat: int
    _state: GameState
    _agents: list[Agent]
    _seating: NDArray[np.int64]
    _keeper: HistoryKeeper

    def answer(self) -> int | Forfeit:
        """Has the agent decide once: its action, or why it cannot go on.

        Raises:
            ActionError, IllegalActionError: no action of the game, or an illegal one.
        """
        forfeits: dict[int, Forfeit] = {}
        masks = legal_action_mask(self._state)
        ids = np.zeros(1, np.uint64)
        actions = decide(
            self._state, self._agents, self._seating, ids, masks, self._keeper, forfeits
        )
        return forfeits[0] if forfeits else int(actions[0])


class Session:
    """A game between people and agents; agents get views, and are asked one decision at a time.

    Args:
        initial: the game as it was dealt, a batch of one.
        seats: specs, per absolute seat.
        seed: keys the agents' randomness.
        deal_text: where the deal comes from.
        actions: moves so far.
        takebacks: how often something was taken back that had shown a hidden card.

    Raises:
        AgentSpecError: a spec that names no agent.
        RecordError: a name that no record can hold.

    Attributes:
        config: the game's options.
        state: the game now. Nobody at the table is shown it before its end.
        names: what the seats are called.
        forfeit: who could not go on.
        seed: what the agents' randomness is keyed with.
    """

    def __init__(
        self,
        initial: GameState,
        seats: Sequence[str],
        seed: int,
        deal_text: str,
        actions: Sequence[int] = (),
        takebacks: int = 0,
    ) -> None:
        self.config: GameConfig = initial.config
        if len(seats) != self.config.num_players:
            raise ConfigError(f"{len(seats)} seats named: expected {self.config.num_players}")
        self.specs = tuple(seats)
        self.names = tuple(map(display_name, seats))
        self.takebacks = takebacks
        self.forfeit: Forfeit | None = None
        self.seed = seed
        self._initial, self._deal_text = initial, deal_text
        self.renew_agents()
        self._restart(actions)
        self.record()  # refuses names that cannot be written, before anybody has played

    @classmethod
    def begin(cls, config: GameConfig, seats: Sequence[str], seed: int | None = None) -> Self:
        """Deals a game; without a seed, from one that nobody knows."""
        seed = random_seed() if seed is None else seed
        initial = deal(config, root_from_seed(seed, Purpose.USER), [0])
        return cls(initial, seats, seed, f"user seed {seed} game 0")

    @classmethod
    def resume(cls, record: GameRecord, seats: Sequence[str] = ()) -> Self:
        """Takes a saved game up again, with the same agents unless others are named.

        Raises:
            RecordError: the game is over, holds unknown cards or an illegal move, or does not say
                who plays.
        """
        if record.has_unknown_cards:
            raise RecordError("the record holds unknown cards: such a game cannot be played on")
        if record.termination:
            raise RecordError(f"the game has ended: {record.termination}")
        named = tuple(seats) or record.seats
        match = _DEAL_TEXT.fullmatch(record.deal)
        session = cls.reopen(record, named, int(match[1]) if match else 0)
        if session.done:
            raise RecordError("the game is over: arboretum replay explains its score")
        return session

    @classmethod
    def reopen(cls, record: GameRecord, seats: Sequence[str], seed: int) -> Self:
        """A recorded game as it stands, finished or not; it holds no unknown cards.

        Raises:
            RecordError: it holds an illegal move, or it is not said who plays.
        """
        first, *later = positions(record)
        if not all(seats):
            raise RecordError("the record does not say who plays: name the seats")
        actions = later[-1].actions if later else ()
        return cls(first.state, seats, seed, record.deal, actions, record.takebacks)

    @property
    def done(self) -> bool:
        """Whether nobody is to move any more."""
        return self.forfeit is not None or bool(self.state.done[0])

    @property
    def mover(self) -> int:
        """The seat to move."""
        return int(self.state.mover[0])

    @property
    def humans(self) -> tuple[int, ...]:
        """Seats of people."""
        return tuple(int(seat) for seat in np.flatnonzero(self._seating[0] < 0))

    def view(self, seat: int) -> PlayerView:
        """What a seat knows, the past included."""
        histories = self._keeper.histories(np.zeros(1, np.int64), np.array([seat]))
        return redact(self.state, seat, np.zeros(1, np.uint64), histories)[0]

    def apply(self, actions: Sequence[int]) -> None:
        """Plays legal actions of the mover."""
        for action in actions:
            before, step = self.state.clone(), np.array([action])
            self._movers.append((self.mover, Phase(int(self.state.phase[0]))))
            apply_action(self.state, step)
            self._keeper.note(before, self.state, step)
            note_action(self._turns, before, self.state, int(action))
            self._actions.append(int(action))

    def let_agent_move(self) -> None:
        """Has the agent whose turn it is decide once; it may forfeit."""
        self.settle(self.question().answer())

    def question(self) -> Question:
        """What the agent whose turn it is has to decide, to be answered in any thread."""
        return Question(
            self.mover,
            self.state.clone(),
            self._agents,
            self._seating,
            self._keeper.clone(),
        )

    @property
    def actions(self) -> tuple[int, ...]:
        """All decisions so far."""
        return tuple(self._actions)

    def rewind(self, actions: Sequence[int], takebacks: int, forfeit: Forfeit | None) -> None:
        """Puts the game where it was, as if nothing had been done since."""
        self.takebacks, self.forfeit = takebacks, forfeit
        self._restart(actions)

    def settle(self, answer: int | Forfeit) -> None:
        """Takes an agent's answer to the last question."""
        if isinstance(answer, Forfeit):
            self.forfeit = answer
        else:
            self.apply([answer])

    def renew_agents(self) -> None:
        """Makes all agents anew, as they were when the game began; others may still be thinking.

        Raises:
            AgentSpecError: a spec that names no agent.
        """
        agents: list[Agent] = []
        seating = np.full((1, len(self.specs)), -1, np.int64)
        for seat, spec in enumerate(self.specs):
            agent = make_agent(spec, self.config)  # for a person too: its options are checked
            if not is_human(spec):
                agent.reset(np.zeros(1, np.uint64), self.seed)
                seating[0, seat] = len(agents)
                agents.append(agent)
        self._agents, self._seating = agents, seating

    def take_back(self, seat: int, *, over_draws: bool = True) -> bool | None:
        """Takes the seat's last move back, with what agents have done since.

        Args:
            seat: whose move.
            over_draws: whether draws from the deck may be taken back, which have shown a card.

        Returns:
            Whether the game still counts: not if a card was drawn from the deck since, or an agent
            moved, since both have shown something hidden. None if there is nothing to take back.

        Raises:
            ConfigError: another person has moved since, or a draw from the deck stands in the way.
        """
        reason = self.why_no_take_back(seat, over_draws=over_draws)
        start = self._last_move(seat)
        if start is None:
            return None
        if reason:
            raise ConfigError(reason)
        harmless = 0 not in self._actions[start:] and all(
            mover == seat for mover, _ in self._movers[start:]
        )
        self.takebacks += not harmless
        self._restart(self._actions[:start])
        return harmless

    def why_no_take_back(self, seat: int, *, over_draws: bool = True) -> str:
        """Why ``take_back`` would do nothing, or ``""``."""
        start = self._last_move(seat)
        if start is None:
            return "there is nothing to take back"
        if any(mover in self.humans and mover != seat for mover, _ in self._movers[start:]):
            return "another person has moved since: nothing can be taken back"
        if 0 in self._actions[start:] and not over_draws:
            return "a card was drawn from the deck: only a practice game takes that back"
        return ""

    def _last_move(self, seat: int) -> int | None:
        """The number of the decision with which the seat's last move began."""
        return next(
            (
                index
                for index in range(len(self._actions) - 1, -1, -1)
                if self._movers[index][0] == seat and self._movers[index][1] is not Phase.PLACE
            ),
            None,
        )

    def record(self) -> GameRecord:
        """The game so far; it holds the whole deal."""
        return record_of_turns(
            self._initial,
            self._turns,
            self.state,
            self.specs,
            deal=self._deal_text,
            forfeit=self.forfeit,
            takebacks=self.takebacks,
        )

    def save(self, path: Path) -> None:
        """Writes the record; a file of that name is replaced whole or not at all.

        Raises:
            OSError: it cannot be written.
        """
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "is no file that could be replaced", str(path))
        part = path.with_name(f".{path.name}")
        try:
            save_record(self.record(), part)
            part.replace(path)
        except OSError as error:  # people know nothing of the part
            with contextlib.suppress(OSError):
                part.unlink()
            raise OSError(error.errno, error.strerror, str(path)) from error

    def _restart(self, actions: Sequence[int]) -> None:
        self.state = self._initial.clone()
        self._keeper = HistoryKeeper(self._initial)
        self._actions: list[int] = []
        self._turns: list[TurnRecord] = []
        self._movers: list[tuple[int, Phase]] = []
        self.apply(list(actions))
