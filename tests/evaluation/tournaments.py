"""Tournaments for tests: made games, and small tournaments of stub agents."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.evaluation.evaluate import AgentFactory, Games, unique_names
from arboretum_training.evaluation.tournament import (
    Tournament,
    TournamentSettings,
    open_tournament,
)
from arboretum_training.evaluation.tournament_tables import Format, tables

REDUCED = {
    2: GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3),
    3: GameConfig(num_players=3, species=4, num_ranks=4, hand_size=3),
    4: GameConfig(num_players=4, species=5, num_ranks=4, hand_size=3),
}


def made_games(
    deals: Sequence[int],
    seating: Sequence[Sequence[int]],
    points: Sequence[Sequence[int]],
    winners: Sequence[Sequence[int]] | None = None,
    denied: Sequence[Sequence[int]] | None = None,
) -> Games:
    """Games with given results; winners by points alone unless they are given."""
    shares = np.zeros(np.shape(points))
    for row, scores in enumerate(points):
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        won = best if winners is None else list(winners[row])
        shares[row, won] = 1 / len(won)
    return Games(
        deal_id=np.array(deals, np.uint64),
        game_id=np.arange(len(deals), dtype=np.uint64),
        seating=np.array(seating, np.int64),
        points=np.array(points, np.int64),
        win_shares=shares,
        denied_points=np.zeros_like(shares, np.int64) if denied is None else np.array(denied),
        turns=np.full(len(deals), 20),
        forfeits=np.full(len(deals), -1),
    )


def settings_of(
    agents: Sequence[str | AgentFactory],
    players: int = 2,
    form: Format = "round-robin",
    *,
    deals: int = 3,
    seed: int = 4,
    config: GameConfig | None = None,
) -> TournamentSettings:
    """Settings of a small tournament."""
    names = unique_names(agents)
    return TournamentSettings(
        agents=tuple(map(identify, agents, names)),
        config=config or REDUCED[players],
        form=form,
        tables=tuple(tables(form, len(agents), players, 60, seed)),
        deals=deals,
        seed=seed,
    )


def played(folder: Path, settings: TournamentSettings, workers: int = 1) -> Tournament:
    """The tournament, complete."""
    tournament = open_tournament(folder, settings)
    assert tournament.play(workers=workers)
    return tournament


def every_byte(folder: Path) -> dict[str, bytes]:
    """The content of every file below a folder."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}
