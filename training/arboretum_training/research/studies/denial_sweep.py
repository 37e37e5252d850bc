"""Does denial pay? The planner with its weight of rivals' points turned from 0 to twice its own.

Each planner plays every member of a field that stands fixed, so its rating is on the ladder's scale
(``rate_against``) and does not depend on the other planners of the sweep.
"""

from functools import partial
from typing import Final

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.deal_values import margins
from arboretum_training.evaluation.evaluate import EvaluationResult, evaluate
from arboretum_training.evaluation.ladder import published_ratings
from arboretum_training.evaluation.rating import deal_comparisons
from arboretum_training.evaluation.statistics import bootstrap_interval
from arboretum_training.evaluation.suite_rating import rate_against
from arboretum_training.research.studies.study import Row, Setting, Study

DIALS: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
"""Multiples of the planner's own weight of rivals' points; 1 is the planner itself."""

FIELD: Final = ("greedy@1", "blocker@1", "planner@1")
SEED: Final = 81
_OWN: Final = 0


def study(setting: Setting) -> Study:
    """The sweep for 2, 3 and 4 players; a row is a planner at one dial."""
    parts = {
        f"{players} players, denial {dial:g}": partial(measure, players, dial, setting.deals)
        for players in (2, 3, 4)
        for dial in DIALS
    }
    return Study("denial_sweep", setting, parts, {"field": list(FIELD), "seed": SEED})


def measure(players: int, dial: float, deals: int) -> Row:
    """A planner against the field.

    Returns:
        ``rating`` with ``rating_low`` and ``rating_high`` on the ladder's scale, and means over all
        games, in points: ``margin`` (with interval), ``lost`` by a seat of it for want of the
        right, and ``rivals_lost`` by a rival's seat.
    """
    game = GameConfig(num_players=players)
    planner = f"planner:denial={dial:g}"
    results = [evaluate([planner, member], game, deals=deals, seed=SEED) for member in FIELD]
    counts = [deal_comparisons(result.games, 2) for result in results]
    ahead = np.stack([count[:, _OWN, 1] for count in counts], axis=1)
    behind = np.stack([count[:, 1, _OWN] for count in counts], axis=1)
    known = published_ratings(players)
    rated = rate_against(ahead, ahead + behind, np.array([known[m] for m in FIELD]), SEED)
    margin = np.mean([margins(result.games, deals) for result in results], axis=0)
    interval = bootstrap_interval(margin, SEED)
    assert rated.ci95 is not None and interval is not None  # there are several deals
    return {
        "players": players,
        "denial": dial,
        "rating": rated.rating,
        "rating_low": rated.ci95.low,
        "rating_high": rated.ci95.high,
        "margin": float(margin.mean()),
        "margin_low": interval.low,
        "margin_high": interval.high,
        "lost": _mean_lost(results, own=True),
        "rivals_lost": _mean_lost(results, own=False),
    }


def _mean_lost(results: list[EvaluationResult], *, own: bool) -> float:
    """Path points that a seat lost for want of the right; of the planner's seats or the others."""
    lost = np.concatenate([result.games.denied_points for result in results])
    seated = np.concatenate([result.games.seating == _OWN for result in results])
    return float(lost[seated == own].mean())
