"""``search``: plays what a search over sampled worlds finds, see ``docs/tree-search.md``."""

import os
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import (
    AgentSpecError,
    Mode,
    find_entry,
    is_path,
    make_agent,
    parse_spec,
)
from arboretum_agents.search.beliefs import alike
from arboretum_agents.search.budget import Budget
from arboretum_agents.search.endgame import ExactValues, solve
from arboretum_agents.search.fitted_beliefs import FITTED, FittedBeliefs
from arboretum_agents.search.guide import Guide, PolicyGuide
from arboretum_agents.search.ismcts import Search
from arboretum_agents.search.network_guide import PRIOR, NetworkGuide
from arboretum_agents.search.root import Root
from arboretum_agents.search.steady import Network, SteadyNetwork
from arboretum_env.actions import num_actions
from arboretum_env.agent import Agent, check_movers
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews

ROLLOUTS: Final = "planner@1"
MARGIN_SHARE: Final = 0.5  # of what a rollout is worth
ENDGAME_MARGIN_SHARE: Final = 0.1  # exact values have no noise to smooth


@dataclass(frozen=True)
class Decision:
    """What was found for one decision.

    Attributes:
        actions: [n] candidates, or all legal actions of an exact endgame.
        values: [n] what each is worth to the seat, 0..1 (``rollouts.worth``).
        shares: [n] share of the simulations.
        best: index of the chosen action.
        deals: how many deals an exact endgame went through; None: it was searched.
    """

    actions: NDArray[np.int64]
    values: NDArray[np.float64]
    shares: NDArray[np.float64]
    best: int
    deals: int | None

    @property
    def action(self) -> int:
        """The chosen action."""
        return int(self.actions[self.best])

    @property
    def value(self) -> float:
        """What the chosen action is worth."""
        return float(self.values[self.best])


class SearchAgent:
    """Searches every decision.

    Args:
        config: the game.
        simulations: worlds a decision; the same moves on every machine.
        seconds: wall time a decision instead; moves then depend on the machine.
        rollouts: spec of the policy that plays all seats in the search and names candidates.
        policy: spec of a network that guides the search instead, see ``network_guide``.
        depth: with ``policy``, rounds of the table before the network judges.
        prior: with ``policy``, how much less worth a move is thought that is likely an e-th as
            much; 0: all candidates alike.
        endgame: positions that an exact endgame may have; beyond it is searched. 0: never exact.
        beliefs: whether worlds are sampled with what rivals are likely to hold, or with every
            unseen card alike.
        threads: rollouts at once; 0: as many as the machine has cores. Changes no move.

    Raises:
        AgentSpecError, ConfigError: options out of range, or a policy that nothing names.
    """

    def __init__(
        self,
        config: GameConfig,
        simulations: int = 128,
        seconds: float | None = None,
        rollouts: str = ROLLOUTS,
        policy: str | None = None,
        depth: int = 1,
        prior: float = PRIOR,
        endgame: int = 2048,
        beliefs: bool = True,
        threads: int = 1,
        mode: Mode = "sample",
    ) -> None:
        for name, number in (("threads", threads), ("endgame", endgame), ("depth", depth)):
            if number < 0:
                raise AgentSpecError(f"search: {name}={number}: expected 0 or more")
        if not 0.0 <= prior <= 1.0:
            raise AgentSpecError(f"search: prior={prior}: expected 0 to 1")
        self.config = config
        self.budget = Budget(simulations, seconds)
        if policy is not None and rollouts != ROLLOUTS:
            raise AgentSpecError("search: policy and rollouts: expected one of them")
        cores = threads or os.cpu_count() or 1
        self.guide: Guide
        if policy is None:
            player = _playing("rollouts", rollouts, config, mode)
            fitted = FittedBeliefs(FITTED[config.num_players]) if beliefs else alike
            self.guide = PolicyGuide(player, fitted, MARGIN_SHARE, cores)
        else:
            player = _playing("policy", policy, config, mode)
            if not isinstance(player, Network):
                raise AgentSpecError(
                    f"search: policy={policy}: expected a network; for others there is rollouts="
                )
            own = None if beliefs else alike
            self.guide = NetworkGuide(SteadyNetwork(player), own, depth, prior, cores)
        self._endgame = endgame
        self._seed = 0

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Begins new games: keeps the seed and nothing else."""
        self.guide.policy.reset(game_ids, seed)
        self._seed = seed

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """Chooses an action for every view; the same in any batch.

        Raises:
            ValueError: a view of an idle seat or a finished game, which has nothing to decide.
        """
        return np.array([found.action for found in self.decide(views)], np.int64)

    def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """([B, A] shares of the simulations; [B] what the chosen action is worth, -1..1).

        The action that ``act`` takes is the best one found, which has the most simulations or
        shares that rank; an exact endgame is all for one action.
        """
        shares = np.zeros((len(views), num_actions(self.config)), np.float32)
        found = self.decide(views)
        for row, decision in enumerate(found):
            shares[row, decision.actions] = decision.shares
        return shares, np.array([2.0 * decision.value - 1.0 for decision in found], np.float32)

    def decide(self, views: PlayerViews) -> list[Decision]:
        """What was found for every view.

        Raises:
            ValueError: a view of an idle seat or a finished game, which has nothing to decide.
        """
        check_movers(views)
        odds = self.guide.log_odds(views)
        exact = [self._solve(views.select([row]), odds[row]) for row in range(len(views))]
        rows = [row for row, values in enumerate(exact) if values is None]
        search = Search(self.guide, self.budget, self._seed)
        searched = iter(search.run(views.select(rows), odds[rows]) if rows else ())
        return [
            _of_root(next(searched)) if values is None else _of_endgame(values) for values in exact
        ]

    def _solve(self, view: PlayerViews, log_odds: NDArray[np.float64]) -> ExactValues | None:
        return solve(
            view,
            self.guide.policy,
            log_odds=log_odds,
            margin_share=ENDGAME_MARGIN_SHARE,
            limit=self._endgame,
        )


def _playing(option: str, spec: str, config: GameConfig, mode: Mode) -> Agent:
    if not is_path(spec) and find_entry(parse_spec(spec)).outside:
        raise AgentSpecError(f"search: {option}={spec}: expected an agent that plays by itself")
    return make_agent(spec, config, mode=mode)


def _of_root(root: Root) -> Decision:
    visits = np.array([edge.visits for edge in root.edges], np.float64)
    values = np.array([edge.mean if edge.visits else 0.5 for edge in root.edges])
    shares = visits / visits.sum() if visits.any() else np.full(len(visits), 1.0 / len(visits))
    return Decision(np.array(root.actions), values, shares, root.best, None)


def _of_endgame(exact: ExactValues) -> Decision:
    best = int(exact.values.argmax())
    shares = np.zeros(len(exact.values))
    shares[best] = 1.0
    return Decision(exact.actions, exact.values, shares, best, exact.deals)
