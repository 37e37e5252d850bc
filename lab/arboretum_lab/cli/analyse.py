"""``arboretum analyse FILE``: what a recorded game was made of, or one of its positions."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from tyro.conf import Positional

from arboretum_agents.registry import make_agent
from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.records.files import load_record
from arboretum_env.records.record import GameRecord
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.input_files import naming
from arboretum_training.analysis.game_page import game_page, words
from arboretum_training.analysis.luck import Split, Swing
from arboretum_training.analysis.moments import Moments
from arboretum_training.analysis.report import position_report
from arboretum_training.analysis.retry import mistakes
from arboretum_training.analysis.seat_game import SeatGame, seat_game
from arboretum_training.analysis.story import Course, course_of_record
from arboretum_training.analysis.told import make_likelihood
from arboretum_training.files import replace_file
from arboretum_training.research.figure import Figure
from arboretum_training.research.playouts import DEFAULT_WORLDS, make_playouts
from arboretum_training.research.progress import Tick

_SWINGS = 5
_TELLING = 3


@dataclass(frozen=True)
class Command:
    """Splits a recorded game into luck and decisions, or looks at one of its positions.

    Of a game it also says where holding or planting a card decided. Every number says where it
    comes from: exact, Monte-Carlo with n and a 95 % interval, or a network. What is said of a seat
    follows from what it saw. docs/analysis.md and docs/beliefs.md have the definitions.
    """

    file: Positional[Path]
    """Record (.arb or .json), or - for .arb text on standard input."""

    seat: int | None = None
    """Whose game; by default every seat's, and with --move that of the seat to move."""

    move: int | None = None
    """Look at the position after that many decisions instead, five a turn."""

    agent: str = "planner"
    """Who plays the sampled worlds to their end, and whose move is shown with --move."""

    worlds: int = DEFAULT_WORLDS
    """How many worlds are sampled; positions with no more than so many are exact."""

    html: Path | None = None
    """Also write the game as one page with its pictures, for a browser."""

    json: bool = False
    """Print JSON."""


def run(command: Command) -> int:
    """Analyses the record.

    Raises:
        UsageError: a seat or a move that the game does not have.
        InputFileError: the record is not in order.
        AgentSpecError, ConfigError: no such agent, or a number of worlds out of range.
    """
    with naming(command.file):
        record = load_record(command.file)
        game = course_of_record(record)
        _check(command, record, game)
        if command.move is not None:
            report = _position(command, record, game)
            print(json.dumps(report) if command.json else _position_text(report, record))
            return 0
        seats = list(_seats(command, record, game))
    if command.html is not None:
        replace_file(command.html, _page(command, record, seats).encode())
    if command.json:
        method = {"reference": command.agent, "worlds": command.worlds}
        print(json.dumps({"method": method, "seats": [seat.to_json() for seat in seats]}))
    else:
        print("\n\n".join(_seat_text(seat, record) for seat in seats))
    return 0


def _check(command: Command, record: GameRecord, game: Course) -> None:
    players, last = record.config.num_players, len(game.actions)
    if command.seat is not None and not 0 <= command.seat < players:
        raise UsageError(f"--seat {command.seat}: expected 0..{players - 1}")
    if command.move is not None and not 0 <= command.move <= last:
        raise UsageError(f"--move {command.move}: expected 0..{last} in this game")
    if command.move is not None and command.html is not None:
        raise UsageError("--html is of a whole game: expected no --move with it")


def _seats(command: Command, record: GameRecord, game: Course) -> Iterator[SeatGame]:
    seats = range(record.config.num_players) if command.seat is None else [command.seat]
    likelihood = make_likelihood(record.config)
    for seat in seats:
        playouts = make_playouts(command.agent, record.config, command.worlds)
        with _progress(f"seat {seat}") as tick:
            yield seat_game(game, seat, playouts, likelihood, tick)


def _page(command: Command, record: GameRecord, seats: list[SeatGame]) -> str:
    names = [_name(record, each.split.seat) for each in seats]
    method = f"{command.agent} plays on in every seat of up to {command.worlds} worlds a position."
    return game_page(f"Arboretum: {command.file.name}", names, seats, method)


def _position(command: Command, record: GameRecord, game: Course) -> dict[str, Any]:
    assert command.move is not None
    mover = int(game.states[command.move].mover[0])
    seat = mover if command.seat is None else command.seat
    view = game.view(command.move, seat)
    playouts = make_playouts(command.agent, record.config, command.worlds)
    with _progress(f"position {command.move}") as tick:
        return position_report(make_agent(command.agent, record.config), view, playouts, tick)


@contextmanager
def _progress(words: str) -> Iterator[Tick]:
    """A bar on standard error, where that is a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(words, total=1.0)
        yield lambda share: bar.update(task, completed=share)


def _name(record: GameRecord, seat: int) -> str:
    return f"seat {seat}" + (f" ({record.seats[seat]})" if record.seats[seat] else "")


def _text(figure: Figure) -> str:
    return _figure_text(figure.to_json())


def _figure_text(figure: dict[str, Any], unit: str = "points") -> str:
    """``+1.2 (+0.4..+2.0, MC 256)``, ``+3.0 (exact)``; chances in per cent."""
    show = "{:+.1f}" if unit == "points" else "{:.0%}" if unit == "chance" else "{:.1f}"
    source = {"exact": "exact", "network": "network"}.get(figure["source"], f"MC {figure.get('n')}")
    if "interval" in figure:
        low, high = (show.format(end) for end in figure["interval"])
        source = f"{low}..{high}, {source}"
    return f"{show.format(figure['value'])} ({source})"


def _split_text(found: Split, record: GameRecord) -> str:
    start = found.swings[0].before if found.swings else found.last
    lines = [
        f"{_name(record, found.seat)}: margin in points",
        f"  at the start   {_text(start)}",
        f"  decisions      {_text(found.total('decision'))}",
        f"  luck of draws  {_text(found.total('draw'))}",
        f"  rivals         {_text(found.total('rivals'))}",
        f"  at the end     {_text(found.last)}",
        "  largest swings",
    ]
    largest = sorted(found.swings, key=lambda swing: -abs(swing.swing.value))[:_SWINGS]
    lines += [f"    {_swing_text(swing)}" for swing in largest]
    lost = mistakes(found)
    lines.append("  mistakes (lost more than their interval)" if lost else "  no mistakes found")
    lines += [f"    {_swing_text(swing)}" for swing in lost]
    return "\n".join(lines)


def _seat_text(seat: SeatGame, record: GameRecord) -> str:
    parts = [_split_text(seat.split, record), _moments_text(seat.moments)]
    return "\n".join([*parts, _told_text(seat)] if seat.told else parts)


def _told_text(seat: SeatGame) -> str:
    telling = sorted(seat.told, key=lambda each: -each.exposure.choice_bits)[:_TELLING]
    lines = [f"  told seat {seat.told[0].exposure.observer} most, besides the card"]
    for each in telling:
        at = f"turn {each.step.view.turn + 1:<3}{each.step.move:<10}"
        lines.append(f"    {at}{each.exposure.choice_bits:4.1f} bits")
    return "\n".join(lines)


def _moments_text(held: Moments) -> str:
    lines = ["  where holding or planting decided"]
    for moment in held.decisive:
        parts = f"margin {_text(moment.margin)}"
        if moment.rivals is not None:
            parts += f", rivals denied {_text(moment.rivals)}"
        lines.append(f"    turn {moment.step.view.turn + 1:<3}{words(moment):<24}{parts}")
    return "\n".join(lines if len(lines) > 1 else ["  no holding or planting decided for sure"])


def _swing_text(swing: Swing) -> str:
    luck = {"draw": "draw", "rivals": "rivals", "none": ""}[swing.kind]
    text = (
        f"turn {swing.step.view.turn + 1:<3}{swing.step.move:<10}{swing.swing.value:+5.1f}"
        f"  decision {_text(swing.decision)}"
    )
    return f"{text}  {luck} {swing.luck.value:+.1f}" if luck else text


def _position_text(found: dict[str, Any], record: GameRecord) -> str:
    seat = found["seat"]
    lines = [
        f"turn {found['turn'] + 1}, {found['phase']}: as {_name(record, seat)} sees it",
        f"  expected margin  {_figure_text(found['margin'])}",
        f"  chance to win    {_figure_text(found['win_chance'], 'chance')}",
    ]
    if found["chances"] is not None:
        lines += [f"  {found['chances']['best']}: {found['chances']['explanation']}", "  chances"]
        lines += [
            f"    {each['move']:<10}{_figure_text(each['chance'], 'chance')}"
            for each in found["chances"]["moves"][:8]
        ]
    lines.append("  rights to score, exact with every unseen card as likely anywhere")
    for row in found["rights"]:
        name = f"{row['species']} {SPECIES_NAMES[row['species']]}"
        accounts = (
            f"seat {each['seat']}: {each['known_sum']}/{each['expected_sum']['value']:.1f}"
            f" {each['right']['value']:4.0%} {each['path_points']:>2} points"
            for each in row["seats"]
        )
        lines.append(f"    {name:<18}{'  '.join(accounts)}")
    if found["denied"]:
        lines.append("  held cards: points that the rivals, and the seat, would score more without")
        lines += [
            f"    {each['card']}  rivals {_figure_text(each['rivals'])}"
            f"  own {_figure_text(each['own'])}"
            for each in found["denied"]
        ]
    return "\n".join(lines)
