"""``arboretum blocking GAMES``: hand-blocking in recorded games, exactly."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import tyro
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text
from tyro.conf import Positional

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.config import GameConfig
from arboretum_env.records.files import load_record
from arboretum_env.records.record import GameRecord
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.input_files import naming
from arboretum_lab.cli.progress import progress_bar
from arboretum_training.research.account import Account
from arboretum_training.research.figure import Figure
from arboretum_training.research.games import PlayedGames, why_not_whole
from arboretum_training.research.summary import BlockingSummary

_AT_ONCE: Final = 64
_COLUMNS: Final = {
    "potential": "paths",
    "scored": "scored",
    "denied": "denied",
    "took": "took",
    "took_in_spite": "spite",
    "wasted": "wasted",
    "exposure": "open",
    "deck_share": "deck",
}


@dataclass(frozen=True)
class Command:
    """Says what held cards did in finished games: who denied whom, and at what price.

    One game is told in full, several as means a seat and game by player, with 95 % intervals.
    Everything is counted exactly from the records; docs/hand-blocking.md has the definitions.
    """

    games: Annotated[
        Positional[tuple[Path, ...]],
        tyro.conf.arg(metavar="GAME ...", help_behavior_hint="(required)"),
    ]
    """Records (.arb or .json), or folders of them."""

    json: bool = False
    """Print JSON: the means, and every game in full."""


@dataclass(frozen=True)
class _Game:
    file: Path
    record: GameRecord


def run(command: Command) -> int:
    """Measures the games.

    Raises:
        UsageError: no games, or none that is known whole.
        InputFileError: a record that is not in order.
    """
    games, left_out = _load(_files(command.games))
    summary, told, done = BlockingSummary(), [], 0
    with progress_bar("measuring") as progress:
        for part in _parts(games):
            account = _account(part)
            summary.add(account, [_names(game.record) for game in part])
            if command.json or len(games) == 1:
                told += [_told(account, row, game) for row, game in enumerate(part)]
            done += len(part)
            progress(done, len(games))
    if command.json:
        answer = {"players": summary.to_json(), "games": told, "left_out": left_out}
        print(json.dumps(answer))
        return 0
    if len(games) == 1:
        print(_game_text(told[0]))
    else:
        Console().print(_table(summary, len(games)))
    for reason, files in _by_reason(left_out).items():
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        print(f"left out, since {reason}: {files[0]}{more}")
    return 0


def _files(paths: Sequence[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            found = sorted(file for file in path.iterdir() if file.suffix in (".arb", ".json"))
            if not found:
                raise UsageError(f"{path}: no .arb or .json files in this folder")
            files += found
        else:
            files.append(path)
    if not files:
        raise UsageError("no games given: expected records (.arb or .json), or folders of them")
    return files


def _load(files: Sequence[Path]) -> tuple[list[_Game], list[dict[str, str]]]:
    """(games that are known whole, the others with the reason)."""
    games, left_out = [], []
    for file in files:
        with naming(file):
            record = load_record(file)
        if reason := why_not_whole(record):
            left_out.append({"file": str(file), "reason": reason})
        else:
            games.append(_Game(file, record))
    if not games:
        first = left_out[0]
        raise UsageError(f"{first['file']}: {first['reason']}: expected a finished game")
    return games, left_out


def _parts(games: Sequence[_Game]) -> Iterator[list[_Game]]:
    """Games of one kind, some at a time."""
    kinds: dict[GameConfig, list[_Game]] = {}
    for game in games:
        kinds.setdefault(game.record.config, []).append(game)
    for alike in kinds.values():
        for start in range(0, len(alike), _AT_ONCE):
            yield alike[start : start + _AT_ONCE]


def _account(part: Sequence[_Game]) -> Account:
    played = []
    for game in part:
        with naming(game.file):
            played.append(PlayedGames.of_records([game.record]))
    return Account.of(PlayedGames.joined(played))


def _names(record: GameRecord) -> list[str]:
    return [name or f"seat {seat}" for seat, name in enumerate(record.seats)]


def _told(account: Account, row: int, game: _Game) -> dict[str, Any]:
    return {"file": str(game.file), "names": _names(game.record), **account.to_json(row)}


def _by_reason(left_out: Sequence[dict[str, str]]) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for each in left_out:
        reasons.setdefault(each["reason"], []).append(each["file"])
    return reasons


def _table(summary: BlockingSummary, games: int) -> Table:
    table = Table(
        title=f"hand-blocking in {games} games: means of one seat in one game (95 %)",
        caption="points; paths = scored + denied. took: denied to others; spite: of that, "
        "without an own path. wasted: by idle cards in hand. open: by a discard, to a rival's best "
        "path. deck: share of the draws.",
        box=box.SIMPLE,
        pad_edge=False,
    )
    table.add_column("player", overflow="fold")
    table.add_column("games", justify="right", no_wrap=True)
    for title in _COLUMNS.values():
        table.add_column(title, justify="right", no_wrap=True)
    for player, figures in summary.figures().items():
        cells = [_cell(figures[key], share=key == "deck_share") for key in _COLUMNS]
        table.add_row(Text(player), str(summary.games(player)), *cells)
    return table


def _cell(figure: Figure, *, share: bool) -> str:
    scale, digits, unit = (100, 0, " %") if share else (1, 1, "")
    text = f"{scale * figure.value:.{digits}f}{unit}"
    if figure.interval is None:
        return text
    half = scale * (figure.interval[1] - figure.interval[0]) / 2
    return f"{text}\n±{half:.{digits}f}{unit}"


def _game_text(game: dict[str, Any]) -> str:
    blocks = [
        "\n".join(_seat_lines(seat, game["names"][number], number, game))
        for number, seat in enumerate(game["seats"])
    ]
    return "\n\n".join(blocks)


def _seat_lines(seat: dict[str, Any], name: str, number: int, game: dict[str, Any]) -> list[str]:
    species = seat["species"].values()
    took = sum(row["took"] for row in species)
    spite = sum(row["took"] for row in species if row["spite_hold"])
    named = f"seat {number}" + (f" ({name})" if name != f"seat {number}" else "")
    lines = [
        f"{named}: {game['scores'][number]} points; {sum(row['denied'] for row in species)} denied "
        f"to it, {took:g} taken from others ({spite:g} in spite), "
        f"{sum(row['wasted'] for row in species)} wasted",
        "  species            sum margin  path scored denied  took wasted  turned over by",
    ]
    lines += [
        f"  {letter + ' ' + SPECIES_NAMES[letter]:<18}{row['hand_sum']:>4}{row['margin']:>+7}"
        f"{row['potential']:>6}{row['scored']:>7}{row['denied']:>7}{row['took']:>6g}"
        f"{row['wasted']:>7}  {_turn_over_text(row)}"
        for letter, row in seat["species"].items()
    ]
    lines.append("  held: points without it; planted last instead, or with one more plant")
    for card in seat["held"]:
        lines.append(f"    {card['card']}  {_held_text(card, number)}")
    gains = [
        max(gain for rival, gain in enumerate(each["path_gain"]) if rival != number)
        for each in seat["discards"]
    ]
    taken = sum(each["taken_by"] not in (None, number) for each in seat["discards"])
    lines.append(
        f"  {len(gains)} discards laid {sum(gains)} points open to rivals' paths; rivals took "
        f"{taken} of them"
    )
    draws = seat["draws"]
    lines.append(
        f"  draws: {draws['deck']} deck, {draws['own_pile']} own pile, "
        f"{draws['rival_pile']} rivals' piles" + (", the deck's last" * (game["closer"] == number))
    )
    return lines


def _turn_over_text(row: dict[str, Any]) -> str:
    found = row["turned_over_by"]
    cancelled = row["top_cancelled_by"]
    more = "" if cancelled is None else f" (its top rank cancelled by seat {cancelled})"
    if found is None:
        return f"no single card{more}"
    if found["enters"] is None:
        text = f"{found['card']} out of seat {found['leaves']}'s hand"
    elif found["leaves"] is None:
        text = f"{found['card']} in seat {found['enters']}'s hand"
    else:
        text = f"{found['card']} from seat {found['leaves']}'s hand to seat {found['enters']}'s"
    return text + more


def _held_text(card: dict[str, Any], number: int) -> str:
    if card["idle"]:
        text = "idle"
    else:
        text = ", ".join(
            f"{'own' if seat == number else f'seat {seat}'} {change:+d}"
            for seat, change in enumerate(card["without"])
            if change
        )
    last = card["at_last_plant"]
    instead = "-" if last is None else f"{last[number]:+d}"
    return f"{text:<28} {instead:>4} {card['one_more_plant'][number]:>+4d}"
