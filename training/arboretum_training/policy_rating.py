"""The rating of a policy under way, from its measurement against the opponents.

On the scale of the public ladder (docs/ladder.md: `greedy@1` is 1000) where the game is the
ladder's and some opponent stands on it: those opponents' published ratings stand fixed, and the
policy's is the likeliest. Otherwise there is no scale but the run's own: the opponent `greedy`, or
else the first one, is 1000.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from arboretum_training.config import Experiment
from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.evaluation.evaluate import Games
from arboretum_training.evaluation.ladder import published_ratings
from arboretum_training.evaluation.rating import ANCHOR_RATING, Rating, deal_comparisons
from arboretum_training.evaluation.suite import ANCHOR, PLAYERS, game_of
from arboretum_training.evaluation.suite_rating import rate_against

_POLICY: Final = 0


def rate_policy(games: Mapping[str, Games], config: Experiment) -> Rating:
    """The policy's rating.

    Args:
        games: of the policy, agent 0, against each opponent, agent 1; by the opponent's spec, at
            least one. Equally many deals of each.
        config: the experiment.
    """
    known = _known_ratings(list(games), config)
    counts = [deal_comparisons(games[spec], 2) for spec in known]
    ahead = np.stack([count[:, _POLICY, 1] for count in counts], axis=1)
    behind = np.stack([count[:, 1, _POLICY] for count in counts], axis=1)
    return rate_against(ahead, ahead + behind, np.array(list(known.values())), config.seed)


def _known_ratings(specs: list[str], config: Experiment) -> dict[str, float]:
    """Ratings that stand fixed, by spec."""
    pinned = {spec: identify(spec).pinned for spec in specs}
    players = config.game.num_players
    if players in PLAYERS and config.game == game_of(players):
        published = published_ratings(players)
        known = {spec: published[name] for spec, name in pinned.items() if name in published}
        if known:
            return known
    anchor = next((spec for spec, name in pinned.items() if name == ANCHOR), specs[0])
    return {anchor: ANCHOR_RATING}
