"""``human``: asks a person in the terminal, who sees what the seat sees.

``ask_move`` is the dialogue for one move; ``arboretum play`` leads it with commands of its own.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.terminal import Terminal
from arboretum_env.agent import check_movers
from arboretum_env.config import GameConfig
from arboretum_env.drawing.scene import scene_of_view
from arboretum_env.drawing.text import scene_text
from arboretum_env.errors import ActionError, ForfeitError
from arboretum_env.notation import EXPECTED, legal_moves, parse_move
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews

_PROMPTS: Final = {
    Phase.DRAW_FIRST: "first draw",
    Phase.DRAW_SECOND: "second draw",
    Phase.PLAY: "plant",
    Phase.PLACE: "plant",
    Phase.DISCARD: "discard",
}

_NOTATION: Final = """moves:
  d        draw from the deck
  p1       draw the top of seat 1's discard pile
  M7@0,1   plant the seven of Maple at x 0, y 1; the first card stands at 0,0
  xM7      discard it
Letters may be small. Tab completes moves and commands.
commands:"""


def is_human(spec: str) -> bool:
    """Whether a spec means a person.

    >>> is_human("human:name=Ann"), is_human("humane")
    (True, False)
    """
    return spec.partition(":")[0].partition("@")[0] == "human"


@dataclass(frozen=True)
class Command:
    """A word that a person may say instead of a move.

    Attributes:
        help: one line on what it does.
        run: does it with what follows the word; an answer ends the dialogue with it.
        words: completions of what follows.
    """

    help: str
    run: Callable[[str], str | None]
    words: Sequence[str] = field(default=())


def ask_move(
    view: PlayerView,
    terminal: Terminal,
    names: Sequence[str] = (),
    commands: Mapping[str, Command] | None = None,
) -> tuple[int, ...] | str:
    """Shows a person the position and asks until there is a legal move, or a command's answer.

    Args:
        view: what the person's seat knows; it is to move.
        terminal: where the person sits.
        names: who plays, per seat.
        commands: what else may be said.

    Returns:
        The flat action ids of the move, or what a command answered.

    Raises:
        EOFError, KeyboardInterrupt: as ``Terminal.ask``.
    """
    board = scene_text(scene_of_view(view, names))
    moves = legal_moves(view)
    known = {
        "board": Command("show the position again", lambda _: terminal.say(board)),
        "moves": Command("list every legal move", lambda _: terminal.say(_listing(moves))),
        **(commands or {}),
    }
    known["help"] = Command("show this", lambda _: terminal.say(_help(known)))
    terminal.say(board)
    terminal.say()
    while True:
        answer = terminal.ask(
            f"seat {view.seat}, {_PROMPTS[view.phase]}> ",
            lambda before, word: completions(before, word, list(moves), known),
        ).strip()
        word, _, rest = answer.partition(" ")
        command = known.get("help" if word == "?" else word.lower())
        if command is not None:
            result = command.run(rest.strip())
            if result is not None:
                return result
        elif answer:
            try:
                return parse_move(view, tidied(view, answer))
            except ActionError as error:
                terminal.say(f"{error}; or help")
        else:
            terminal.say(f"expected {EXPECTED[view.phase]}; or help")


def tidied(view: PlayerView, text: str) -> str:
    """A move as a person types it, in notation.

    >>> from arboretum_env.engine.deal import deal
    >>> from arboretum_env.view import redact
    >>> view = redact(deal(GameConfig(), 1, [0]), 0)[0]
    >>> [tidied(view, text) for text in ("D", " P1 ", "m7 @ 0, -1", "m7 0 1", "Xm7")]
    ['d', 'p1', 'M7@0,-1', 'M7@0,1', 'xM7']
    """
    text = text.strip()
    if text.lower() == "d" or re.fullmatch(r"[pP][0-9]", text):
        drawing = view.phase in (Phase.DRAW_FIRST, Phase.DRAW_SECOND)
        return text.lower() if drawing else text
    if match := re.fullmatch(r"p([0-9])\((\w\w)\)", text, re.ASCII | re.IGNORECASE):
        return f"p{match[1]}({match[2].upper()})"
    plant = r"(\w[0-9])\s*(?:@\s*|\s+)(-?[0-9]+)\s*(?:,\s*|\s+)(-?[0-9]+)"
    if match := re.fullmatch(plant, text, re.ASCII):
        return f"{match[1].upper()}@{match[2]},{match[3]}"
    if match := re.fullmatch(r"[xX]\s*(\w[0-9])", text, re.ASCII):
        return f"x{match[1].upper()}"
    if re.fullmatch(r"\w[0-9]", text, re.ASCII):  # a card alone, where that says it all
        if view.phase is Phase.DISCARD:
            return f"x{text.upper()}"
        if not view.arboreta[view.seat]:
            return f"{text.upper()}@0,0"
    return text


def completions(
    before: str, word: str, moves: Sequence[str], commands: Mapping[str, Command]
) -> list[str]:
    """What Tab offers: moves and commands first, then what a command takes.

    A plant is completed in two steps, the card and then its cell.

    >>> moves = ["M7@0,1", "M7@1,0", "O3@0,1"]
    >>> completions("", "", moves, {"help": Command("", lambda _: None)})
    ['M7@', 'O3@', 'help']
    >>> completions("", "m7@", moves, {})
    ['M7@0,1', 'M7@1,0']
    """
    first = before.strip().lower()
    if first:
        command = commands.get(first)
        return [each for each in command.words if each.startswith(word)] if command else []
    offered = list(moves) if "@" in word else [re.sub("@.*", "@", move) for move in moves]
    offered = list(dict.fromkeys([*offered, *commands]))
    exact = [each for each in offered if each.startswith(word)]
    return exact or [each for each in offered if each.lower().startswith(word.lower())]


def _listing(moves: Mapping[str, tuple[int, ...]]) -> str:
    """Moves in lines: those of one card together."""
    by_card: dict[str, list[str]] = {}
    for move in moves:
        card, at, cell = move.partition("@")
        by_card.setdefault(f"{card}@" if at else "", []).append(cell if at else move)
    return "\n".join(f"  {card:4}{'  '.join(rest)}" for card, rest in by_card.items())


def _help(commands: Mapping[str, Command]) -> str:
    lines = [f"  {name:8} {command.help}" for name, command in commands.items()]
    return "\n".join([_NOTATION, *lines])


class HumanAgent:
    """A person, asked in the terminal for every move.

    Args:
        config: the game.
        name: what the person is called.
    """

    def __init__(self, config: GameConfig, name: str = "") -> None:
        self.name = name
        self._terminal = Terminal()
        self._cells: dict[tuple[int, int, int], tuple[int, int]] = {}

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Forgets cells that were chosen and not yet asked for."""
        self._cells.clear()

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """Asks for every view; a plant is asked for once, with its cell.

        Raises:
            ValueError: a view of an idle seat or a finished game, which has nothing to decide.
            ForfeitError: the input has ended.
        """
        check_movers(views)
        try:
            return np.array([self._ask(views, row) for row in range(len(views))], np.int64)
        except EOFError as error:
            raise ForfeitError("agent 'human': the input has ended") from error

    def _ask(self, views: PlayerViews, row: int) -> int:
        view = views[row]
        turn = int(views.game_id[row]), view.seat, view.turn
        card, cell = self._cells.pop(turn, (None, -1))
        if view.phase is Phase.PLACE and view.chosen_card == card:
            return cell
        answer = ask_move(view, self._terminal)
        assert not isinstance(answer, str)  # no command here answers
        if len(answer) > 1:
            self._cells[turn] = answer[0] - 1 - view.config.num_players, answer[1]
        return answer[0]
