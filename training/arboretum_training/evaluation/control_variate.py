"""A control variate: takes the luck of the draws out of a result, as far as it can be told.

The values of the deals are regressed on the luck of their draws (``draw_luck``), whose expectation
is known to be zero, and what luck explains is subtracted. Each deal is corrected with coefficients
that were fitted on other deals alone (cross-fitting), so that the correction of a deal has the
expectation zero too: the result is unbiased, whether the luck explains much or nothing.

Source: Burch, Schmid, Moravcik, Morrill and Bowling, AIVAT: A new variance reduction technique for
agent evaluation in imperfect information games (2018), here with the terms of chance events only,
since bots do not tell how likely each of their moves was; Glynn and Szechtman, Some new
perspectives on the method of control variates (2002).

``D`` denotes deals, ``G`` games, ``P`` players, ``J`` functions of ``draw_luck``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_training.evaluation.deal_values import deal_means, margins, win_shares_of
from arboretum_training.evaluation.draw_luck import NUM_LUCKS, draw_luck
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.evaluate import (
    AgentFactory,
    EvaluationResult,
    Games,
    Unit,
    concatenate,
    plan_units,
    play_match_of,
)
from arboretum_training.evaluation.executor import Progress, Workers, run_units
from arboretum_training.evaluation.statistics import RESAMPLES, Interval, bootstrap_interval

MIN_DEALS: Final = 80 * NUM_LUCKS
"""With fewer deals the coefficients are so unsure that they may add more variance than they take
away; the result would be unbiased all the same."""

FOLDS: Final = 10


@dataclass(frozen=True)
class Controlled:
    """One figure with the luck of the draws taken out.

    Attributes:
        value: the estimate.
        ci95: its 95 % interval, by the bootstrap over deals.
        variance_reduction: by which share the variance of a deal's value fell; negative where the
            luck explained nothing.
    """

    value: float
    ci95: Interval
    variance_reduction: float


@dataclass(frozen=True)
class ControlledSummary:
    """The first agent's figures with the luck of the draws taken out."""

    win_rate: Controlled
    margin: Controlled

    def to_json(self) -> dict[str, Any]:
        """The part ``control_variate`` of a report."""
        return {
            name: {**vars(figure), "ci95": list(figure.ci95)} for name, figure in vars(self).items()
        }


def evaluate_with_luck(
    agents: Sequence[str | AgentFactory],
    config: GameConfig,
    *,
    deals: int,
    seed: int,
    mode: Mode = "sample",
    workers: Workers = 1,
    progress: Progress | None = None,
) -> tuple[EvaluationResult, ControlledSummary]:
    """``evaluate`` of two agents, and its figures with the luck of the draws taken out.

    Arguments and errors are those of ``evaluate``; the games are the same.

    Raises:
        EvaluationError: not two agents, or fewer than ``MIN_DEALS`` deals.
    """
    if len(agents) != 2:
        raise EvaluationError(f"{len(agents)} agents: expected 2 for a control variate")
    if deals < MIN_DEALS:
        raise EvaluationError(
            f"{deals} deals: expected at least {MIN_DEALS} for a control variate, which is fitted "
            "to them"
        )
    units = plan_units(agents, config, deals=deals, seed=seed, mode=mode)
    played = run_units(play_unit_with_luck, units, workers, progress)
    games = concatenate([part for part, _ in played])
    luck = luck_of_deals(games, np.concatenate([part for _, part in played]), deals)
    result = EvaluationResult(units[0].names, config, seed, mode, deals, games)
    return result, ControlledSummary(
        win_rate=control(win_shares_of(games, 0, deals), luck, seed),
        margin=control(margins(games, deals), luck, seed),
    )


def play_unit_with_luck(unit: Unit) -> tuple[Games, NDArray[np.float64]]:
    """A unit's games, and the [G, P, J] luck of its draws."""
    games, match = play_match_of(unit, keep_actions=True)
    return games, draw_luck(match)


def luck_of_deals(games: Games, luck: NDArray[np.float64], deals: int) -> NDArray[np.float64]:
    """[D, J] how much luckier the first agent was than the mean of the others, a game.

    Args:
        games: G games, all of them with the first agent in one seat.
        luck: [G, P, J] of every seat.
        deals: D.
    """
    own = (games.seating == 0)[:, :, None]
    rivals = luck.shape[1] - 1
    ahead = np.where(own, luck, 0.0).sum(axis=1) - np.where(own, 0.0, luck).sum(axis=1) / rivals
    return np.column_stack([deal_means(column, deals) for column in ahead.T])


def control(
    deal_values: ArrayLike, luck: NDArray[np.float64], seed: int, resamples: int = RESAMPLES
) -> Controlled:
    """The mean of some deals' values without the luck of their draws.

    Args:
        deal_values: [D] one number a deal.
        luck: [D, J] of the deals; every column has the expectation zero.
        seed: of the bootstrap.
        resamples: of the bootstrap.
    """
    values = np.asarray(deal_values, np.float64)
    cleared = without_luck(values, luck)
    interval = bootstrap_interval(cleared, seed, resamples=resamples)
    assert interval is not None  # there are MIN_DEALS
    spread = float(values.var())
    return Controlled(
        value=float(cleared.mean()),
        ci95=interval,
        variance_reduction=1.0 - float(cleared.var()) / spread if spread else 0.0,
    )


def without_luck(
    values: NDArray[np.float64], luck: NDArray[np.float64], folds: int = FOLDS
) -> NDArray[np.float64]:
    """[D] values less what luck explains, by least squares on the deals of the other folds.

    Deal d is in fold ``d % folds``. A column without any variation explains nothing.
    """
    fold = np.arange(len(values)) % folds
    cleared = np.empty(len(values))
    for left_out in range(folds):
        fitted = fold != left_out
        centred = luck[fitted] - luck[fitted].mean(axis=0)
        weights = np.linalg.lstsq(centred, values[fitted] - values[fitted].mean())[0]
        cleared[~fitted] = values[~fitted] - luck[~fitted] @ weights
    return cleared


def controlled_text(name: str, controlled: ControlledSummary) -> str:
    """Two lines for people."""
    wins, margin = controlled.win_rate, controlled.margin
    return (
        f"{name} without the luck of the draws: win % {100 * wins.value:.1f} "
        f"({100 * wins.ci95.low:.1f}..{100 * wins.ci95.high:.1f}), "
        f"variance {-100 * wins.variance_reduction:+.1f} %;\n"
        f"margin {margin.value:+.2f} ({margin.ci95.low:+.2f}..{margin.ci95.high:+.2f}), "
        f"variance {-100 * margin.variance_reduction:+.1f} %"
    )
