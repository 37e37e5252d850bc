"""The games of an evaluation as ``.arb`` files, one a game."""

from collections.abc import Sequence
from pathlib import Path

from arboretum_env.match import MatchResult
from arboretum_env.records.files import save_record
from arboretum_env.records.from_game import record_from_match
from arboretum_training.evaluation.duplicate import Schedule
from arboretum_training.evaluation.errors import EvaluationError


def prepare_folder(folder: Path) -> None:
    """Makes the folder.

    Raises:
        EvaluationError: it holds games already; those of two evaluations would be mixed up.
        OSError: it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("*.arb")):
        raise EvaluationError(f"{folder} holds .arb games already: expected a new or empty folder")


def save_match(
    folder: Path, match: MatchResult, plan: Schedule, names: Sequence[str], deals: str
) -> None:
    """Writes every game of a match, see ``game_file``.

    Args:
        folder: see ``prepare_folder``.
        match: played with ``keep_actions``.
        plan: the games' ids, in the match's order.
        names: the agents, by the index that ``match.seating`` uses.
        deals: where the deals come from, noted in the record: ``evaluate seed 7``.
    """
    for index in range(len(plan.game_id)):
        deal, game = int(plan.deal_id[index]), int(plan.game_id[index])
        record = record_from_match(
            match.initial,
            match.game_actions(index),
            [names[agent] for agent in match.seating[index]],
            index=index,
            deal=f"{deals} deal {deal}",
            forfeit=match.forfeits.get(index),
        )
        save_record(record, folder / game_file(deal, game))


def game_file(deal: int, game: int) -> str:
    """Name of a game's file.

    >>> game_file(3, 7)
    'deal000003-game0000007.arb'
    """
    return f"deal{deal:06d}-game{game:07d}.arb"
