"""A recorded game as one HTML file to walk through: no network, no other file, no server.

The page holds what its reader may see and nothing else: with ``seat`` every position is drawn from
that seat's view, and free texts of the record, which may tell of hidden cards, stay out.
"""

from dataclasses import asdict
from importlib import resources
from typing import Final
from xml.etree import ElementTree as ET

from arboretum_env.drawing.cards import sprite
from arboretum_env.drawing.html import document, element, json_block
from arboretum_env.drawing.replay_frames import SLOTS, reel_of
from arboretum_env.drawing.scene import Scene, scene_of_position
from arboretum_env.drawing.style import style_sheet
from arboretum_env.drawing.svg import shown_cards
from arboretum_env.drawing.words import seat_title
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import positions
from arboretum_env.records.tokens import turn_tokens

_BUTTONS: Final = (
    ("start", "Home", "First position", "M4 4h2v12H4zM16 4v12L7 10z"),
    ("turn-back", "[", "Turn back", "M10 4v12L2 10zM18 4v12l-8-6z"),
    ("back", "ArrowLeft", "Back", "M14 4v12L5 10z"),
    ("on", "ArrowRight", "On", "M6 4v12l9-6z"),
    ("turn-on", "]", "Turn on", "M2 4v12l8-6zM10 4v12l8-6z"),
    ("end", "End", "Last position", "M14 4h2v12h-2zM4 4v12l9-6z"),
)
"""Name, key, label, and the path of its picture in a square of 20."""

_HALF_MOON: Final = "M10 1a9 9 0 0 1 0 18 9 9 0 0 1 0-18zm0 2v14a7 7 0 0 0 0-14z"


def replay_page(record: GameRecord, seat: int | None = None, *, show_hands: bool = True) -> str:
    """The page of a whole record.

    Args:
        record: finished or not; unknown cards stay unknown.
        seat: show what this seat knew at every position; None shows what a spectator sees.
        show_hands: show a spectator every hand, otherwise only what was publicly known.

    Raises:
        RecordError: the record holds an illegal move.
    """
    scenes = [
        scene_of_position(position, seat, show_hands=show_hands) for position in positions(record)
    ]
    secret = seat is not None or not show_hands
    reel = reel_of(scenes)
    turns = [0]
    for turn in record.turns:
        turns.append(turns[-1] + turn.num_decisions)
    data = {
        "fragments": reel.fragments,
        "frames": [asdict(frame) for frame in reel.frames],
        "turns": turns,
    }
    cards = {card for scene in scenes for card in shown_cards(scene)}
    main = element(
        "main",
        _header(record, scenes[0], seat, secret),
        _controls(len(scenes) - 1),
        _table(scenes[0]),
        _moves(record, scenes[-1], turns, secret),
        _footer(),
        sprite(cards),
        json_block("replay", data),
    )
    style = style_sheet() + _file("replay_page.css")
    return document(_title(record), style, main, _file("replay_page.js"))


def _file(name: str) -> str:
    return resources.files("arboretum_env.drawing").joinpath(name).read_text(encoding="utf-8")


def _title(record: GameRecord) -> str:
    return "Arboretum: " + ", ".join(
        name or f"seat {seat}" for seat, name in enumerate(record.seats)
    )


def _header(record: GameRecord, scene: Scene, seat: int | None, secret: bool) -> ET.Element:
    facts = [f"{len(scene.seats)} players", f"species {record.config.species}"]
    if record.config.starting_discards:
        facts.append("starting discards")
    if seat is not None:
        facts.append(f"as {seat_title(scene, seat)} saw it")
    elif secret:
        facts.append("hands hidden")
    if record.takebacks:
        facts.append(f"{record.takebacks} taken back")
    if not secret:
        facts += filter(None, (record.deal, record.termination))
    elif record.forfeited_by is not None:
        facts.append(f"forfeited by seat {record.forfeited_by}")
    return element(
        "header",
        element("h1", _title(record)),
        element("p", " · ".join(facts), class_="facts"),
        _button("theme", "Light or dark", _HALF_MOON),
    )


def _controls(last: int) -> ET.Element:
    buttons = [_button(name, label, path, key) for name, key, label, path in _BUTTONS]
    slider = element(
        "input", id="slider", type="range", min="0", max=str(last), value="0", step="1",
        **{"aria-label": "Position"},
    )  # fmt: skip
    status = element("p", id="status", role="status")
    return element(
        "nav",
        element("div", *buttons, class_="buttons"),
        slider,
        status,
        **{"aria-label": "Replay"},
    )


def _button(name: str, label: str, path: str, key: str = "") -> ET.Element:
    """A button with a picture; the label is for everybody else."""
    picture = element(
        "svg", element("path", d=path), viewBox="0 0 20 20", **{"aria-hidden": "true"}
    )
    button = element("button", picture, id=name, type="button", title=label)
    button.set("aria-label", label)
    if key:
        button.set("aria-keyshortcuts", key)
        button.set("title", f"{label} ({key})")
    return button


def _table(scene: Scene) -> ET.Element:
    labels = {"pile": "Pile", "hand": "Hand"}
    seats = []
    for seat, part in enumerate(scene.seats):
        title = element("h2", f"Seat {seat}", element("b", part.name))
        slots = []
        for slot in SLOTS:
            holder = element("div", class_=f"slot {slot}", id=f"{seat}-{slot}")
            label = [element("h3", labels[slot])] if slot in labels else []
            slots.append(element("div", *label, holder, class_=f"row {slot}-row"))
        seats.append(element("section", title, *slots, id=f"seat-{seat}"))
    return element("div", *seats, class_="seats")


def _moves(record: GameRecord, last: Scene, turns: list[int], secret: bool) -> ET.Element:
    """Every token leads to the position after it."""
    rows = []
    for number, turn in enumerate(record.turns):
        tokens = turn_tokens(record.config, turn)
        if secret and turn.card is not None and turn.cell is None and last.chosen_card is None:
            tokens[-1] = "?@"  # a card that the mover alone knows
        at = turns[number]
        parts: list[str | ET.Element] = []
        for index, token in enumerate(tokens):
            plants = index == len(turn.draws) and turn.cell is not None
            at += 2 if plants else 1
            parts += [element("button", token, type="button", **{"data-at": str(at)}), " "]
        if turn.comment and not secret:
            parts.append(element("q", turn.comment))
        players = record.config.num_players
        who = element("span", f"seat {number % players}", class_="who")
        rows.append(element("li", who, *parts))
    return element(
        "aside",
        element("h2", "Moves"),
        element("ol", *rows, class_="moves") if rows else element("p", "no moves"),
    )


def _footer() -> ET.Element:
    keys = "Keys: ← and → one decision, [ and ] one turn, Home and End the whole game."
    return element(
        "footer",
        element("p", keys),
        element("noscript", element("p", "To walk through the game, allow this page its script.")),
    )
