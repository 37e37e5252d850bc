"""Plays a sequential test: work unit after work unit, until the evidence suffices.

Units are weighed in the order of their deals, whoever finishes first, and what was played beyond
the stopping point is thrown away: the number of workers changes the time and nothing else. The
deals that were played are the first ones of the seed, so ``evaluate`` with that many plays the same
games again.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_training.evaluation.deal_values import win_shares_of
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.evaluate import (
    AgentFactory,
    EvaluationResult,
    Games,
    concatenate,
    plan_units,
    play_unit,
)
from arboretum_training.evaluation.executor import Workers, iterate_units
from arboretum_training.evaluation.sprt import SequentialTest, SprtSettings, Verdict

Watcher = Callable[[int, float], None]
"""Called with (deals played, LLR) after every work unit."""


@dataclass(frozen=True)
class SequentialResult:
    """How a sequential test ended.

    Attributes:
        result: the games that were weighed.
        settings: of the test.
        llr: logarithm of the likelihood ratio of H1 and H0.
        verdict: the hypothesis that was accepted; "undecided" after ``max_deals`` or Ctrl-C.
        interrupted: whether it was Ctrl-C.
    """

    result: EvaluationResult
    settings: SprtSettings
    llr: float
    verdict: Verdict
    interrupted: bool


def evaluate_sequentially(
    agents: Sequence[str | AgentFactory],
    config: GameConfig,
    settings: SprtSettings,
    *,
    max_deals: int,
    seed: int,
    mode: Mode = "sample",
    workers: Workers = 1,
    watch: Watcher | None = None,
) -> SequentialResult:
    """Plays two agents against each other until one hypothesis is accepted.

    Args:
        agents: two; the strength of the first one against the second is in question.
        config: the game.
        settings: of the test.
        max_deals: where it ends undecided.
        seed: of the deals and of the agents' own randomness.
        mode: see ``registry.Mode``.
        workers: where units are computed, see ``executor.Workers``.
        watch: see ``Watcher``.

    Returns:
        The result; after Ctrl-C that of the units weighed by then.

    Raises:
        EvaluationError: not two agents, or what ``evaluate`` refuses.
        KeyboardInterrupt: Ctrl-C before the first unit was weighed.
    """
    if len(agents) != 2:
        raise EvaluationError(f"{len(agents)} agents: expected 2 for a sequential test")
    units = plan_units(agents, config, deals=max_deals, seed=seed, mode=mode)
    test = SequentialTest(settings, config.num_players)
    interrupted = False
    played: list[Games] = []
    try:
        with closing(iterate_units(play_unit, units, workers)) as results:
            for unit, games in zip(units, results, strict=True):
                played.append(games)
                verdict = test.add(win_shares_of(games, 0, len(unit.deal_ids)))
                if watch is not None:
                    watch(int(unit.deal_ids[-1]) + 1, test.llr)
                if verdict != "undecided":
                    break
    except KeyboardInterrupt:
        if not played:
            raise
        interrupted = True
    games = concatenate(played)
    deals = len(np.unique(games.deal_id))
    # Weighed anew: Ctrl-C may have come between any two of the lines above.
    final = SequentialTest(settings, config.num_players)
    verdict = final.add(win_shares_of(games, 0, deals))
    result = EvaluationResult(units[0].names, config, seed, mode, deals, games)
    return SequentialResult(result, settings, final.llr, verdict, interrupted)
