"""Checks what a record claims about the end of its game against what its moves give."""

import numpy as np

from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import RecordError
from arboretum_env.records.record import GameRecord
from arboretum_env.records.scoresheet import ScoreSheet


def check_claims(
    record: GameRecord, state: GameState, sheet: ScoreSheet | None, deduced: int | None
) -> tuple[str, ...]:
    """Check ``result`` and ``winners``.

    Args:
        record: the record.
        state: where its moves end, a batch of one.
        sheet: the final score; None while unfinished or when unknown cards leave it open.
        deduced: the seat whose last hand was concluded from all other cards, or None.

    Returns:
        Notes on what could not be checked or was concluded.

    Raises:
        RecordError: a claim is false.
    """
    if sheet is not None:
        _check_known(record, sheet)
        if deduced is not None:
            return (f"the last hand of seat {deduced} follows from all other cards",)
        return ()
    if state.done[0]:
        _check_open(record, state)
        return ("unknown cards in the last hands: the result was only checked for sense",)
    if record.result is not None:
        raise _false(record, "Result", "the moves stop before the end of the game, expected *")
    if record.has_unknown_cards:
        return ("unknown cards: moves were checked as far as the cards are known",)
    return ()


def _check_known(record: GameRecord, sheet: ScoreSheet) -> None:
    if record.result != sheet.scores:
        points = "-".join(map(str, sheet.scores))
        raise _false(record, "Result", f"the moves end the game with {points}")
    if record.winners is not None and record.winners != sheet.winners:
        seats = " ".join(map(str, sheet.winners))
        raise _false(record, "Winners", f"by points and species planted the winners are {seats}")


def _check_open(record: GameRecord, state: GameState) -> None:
    """Rights are open, but every score is a sum of some of the seat's best paths."""
    if record.result is None:
        return
    scores = score(state)
    for seat, claimed in enumerate(record.result):
        reachable = {0}
        for points in map(int, scores.path_points[0, seat]):
            reachable |= {total + points for total in reachable}
        if claimed not in reachable:
            raise _false(record, "Result", f"no best paths of seat {seat} add up to {claimed}")
    ranking = np.array(record.result) * 100 + scores.distinct_species[0]
    winners = tuple(int(seat) for seat in np.flatnonzero(ranking == ranking.max()))
    if record.winners is not None and record.winners != winners:
        seats = " ".join(map(str, winners))
        raise _false(record, "Winners", f"by these points and species planted they are {seats}")


def _false(record: GameRecord, header: str, reason: str) -> RecordError:
    token = record.result_text if header == "Result" else record.winners_text
    line = record.source.headers.get(header) if record.source else None
    return RecordError(f"false {header}: {reason}", line=line, token=token)
