"""Games of a run's measurements as ``.arb`` files: how the policy plays as it learns.

runs/NAME/games/000000409600-1.arb   the first one after 409,600 decisions

They are of the same deals at every measurement, so that files of different steps can be compared.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arboretum_agents.neural.checkpoint_reader import step_name
from arboretum_env.match import MatchResult
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.from_game import record_from_match
from arboretum_training.files import replace_file

_NAME: Final = re.compile(r"([0-9]{12,})-[0-9]+\.arb")


def save_sample_games(
    folder: Path, step: int, match: MatchResult, names: Sequence[str], deals: Sequence[str]
) -> None:
    """Writes the first games of a match; raises ``OSError`` where that cannot be.

    Args:
        folder: made if need be.
        step: decisions that the policy had learned from.
        match: played with ``keep_actions``.
        names: of the agents, by the index that ``match.seating`` uses.
        deals: where the deals come from, one a game that is to be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    # The notation has no way to write a double quote, and the spec of a program may have some.
    written = [name.replace('"', "'") for name in names]
    for index, deal in enumerate(deals):
        record = record_from_match(
            match.initial,
            match.game_actions(index),
            [written[agent] for agent in match.seating[index]],
            index=index,
            deal=deal,
            forfeit=match.forfeits.get(index),
        )
        replace_file(folder / f"{step_name(step)}-{index + 1}.arb", write_arb(record).encode())


def keep_newest(folder: Path, number: int) -> None:
    """Removes all but the newest sample games; other files stay."""
    games = sample_games(folder)
    for _, path in games[: max(len(games) - number, 0)]:
        path.unlink()


def forget_games(folder: Path, step: int) -> None:
    """Removes the sample games of policies after a step."""
    for of_step, path in sample_games(folder):
        if of_step > step:
            path.unlink()


def sample_games(folder: Path) -> list[tuple[int, Path]]:
    """Step and file of every sample game, oldest first; nothing where there is no folder."""
    if not folder.is_dir():
        return []
    found = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir())
    # Of one step, ten comes after nine.
    games = [(int(name[1]), path) for name, path in found if name]
    return sorted(games, key=lambda game: (game[0], len(game[1].name), game[1].name))
