"""How many deals a question needs: from a short pilot of the two agents themselves.

How much a deal's result spreads, and how long it takes to play, depends on who plays. So the pilot
plays some duplicate deals, takes the variance of the deal's value and the speed from them, and the
rest is the sample size of a two-sided test of one mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_training.evaluation.deal_values import win_shares_of
from arboretum_training.evaluation.duplicate import games_per_deal
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.evaluate import (
    AgentFactory,
    Games,
    Unit,
    concatenate,
    plan_units,
    play_unit,
)
from arboretum_training.evaluation.executor import Progress, Workers, executor_of, run_units
from arboretum_training.evaluation.statistics import LEVEL

CAUTION: Final = 0.8
_ALIKE: Final = 1e-9


@dataclass(frozen=True)
class DealsNeeded:
    """What a question needs.

    Attributes:
        detect: the difference from a fair share of the wins that is to be seen.
        power: how likely it is to be seen where it exists.
        pilot_deals: deals of the pilot.
        deal_sd: standard deviation of a deal's share of the win in the pilot.
        deals: deals needed.
        games: games that they are.
        seconds: expected time to play them with so many workers, once these have started.
        workers: how many units are played at a time.
    """

    detect: float
    power: float
    pilot_deals: int
    deal_sd: float
    deals: int
    games: int
    seconds: float
    workers: int

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the confidence level that it holds for."""
        return {**vars(self), "level": LEVEL}


def deals_needed(pilot_values: ArrayLike, detect: float, power: float, level: float = LEVEL) -> int:
    """Deals with which a test of a mean over deals finds a difference.

    ``n = ((z(1 - alpha / 2) + z(power)) s / detect)^2``, where s^2 is the upper limit of a
    one-sided 80 % interval of the variance, by the pilot: with the variance as it was measured,
    every second pilot would ask for too few deals.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences (1988); Browne, On the use
    of a pilot sample for sample size determination, Statistics in Medicine 14 (1995), for the
    limit.

    Args:
        pilot_values: [D] one number a deal.
        detect: smallest difference of the mean that matters, > 0.
        power: chance of finding it, between 0 and 1.
        level: confidence level of the test.

    Returns:
        The number of deals, at least 2.

    Raises:
        EvaluationError: fewer than two deals, or all of them alike: they tell no variance.
    """
    values = np.asarray(pilot_values, np.float64)
    if len(values) < 2 or np.ptp(values) < _ALIKE:
        raise EvaluationError(
            f"the pilot's {len(values)} deals came out alike and tell nothing about the spread of "
            "deals: expected a larger pilot"
        )
    freedom = len(values) - 1
    variance = float(values.var(ddof=1)) * freedom / float(special.chdtri(freedom, CAUTION))
    quantiles = float(special.ndtri(0.5 + level / 2) + special.ndtri(power))
    return max(2, ceil(variance * (quantiles / detect) ** 2))


def plan_evaluation(
    agents: Sequence[str | AgentFactory],
    config: GameConfig,
    *,
    detect: float,
    power: float,
    pilot_deals: int,
    seed: int,
    mode: Mode = "sample",
    workers: Workers = 1,
    progress: Progress | None = None,
) -> DealsNeeded:
    """Says how many deals tell whether the first agent wins ``detect`` more or less than its share.

    The pilot plays the first deals of the seed with as many workers as the evaluation would, so
    that the time holds for a machine as busy as it is now. Everything but the time is the same for
    any number of them.

    Args:
        agents: two; the first one's win rate is in question.
        config: the game.
        detect: difference of the win rate, more than 0, less than 1.
        power: more than 0.5, less than 1.
        pilot_deals: deals to play, at least 2.
        seed: see ``evaluate``.
        mode: see ``registry.Mode``.
        workers: where units are computed, see ``executor.Workers``.
        progress: called with (work units done, work units in all).

    Raises:
        EvaluationError: numbers out of range, a pilot without any spread, or what ``evaluate``
            refuses.
    """
    if len(agents) != 2:
        raise EvaluationError(f"{len(agents)} agents: expected 2 to ask about the first one")
    if not 0.0 < detect < 1.0:
        raise EvaluationError(
            f"detect {detect:g}: expected a win rate, more than 0 and less than 1"
        )
    if not 0.5 < power < 1.0:
        raise EvaluationError(f"power {power:g}: expected more than 0.5 and less than 1")
    if pilot_deals < 2:
        raise EvaluationError(f"pilot of {pilot_deals} deals: expected at least 2")
    units = plan_units(agents, config, deals=pilot_deals, seed=seed, mode=mode)
    executor = executor_of(workers)
    played = run_units(_play_timed, units, executor, progress)
    shares = win_shares_of(concatenate([games for games, _ in played]), 0, pilot_deals)
    deals = deals_needed(shares, detect, power)
    seconds_per_deal = sum(seconds for _, seconds in played) / pilot_deals
    return DealsNeeded(
        detect=detect,
        power=power,
        pilot_deals=pilot_deals,
        deal_sd=float(shares.std(ddof=1)),
        deals=deals,
        games=deals * games_per_deal(len(agents), config.num_players),
        seconds=deals * seconds_per_deal / executor.workers,
        workers=executor.workers,
    )


def power_text(needed: DealsNeeded) -> str:
    """Two lines for people."""
    return (
        f"pilot of {needed.pilot_deals} deals: a deal's share of the win spreads by "
        f"{100 * needed.deal_sd:.1f} % (standard deviation)\n"
        f"to see a difference of {100 * needed.detect:g} % with power {needed.power:g}: "
        f"{needed.deals:,} deals, {needed.games:,} games, about {duration(needed.seconds)} "
        f"with {needed.workers} worker{'s' * (needed.workers != 1)}"
    )


def duration(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> duration(0.4), duration(75), duration(3 * 3600), duration(90 * 3600)
    ('1 s', '75 s', '180 min', '90 h')
    """
    for size, unit, limit in ((1, "s", 120), (60, "min", 240 * 60)):
        if seconds < limit:
            return f"{max(1, round(seconds / size))} {unit}"
    return f"{round(seconds / 3600)} h"


def _play_timed(unit: Unit) -> tuple[Games, float]:
    """A unit's games and how long they took, once everything that they need was loaded."""
    play_unit(replace(unit, deal_ids=unit.deal_ids[:1]))
    start = perf_counter()
    games = play_unit(unit)
    return games, perf_counter() - start
