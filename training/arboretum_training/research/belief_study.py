"""Ways to believe, measured on the same positions of games between agents.

Of every game the seat of the first agent is looked at, whose turns alternate with everybody's: one
position a turn, before it chooses the card to plant. Every way to believe says of every unseen card
how likely it is in which hand, and is scored against where it is (``calibration``).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.evaluation.duplicate import schedule
from arboretum_training.evaluation.statistics import bootstrap_interval
from arboretum_training.research.belief import BeliefModel, true_places
from arboretum_training.research.calibration import (
    card_losses,
    deal_means,
    mean_with_interval,
    reliability,
)
from arboretum_training.research.particle_belief import ParticleBelief
from arboretum_training.research.particles import BeliefCollapseError
from arboretum_training.research.positions import decisions_of

BASELINE = "uniform"


@dataclass
class Scored:
    """What one way to believe said, ``n`` unseen cards of all positions.

    Attributes:
        log_losses: [n] nats.
        briers: [n].
        chances: of every card and rival, that the rival holds it.
        held: whether it does.
        sizes: effective sample sizes, of particles.
    """

    log_losses: list[NDArray[np.float64]] = field(default_factory=list)
    briers: list[NDArray[np.float64]] = field(default_factory=list)
    chances: list[NDArray[np.float64]] = field(default_factory=list)
    held: list[NDArray[np.bool_]] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)


@dataclass
class Study:
    """The scores of several ways to believe, on the same positions.

    Attributes:
        scored: by name.
        deals: a number a position: which deal it is of.
        counts: a number a position: how many unseen cards.
        collapsed: positions that are left out, since a belief had collapsed.
        games: how many were looked at.
    """

    scored: dict[str, Scored]
    deals: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    collapsed: int = 0
    games: int = 0

    def to_json(self) -> dict[str, Any]:
        """Losses with intervals over deals, gains over the baseline, calibration curves."""
        deals = np.repeat(self.deals, self.counts)
        return {
            "games": self.games,
            "deals": len(set(self.deals)),
            "positions": len(self.deals),
            "cards": len(deals),
            "collapsed_positions": self.collapsed,
            "beliefs": {name: self._scores(name, deals) for name in self.scored},
        }

    def _scores(self, name: str, deals: NDArray[np.int64]) -> dict[str, Any]:
        scored, base = self.scored[name], self.scored[BASELINE]
        answer: dict[str, Any] = {}
        for key, attribute in (("log_loss", "log_losses"), ("brier", "briers")):
            values = np.concatenate(getattr(scored, attribute))
            mean, interval = mean_with_interval(values, deals)
            gains = deal_means(np.concatenate(getattr(base, attribute)) - values, deals)
            gain = bootstrap_interval(gains, 0)
            answer[key] = {
                "mean": mean,
                "interval": interval and list(interval),
                "gain": float(gains.mean()),
                "gain_interval": gain and list(gain),
            }
        chances, held = np.concatenate(scored.chances), np.concatenate(scored.held)
        rivals = len(chances) // max(1, len(deals))
        bins = reliability(chances, held, np.repeat(deals, rivals))
        answer["calibration"] = [each.to_json() for each in bins]
        if scored.sizes:
            lowest, middle = np.quantile(scored.sizes, (0.05, 0.5))
            answer["effective_sample_size"] = {"median": float(middle), "low_5": float(lowest)}
        return answer


def study_beliefs(
    agents: Sequence[str],
    config: GameConfig,
    models: Mapping[str, BeliefModel],
    *,
    deals: int,
    seed: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Study]:
    """Plays, looks at every game in turn, and yields the study as it grows.

    Args:
        agents: two specs: whose seat is looked at, and who sits in all others.
        config: the game.
        models: by name; one of them is ``BASELINE``.
        deals: each is played once from every seat.
        seed: of the deals and of the agents' randomness.
        progress: told how many games of how many have been looked at.

    Yields:
        The same object again and again, a game richer each time.
    """
    rota = schedule(2, config.num_players, np.arange(deals))
    table = [make_agent(spec, config) for spec in agents]
    for agent in table:
        agent.reset(rota.game_id, seed)
    dealt = deal(config, root_from_seed(seed, Purpose.EVALUATE), rota.deal_id)
    match = play_match(dealt, table, rota.seating, rota.game_id, keep_actions=True)
    study = Study({name: Scored() for name in models})
    total = len(rota.game_id)
    for game in range(total):
        seat = int(np.flatnonzero(rota.seating[game] == 0)[0])
        initial = match.initial.select([game])
        for view, state in decisions_of(initial, match.game_actions(game), seat):
            places = true_places(view, state)
            if not len(places):
                continue
            try:
                beliefs = {name: model.believe(view) for name, model in models.items()}
            except BeliefCollapseError:
                study.collapsed += 1
                continue
            study.deals.append(int(rota.deal_id[game]))
            study.counts.append(len(places))
            for name, belief in beliefs.items():
                _note(study.scored[name], belief.marginals, places)
                if isinstance(belief, ParticleBelief):
                    study.scored[name].sizes.append(belief.effective_size)
        study.games += 1
        progress(game + 1, total)
        yield study


def _note(scored: Scored, marginals: NDArray[np.float64], places: NDArray[np.int8]) -> None:
    logs, briers = card_losses(marginals, places)
    rivals = marginals.shape[1] - 1
    scored.log_losses.append(logs)
    scored.briers.append(briers)
    scored.chances.append(marginals[:, :rivals].ravel())
    scored.held.append((places[:, None] == np.arange(rivals)).ravel())
