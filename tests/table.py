"""What rule tests stand on: a game of either kind, turns as text, and arboreta as pictures."""

from collections.abc import Sequence
from typing import Protocol

from tests.reference import Action, Arboretum, Cell, IllegalMoveError, Options, Score


class Game(Protocol):
    """What ``ReferenceGame`` and ``EngineGame`` have in common."""

    options: Options

    @property
    def hands(self) -> list[list[str]]: ...
    @property
    def deck(self) -> list[str]: ...
    @property
    def discards(self) -> list[list[str]]: ...
    @property
    def arboreta(self) -> list[dict[Cell, str]]: ...
    @property
    def known(self) -> list[set[str]]: ...
    @property
    def turn(self) -> int: ...
    @property
    def mover(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def chosen(self) -> str | None: ...
    @property
    def over(self) -> bool: ...
    def legal(self) -> set[Action]: ...
    def apply(self, action: Action) -> None: ...
    def score(self) -> Score: ...


class NewGame(Protocol):
    """How a game begins from an exact deal."""

    def __call__(
        self,
        options: Options,
        hands: Sequence[Sequence[str]],
        deck: Sequence[str],
        discards: Sequence[Sequence[str]] | None = None,
    ) -> Game: ...


def actions_of(text: str) -> list[Action]:
    """``"d p1 M7@0,-1 xO3"`` as actions: ``pN`` is the pile of absolute seat N."""
    actions: list[Action] = []
    for token in text.split():
        if token == "d":
            actions.append(("deck",))
        elif token[0] == "p":
            actions.append(("pile", int(token[1:])))
        elif token[0] == "x":
            actions.append(("discard", token[1:]))
        else:
            card, _, cell = token.partition("@")
            x, y = cell.split(",")
            actions += [("play", card), ("place", (int(x), int(y)))]
    return actions


def play(game: Game, text: str) -> None:
    """Take every action of a text, in turn."""
    for action in actions_of(text):
        game.apply(action)


def snapshot(game: Game) -> tuple[object, ...]:
    """Everything there is to a position; hands without their order."""
    hands = [sorted(hand) for hand in game.hands]
    table = (game.deck, game.discards, [list(planted.items()) for planted in game.arboreta])
    return (hands, *table, game.known, game.turn, game.mover, game.phase, game.chosen, game.over)


def refuses(game: Game, action: Action) -> bool:
    """Whether the game forbids an action, and is left as it was."""
    before = snapshot(game)
    try:
        game.apply(action)
    except IllegalMoveError:
        return snapshot(game) == before
    return False


def picture(text: str) -> Arboretum:
    """An arboretum from rows of cards, north on top, dots for empty cells.

    The first card of the bottom row stands at (0, 0), and cards follow in an order in which each
    one touches an earlier one.
    """
    rows = [line.split() for line in text.strip().splitlines()]
    cells = {
        (x, len(rows) - 1 - line): card
        for line, row in enumerate(rows)
        for x, card in enumerate(row)
        if card != "."
    }
    if not cells:
        return {}
    left = min(x for x, y in cells if y == 0)
    waiting = [(left, 0)]
    ordered: Arboretum = {}
    for x, y in waiting:
        ordered[x - left, y] = cells[x, y]
        near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        waiting += [cell for cell in near if cell in cells and cell not in waiting]
    assert len(ordered) == len(cells), "the picture is not connected"
    return ordered
