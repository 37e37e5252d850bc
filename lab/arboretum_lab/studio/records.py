"""Records that a browser brings: read with care, replayed once, and shown position by position.

Nothing of them is kept: the page sends the text with every question, and the last few replays are
remembered by that text.
"""

import itertools
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from arboretum_env.config import GameConfig
from arboretum_env.drawing.board import board_svg
from arboretum_env.drawing.scene import Scene, scene_of_position
from arboretum_env.drawing.text import scene_text
from arboretum_env.errors import RecordError
from arboretum_env.history import HIDDEN_DRAW, as_seen, event_of
from arboretum_env.phase import Phase
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.files import parse_json
from arboretum_env.records.json_form import record_from_json
from arboretum_env.records.record import UNKNOWN, GameRecord
from arboretum_env.records.replay import Position, Replay, positions, replay
from arboretum_env.view_json import config_to_json, phase_name
from arboretum_lab.play.session import display_name
from arboretum_lab.studio.payload import event_text
from arboretum_lab.studio.sheet import sheet_json

MOST_CHARACTERS: Final = 200_000
"""Of a record; a whole game takes about a thousand."""

_REMEMBERED: Final = 16


@dataclass(frozen=True)
class Opened:
    """A record that was replayed and found in order.

    Attributes:
        record: the record.
        positions: after the deal and after every decision.
        events: per decision, what everybody could have noted of it; None for a card only chosen.
        end: what the replay found.
        names: what the seats are called.
    """

    record: GameRecord
    positions: tuple[Position, ...]
    events: tuple[str | None, ...]
    end: Replay
    names: tuple[str, ...]

    @property
    def config(self) -> GameConfig:
        """The game's options."""
        return self.record.config

    def at(self, number: int) -> Position:
        """The position after so many decisions.

        Raises:
            RecordError: there are not so many.
        """
        if not 0 <= number < len(self.positions):
            most = len(self.positions) - 1
            raise RecordError(f"position {number}: expected 0..{most} in this record")
        return self.positions[number]


def parse_record(text: str) -> GameRecord:
    """A record from ``.arb`` text or its JSON form.

    Raises:
        RecordError: one line that says what is wrong and where.
    """
    if not text.strip():
        raise RecordError("nothing to read: expected a record, .arb text or its JSON form")
    if len(text) > MOST_CHARACTERS:
        raise RecordError(
            f"{len(text)} characters: expected at most {MOST_CHARACTERS}, a game takes about a "
            "thousand"
        )
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        data = parse_json(text.lstrip("\ufeff"), Path("the record"), RecordError)
        return record_from_json(data)
    if "[Arboretum" not in text:
        raise RecordError(
            'no record: expected .arb text, which begins with [Arboretum "1"], or its JSON form'
        )
    return read_arb(text)


def open_record(text: str) -> Opened:
    """Reads and replays a record, or remembers that it did.

    Raises:
        RecordError: it cannot be read, a move is illegal, or what it claims is false.
    """
    return _open(text)


@lru_cache(maxsize=_REMEMBERED)
def _open(text: str) -> Opened:
    record = parse_record(text)
    all_positions = tuple(positions(record))
    names = tuple(
        display_name(spec) if spec else f"Seat {seat}"
        for seat, spec in enumerate(record.seats or ("",) * record.config.num_players)
    )
    return Opened(record, all_positions, _events(record, all_positions), replay(record), names)


def _events(record: GameRecord, steps: tuple[Position, ...]) -> tuple[str | None, ...]:
    found = []
    for before, after in itertools.pairwise(steps):
        drawn = int(before.state.rows["drawn"][0])
        action = after.actions[-1]
        event = event_of(record.config, before.state.rows[0], after.state.rows[0], action)
        if action == 0 and record.deck[drawn] == UNKNOWN:
            event = HIDDEN_DRAW  # the card that stands there was filled in
        found.append(event)
    return tuple(found)


def summary_json(opened: Opened) -> dict[str, Any]:
    """What the page shows beside the positions: the players, the result, and every move."""
    record, config = opened.record, opened.config
    return {
        "players": config.num_players,
        "config": config_to_json(config),
        "names": list(opened.names),
        "specs": list(record.seats) or [""] * config.num_players,
        "deal": record.deal,
        "result": None if record.result is None else list(record.result),
        "winners": None if record.winners is None else list(record.winners),
        "termination": record.termination,
        "takebacks": record.takebacks,
        "finished": opened.end.finished,
        "unknown": record.has_unknown_cards,
        "notes": list(opened.end.notes),
        "turns": len(record.turns),
        "decisions": len(opened.positions) - 1,
        "moves": _moves(opened),
        "comments": {
            str(number): turn.comment for number, turn in enumerate(record.turns) if turn.comment
        },
        "arb": write_arb(record),
    }


def _moves(opened: Opened) -> list[dict[str, Any]]:
    """One entry a decision: whose, in which turn, and its token."""
    moves = []
    for number, (before, event) in enumerate(
        zip(opened.positions, opened.events, strict=False), start=1
    ):
        state = before.state
        action = opened.positions[number].actions[-1]
        card = int(opened.positions[number].state.chosen_card[0])
        token = f"{opened.config.card_text(card)}@" if event is None else event
        moves.append(
            {
                "at": number,
                "turn": int(state.turn[0]),
                "seat": int(state.mover[0]),
                "token": "d" if token == HIDDEN_DRAW else token,
                "hidden": action == 0,
                "chosen": event is None,
            }
        )
    return moves


def position_json(opened: Opened, number: int, seat: int | None, *, paths: bool) -> dict[str, Any]:
    """A position as one seat knew it, or open: the same fields as of a game that is played.

    Raises:
        RecordError: no such position or seat.
    """
    position = opened.at(number)
    scene = scene_at(opened, number, seat)
    config, state = opened.config, position.state
    texts = [[config.card_text(card) for card in part.hand] for part in scene.seats]
    over = bool(state.done[0]) or (
        bool(opened.record.termination) and number == len(opened.positions) - 1
    )
    log = _log(opened, number, seat)
    return {
        "at": number,
        "players": config.num_players,
        "config": config_to_json(config),
        "seat": seat,
        "mover": scene.mover,
        "phase": phase_name(scene.phase),
        "turn": scene.turn,
        "deck": scene.deck_size,
        "over": over,
        "names": list(opened.names),
        "hand": texts[scene.mover if seat is None else seat],
        "hands": texts if seat is None or scene.phase is Phase.GAME_OVER else None,
        "known": {
            str(k): [config.card_text(c) for c in sorted(state.known_in_hand(0, k))]
            for k in range(config.num_players)
        },
        "hand_sizes": [len(part.hand) + part.hidden_cards for part in scene.seats],
        "piles": [[config.card_text(c) for c in part.discard_pile] for part in scene.seats],
        "chosen": None if scene.chosen_card is None else config.card_text(scene.chosen_card),
        "legal": [],
        "cells": [],
        "last": log[-1:],
        "log": log,
        "boards": [
            board_svg(scene, k, paths=paths or scene.sheet is not None)
            for k in range(config.num_players)
        ],
        "text": scene_text(scene),
        "sheet": None if scene.sheet is None else sheet_json(scene.sheet, config),
    }


def scene_at(opened: Opened, number: int, seat: int | None) -> Scene:
    """What is drawn of a position.

    Raises:
        RecordError: no such position or seat.
    """
    position = opened.at(number)
    if seat is not None and not 0 <= seat < opened.config.num_players:
        raise RecordError(f"seat {seat}: expected 0..{opened.config.num_players - 1}")
    return scene_of_position(position, seat)


def _log(opened: Opened, number: int, seat: int | None) -> list[dict[str, Any]]:
    log = []
    for index, event in enumerate(opened.events[:number]):
        if event is None:
            continue
        before = opened.positions[index].state
        mover = int(before.mover[0])
        seen = as_seen(event, own=seat is None or seat == mover)
        log.append(
            {
                "turn": int(before.turn[0]),
                "seat": mover,
                "event": "d" if seen == HIDDEN_DRAW else seen,
                "text": event_text(seen),
            }
        )
    return log
