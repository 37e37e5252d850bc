"""A terminal that is a list of answers and a text, and games to sit down to."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from arboretum_agents.terminal import Completer, Terminal
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact
from arboretum_lab.play.session import Session

TINY = GameConfig(species="CDJ", num_ranks=3, hand_size=2)
HANDS = [["C1", "C2"], ["J2", "D1"]]
DECK = ["C3", "D3", "D2", "J1", "J3"]
"""The example game of docs/records.md."""

GAME = ["d d C1@0,0 xD3", "p0 d D1@0,0 xJ2", "p1 d C3@0,1 xJ2", "p0 d D3@-1,0 xD2"]
"""Its four turns."""


class Screen(Terminal):
    """Answers from a list, or from a function of what has been printed; keeps what is printed."""

    def __init__(self, answers: Iterable[str] | Callable[["Screen"], str]) -> None:
        self.printed: list[str] = []
        self.prompts: list[str] = []
        self.completers: list[Completer | None] = []
        self._answers = answers if callable(answers) else iter(answers)

    @property
    def interactive(self) -> bool:
        return True

    def say(self, text: str = "") -> None:
        self.printed.append(text)

    def clear(self) -> None:
        self.printed.append("<clear>")

    def ask(self, prompt: str, completer: Completer | None = None) -> str:
        self.prompts.append(prompt)
        self.printed.append(prompt)
        self.completers.append(completer)
        if callable(self._answers):
            return self._answers(self)
        for answer in self._answers:
            return answer
        raise EOFError

    @property
    def text(self) -> str:
        return "\n".join(self.printed)


def tiny_session(*seats: str, **options: Any) -> Session:
    """The example game of docs/records.md, not yet begun."""
    initial = deal_exact(TINY, HANDS, DECK)
    return Session(initial, seats or ("human", "human"), 0, "", **options)


def decisions(session: Session) -> int:
    """How many decisions a session has seen."""
    return len(session._actions)


def hidden_cards(session: Session, seat: int) -> list[int]:
    """Cards that a seat does not see, the deck's first."""
    rivals = [other for other in range(session.config.num_players) if other != seat]
    unknown = [
        card
        for other in rivals
        for card in session.state.hand(0, other)
        if card not in session.state.known_in_hand(0, other)
    ]
    return [*session.state.deck(0), *np.sort(unknown).tolist()]
