"""What do strong agents hold? The fates of the cards of every agent at tables of its own."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.statistics import bootstrap_interval
from arboretum_training.research.card_fates import FATES, KEPT, CardFates, card_fates
from arboretum_training.research.studies.study import Row, Setting, Study
from arboretum_training.research.studies.tables import games_among_equals, study_of_agents

SEED: Final = 83
LATE: Final = 0.5
"""Share of the game after which a card counts as having come late."""


def study(setting: Setting) -> Study:
    """A row is an agent with a number of players."""
    return study_of_agents("holdings", setting, measure, SEED)


def measure(players: int, agent: str, deals: int) -> Row:
    """An agent at tables of its own.

    Returns:
        Of the cards of each rank that hands saw, [R] lists of the shares ``kept``, ``planted`` and
        ``discarded``, and of those kept ``kept_low`` and ``kept_high``, its 95 % interval with
        games resampled. Of all cards kept, the shares in species with a path of the own (``own``),
        with none of the own but a rival's (``block``), and with neither (``idle``), and the share
        ``late`` that came into the hand in the game's second half.
    """
    games = games_among_equals(agent, GameConfig(num_players=players), deals, SEED)
    fates, ranks = card_fates(games), games.final.config.num_ranks
    seen = np.bincount(fates.rank, minlength=ranks + 1)[1:]
    row: Row = {"players": players, "agent": agent}
    for index, name in enumerate(FATES):
        of_rank = np.bincount(fates.rank[fates.fate == index], minlength=ranks + 1)[1:]
        row[name] = (of_rank / np.maximum(seen, 1)).tolist()
    bounds = [_kept_interval(fates, rank, len(games)) for rank in range(1, ranks + 1)]
    row["kept_low"], row["kept_high"] = [low for low, _ in bounds], [high for _, high in bounds]
    kept = fates.fate == KEPT
    own, rival = fates.own_path[kept] > 0, fates.rival_path[kept] > 0
    return row | {
        "own": _share(own),
        "block": _share(~own & rival),
        "idle": _share(~own & ~rival),
        "late": _share(fates.came[kept] >= LATE),
    }


def _share(which: NDArray[np.bool_]) -> float:
    return float(which.mean()) if len(which) else 0.0


def _kept_interval(fates: CardFates, rank: int, games: int) -> tuple[float, float]:
    """Interval of the share of a rank that was kept: a ratio's, by the delta method over games."""
    of_rank = fates.rank == rank
    seen = np.bincount(fates.game[of_rank], minlength=games)
    kept = np.bincount(fates.game[of_rank & (fates.fate == KEPT)], minlength=games)
    share = kept.sum() / max(seen.sum(), 1)
    # Linearised at the share (Cochran, Sampling Techniques, 1977, 6.3): a game's part of the ratio.
    values = share + (kept - share * seen) / max(seen.mean(), 1e-9)
    interval = bootstrap_interval(values, SEED)
    return (float(share), float(share)) if interval is None else interval
