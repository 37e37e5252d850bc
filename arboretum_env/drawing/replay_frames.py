"""A replay as fragments of HTML: what changes from one position to the next, stored once.

A frame says for every slot of the page (a seat's board, its hand ...) which fragment stands there.
Most fragments stay for many frames, so a whole game takes little room.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from arboretum_env.drawing.board import Extent, board_extent, board_svg
from arboretum_env.drawing.cards import BACK, CARD_HEIGHT, CARD_WIDTH, card_name
from arboretum_env.drawing.html import element, to_text
from arboretum_env.drawing.html_sheet import player_table
from arboretum_env.drawing.scene import Scene
from arboretum_env.phase import Phase

SLOTS: Final[tuple[str, ...]] = ("note", "board", "pile", "hand", "sheet")
"""What a page shows of every seat, in the order of the frames' slots."""


@dataclass(frozen=True)
class Frame:
    """One position.

    Attributes:
        status: where the game stands, in a line.
        moving: the seat to move, -1 after the end.
        winners: the seats that won, once that is known.
        slots: ``SLOTS`` of seat 0, of seat 1 ...: which fragment.
    """

    status: str
    moving: int
    winners: tuple[int, ...]
    slots: tuple[int, ...]


@dataclass
class Reel:
    """Frames that share their fragments.

    Attributes:
        fragments: HTML, every text once.
        frames: the positions.
    """

    fragments: list[str] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, fragment: str) -> int:
        """The fragment's number, the same for the same text."""
        if fragment not in self._numbers:
            self._numbers[fragment] = len(self.fragments)
            self.fragments.append(fragment)
        return self._numbers[fragment]


def reel_of(scenes: Sequence[Scene]) -> Reel:
    """The frames of a game's positions; boards keep the place that the whole game needs."""
    reel = Reel()
    seats = range(len(scenes[-1].seats))
    boards = [_Boards(seat, board_extent(scenes[-1], seat, margin=0)) for seat in seats]
    for scene in scenes:
        slots = [
            reel.number(fragment)
            for seat in seats
            for fragment in _seat_fragments(scene, seat, boards[seat].of(scene))
        ]
        over = scene.phase is Phase.GAME_OVER
        status = scene.status[0].upper() + scene.status[1:]
        winners = () if scene.sheet is None else scene.sheet.winners
        moving = -1 if over else scene.mover
        reel.frames.append(Frame(status, moving, winners, tuple(slots)))
    return reel


@dataclass
class _Boards:
    """The boards of one seat, drawn again only where something on them has changed."""

    seat: int
    extent: Extent
    _key: object = None
    _svg: str = ""

    def of(self, scene: Scene) -> str:
        part, last = scene.seats[self.seat], scene.last_planted
        mark = last if last is not None and last[0] == self.seat else None
        key = part.arboretum, part.paths, mark
        if key != self._key:
            self._key = key
            self._svg = board_svg(scene, self.seat, paths=True, extent=self.extent)
        return self._svg


def _seat_fragments(scene: Scene, seat: int, board: str) -> tuple[str, ...]:
    """One fragment for each of ``SLOTS``."""
    part = scene.seats[seat]
    text = scene.config.card_text
    top = len(part.discard_pile) - 1
    pile = [
        _card(text(card), "last" if depth == top and scene.last_discarded == seat else "")
        for depth, card in enumerate(part.discard_pile)
    ]
    hand = [_card(text(card), "chosen" * (card == scene.chosen_card)) for card in part.hand]
    hand += [_card(BACK, "")] * part.hidden_cards
    sheet = "" if scene.sheet is None else to_text(player_table(scene.sheet, seat))
    return _note(scene, seat), board, _row(pile), _row(hand), sheet


def _note(scene: Scene, seat: int) -> str:
    if scene.sheet is not None:
        won = ", wins" if len(scene.sheet.winners) == 1 else ", shares the win"
        return f"{scene.sheet.scores[seat]} points{won if seat in scene.sheet.winners else ''}"
    return "to move" if seat == scene.mover and scene.phase is not Phase.GAME_OVER else ""


def _row(cards: Sequence[str]) -> str:
    return "".join(cards) or to_text(element("span", "none", class_="none"))


@lru_cache(maxsize=256)
def _card(text: str, kind: str) -> str:
    """A card that stands alone in a row."""
    card = element(
        "svg",
        element("use", href=f"#card-{text}"),
        class_=f"mini {kind}".strip(),
        viewBox=f"0 0 {CARD_WIDTH} {CARD_HEIGHT}",
        role="img",
        **{"aria-label": "hidden card" if text == BACK else card_name(text)},
    )
    return to_text(card)
