"""A scene as text: the same content as the picture, for terminals and for ``<desc>``."""

from collections.abc import Sequence

from arboretum_env.drawing.scene import Scene, SeatScene
from arboretum_env.records.scoresheet import sheet_text

_CELL_WIDTH = 5


def scene_text(scene: Scene) -> str:
    """The scene in lines of text, north on top; the last planted card stands in brackets."""
    head = scene.status
    if scene.observer is not None:
        head += f" (as seat {scene.observer} sees it)"
    blocks = [head]
    blocks += [_seat_block(scene, seat) for seat in range(len(scene.seats))]
    if scene.sheet is not None:
        blocks.append(sheet_text(scene.sheet, [seat.name for seat in scene.seats]))
    return "\n\n".join(blocks)


def _seat_block(scene: Scene, seat: int) -> str:
    part = scene.seats[seat]
    title = f"seat {seat}" + (f" ({part.name})" if part.name else "")
    lines = [title, *_arboretum_lines(scene, seat)]
    pile = _cards(scene, part.discard_pile)
    lines.append(f"  pile   {f'{pile} (top)' if pile else '-'}")
    lines.append(f"  hand   {_hand(scene, part)}")
    for path in part.paths:
        right = {None: "", True: ", scored", False: ", denied"}[path.right]
        lines.append(
            f"  path   {scene.config.species[path.species]}: {_cards(scene, path.cards)}{right}"
        )
    return "\n".join(lines)


def _cards(scene: Scene, cards: Sequence[int]) -> str:
    return " ".join(map(scene.config.card_text, cards))


def _hand(scene: Scene, part: SeatScene) -> str:
    texts = {card: scene.config.card_text(card) for card in part.hand}
    shown = [f"[{text}]" if card == scene.chosen_card else text for card, text in texts.items()]
    return " ".join(shown + ["?"] * part.hidden_cards) or "-"


def _arboretum_lines(scene: Scene, seat: int) -> list[str]:
    """A grid with true coordinates: y at the left, x below."""
    planted = {(x, y): scene.config.card_text(card) for x, y, card in scene.seats[seat].arboretum}
    if not planted:
        return ["  nothing planted"]
    last = scene.last_planted[1] if scene.last_planted and scene.last_planted[0] == seat else None
    xs = range(min(x for x, _ in planted), max(x for x, _ in planted) + 1)
    ys = range(max(y for _, y in planted), min(y for _, y in planted) - 1, -1)
    lines = []
    for y in ys:
        cells = [
            f"[{planted[x, y]}]" if (x, y) == last else f"{planted.get((x, y), '.')} " for x in xs
        ]
        lines.append(f"{y:5}" + "".join(f"{cell:>{_CELL_WIDTH}}" for cell in cells))
    lines.append(" " * 5 + "".join(f"{x:>{_CELL_WIDTH - 1}} " for x in xs))
    return [line.rstrip() for line in lines]
