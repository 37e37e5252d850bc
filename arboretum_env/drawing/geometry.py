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

from arboretum_env.drawing.scene import Scene, SeatScene

MARGIN: Final[int] = 24
TITLE_HEIGHT: Final[int] = 44
GUTTER: Final[int] = 20
PADDING: Final[int] = 18
NAME_HEIGHT: Final[int] = 34
PITCH: Final[int] = 72  # from one cell to the next
TILE: Final[int] = 52  # a planted card; the gap between two shows the paths
AXIS: Final[int] = 22
SMALL_PITCH: Final[int] = 37  # from one card of a hand or pile to the next
SMALL_TILE: Final[int] = 34
LABEL_WIDTH: Final[int] = 62
ROW_HEIGHT: Final[int] = 46  # of a row of small cards
SHEET_LINE: Final[int] = 24
SHEET_WIDTH: Final[int] = 610
_FEWEST_CELLS: Final[int] = 4
_FEWEST_CARDS: Final[int] = 9  # a hand after both draws
COLUMNS: Final[int] = 2


@dataclass(frozen=True)
class Extent:
    """The cells of an arboretum that are drawn: its own, and room so that small ones look alike."""

    left: int
    right: int
    bottom: int
    top: int

    @property
    def columns(self) -> int:
        """Cells from left to right."""
        return self.right - self.left + 1

    @property
    def rows(self) -> int:
        """Cells from bottom to top."""
        return self.top - self.bottom + 1


@dataclass(frozen=True)
class Panel:
    """One seat's rectangle.

    Attributes:
        x, y: its top left corner.
        width, height: its size.
        extent: the cells drawn.
        grid_x, grid_y: top left corner of the top left cell.
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

    def cell_centre(self, x: int, y: int) -> tuple[int, int]:
        """Pixel centre of the cell at true coordinates (y up)."""
        return (
            self.grid_x + (x - self.extent.left) * PITCH + PITCH // 2,
            self.grid_y + (self.extent.top - y) * PITCH + PITCH // 2,
        )

    @property
    def below_grid(self) -> int:
        """Where the rows of small cards begin."""
        return self.grid_y + self.extent.rows * PITCH + AXIS + 6


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
    extents = [_extent(seat) for seat in scene.seats]
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
                    grid_x=x + AXIS + (inner - extent.columns * PITCH) // 2,
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


def _extent(seat: SeatScene) -> Extent:
    xs = [x for x, _, _ in seat.arboretum] or [0]
    ys = [y for _, y, _ in seat.arboretum] or [0]
    left, right = _widen(min(xs), max(xs))
    bottom, top = _widen(min(ys), max(ys))
    return Extent(left, right, bottom, top)


def _widen(low: int, high: int) -> tuple[int, int]:
    """A range of at least ``_FEWEST_CELLS``, with equal room on both sides where possible."""
    missing = max(0, _FEWEST_CELLS - (high - low + 1))
    return low - missing // 2, high + missing - missing // 2


def _width(scene: Scene, extent: Extent) -> int:
    grid = extent.columns * PITCH + AXIS
    cards = LABEL_WIDTH + _FEWEST_CARDS * SMALL_PITCH
    sheet = SHEET_WIDTH if scene.sheet else 0
    return max(grid, cards, sheet) + 2 * PADDING


def _height(scene: Scene, seat: SeatScene, extent: Extent, per_row: int) -> int:
    rows = card_rows(len(seat.discard_pile), per_row)
    rows += card_rows(len(seat.hand) + seat.hidden_cards, per_row)
    sheet = (scene.config.num_species + 2) * SHEET_LINE if scene.sheet else 0
    grid = extent.rows * PITCH + AXIS + 6
    return 2 * PADDING + NAME_HEIGHT + grid + rows * ROW_HEIGHT + sheet
