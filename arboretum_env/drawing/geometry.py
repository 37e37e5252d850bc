"""Where things stand in a picture: sizes in pixels, y downwards.

Panels stand two to a row, as many rows as it takes::

    margin
    +-- title ------------------------------------------------+
    | +-- panel, seat 0 ---------+  +-- panel, seat 1 -------+ |
    | | name            score    |  |                        | |
    | | arboretum, true x and y  |  |                        | |
    | | pile      (top rightmost)|  |                        | |
    | | hand                     |  |                        | |
    | | score sheet, at the end  |  |                        | |
    | +--------------------------+  +------------------------+ |
    +----------------------------------------------------------+
"""

from dataclasses import dataclass
from typing import Final

from arboretum_env.drawing.board import PITCH_X, PITCH_Y, Extent, board_extent
from arboretum_env.drawing.scene import Scene, SeatScene

MARGIN: Final[int] = 24
TITLE_HEIGHT: Final[int] = 48
GUTTER: Final[int] = 20
PADDING: Final[int] = 20
NAME_HEIGHT: Final[int] = 36
SCALE: Final[float] = 0.75
"""Of the arboreta: a planted card is 45 by 60."""
COLUMN: Final[int] = round(SCALE * PITCH_X)  # from one cell to the next
ROW: Final[int] = round(SCALE * PITCH_Y)
AXIS: Final[int] = 24
SMALL_PITCH: Final[int] = 38  # from one card of a hand or pile to the next
SMALL_CARD: Final[int] = 33
LABEL_WIDTH: Final[int] = 56
ROW_HEIGHT: Final[int] = 54  # of a row of small cards
SHEET_LINE: Final[int] = 25
SHEET_WIDTH: Final[int] = 610
_FEWEST_COLUMNS: Final[int] = 5
_FEWEST_ROWS: Final[int] = 3
_FEWEST_CARDS: Final[int] = 9  # a hand after both draws
COLUMNS: Final[int] = 2


@dataclass(frozen=True)
class Panel:
    """One seat's rectangle.

    Attributes:
        x, y: its top left corner.
        width, height: its size.
        extent: the cells drawn.
        grid_x, grid_y: top left corner of the top left cell of the arboretum.
        per_row: small cards in one row.
    """

    x: int
    y: int
    width: int
    height: int
    extent: Extent
    grid_x: int
    grid_y: int
    per_row: int

    @property
    def origin(self) -> tuple[int, int]:
        """Pixel centre of the cell 0,0."""
        return (
            self.grid_x - self.extent.left * COLUMN + COLUMN // 2,
            self.grid_y + self.extent.top * ROW + ROW // 2,
        )

    @property
    def below_grid(self) -> int:
        """Where the rows of small cards begin."""
        return self.grid_y + self.extent.rows * ROW + AXIS + 10


@dataclass(frozen=True)
class Layout:
    """The whole picture: its size and a panel per seat."""

    width: int
    height: int
    panels: tuple[Panel, ...]


def card_rows(count: int, per_row: int) -> int:
    """Rows that ``count`` small cards take; an empty hand or pile takes one as well."""
    return max(1, -(-count // per_row))


def lay_out(scene: Scene) -> Layout:
    """Panels two to a row; columns are as wide, and rows as high, as their largest panel."""
    extents = [_extent(scene, seat) for seat in range(len(scene.seats))]
    widths = [_width(scene, extent) for extent in extents]
    columns = min(COLUMNS, len(scene.seats))
    column_widths = [max(widths[column::columns]) for column in range(columns)]
    panels: list[Panel] = []
    y = MARGIN + TITLE_HEIGHT
    for first in range(0, len(scene.seats), columns):
        row = range(first, min(first + columns, len(scene.seats)))
        per_row = {
            seat: (column_widths[seat - first] - 2 * PADDING - LABEL_WIDTH) // SMALL_PITCH
            for seat in row
        }
        height = max(
            _height(scene, scene.seats[seat], extents[seat], per_row[seat]) for seat in row
        )
        x = MARGIN
        for seat in row:
            width = column_widths[seat - first]
            extent = extents[seat]
            inner = width - AXIS
            panels.append(
                Panel(
                    x=x,
                    y=y,
                    width=width,
                    height=height,
                    extent=extent,
                    grid_x=x + AXIS + (inner - extent.columns * COLUMN) // 2,
                    grid_y=y + PADDING + NAME_HEIGHT,
                    per_row=per_row[seat],
                )
            )
            x += width + GUTTER
        y += height + GUTTER
    return Layout(
        width=2 * MARGIN + sum(column_widths) + GUTTER * (columns - 1),
        height=y - GUTTER + MARGIN,
        panels=tuple(panels),
    )


def _extent(scene: Scene, seat: int) -> Extent:
    """The cards' own extent, and room so that small arboreta look alike."""
    own = board_extent(scene, seat, margin=0)
    left, right = _widen(own.left, own.right, _FEWEST_COLUMNS)
    bottom, top = _widen(own.bottom, own.top, _FEWEST_ROWS)
    return Extent(left, right, bottom, top)


def _widen(low: int, high: int, fewest: int) -> tuple[int, int]:
    """A range of at least ``fewest``, with equal room on both sides where possible."""
    missing = max(0, fewest - (high - low + 1))
    return low - missing // 2, high + missing - missing // 2


def _width(scene: Scene, extent: Extent) -> int:
    grid = extent.columns * COLUMN + AXIS
    cards = LABEL_WIDTH + _FEWEST_CARDS * SMALL_PITCH
    sheet = SHEET_WIDTH if scene.sheet else 0
    return max(grid, cards, sheet) + 2 * PADDING


def _height(scene: Scene, seat: SeatScene, extent: Extent, per_row: int) -> int:
    rows = card_rows(len(seat.discard_pile), per_row)
    rows += card_rows(len(seat.hand) + seat.hidden_cards, per_row)
    sheet = (scene.config.num_species + 2) * SHEET_LINE if scene.sheet else 0
    grid = extent.rows * ROW + AXIS + 10
    return 2 * PADDING + NAME_HEIGHT + grid + rows * ROW_HEIGHT + sheet
