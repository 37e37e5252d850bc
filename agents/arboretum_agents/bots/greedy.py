"""The greedy bot: raises its own best paths now and keeps ranks of the species it plants.

It looks one card ahead and at nobody's hand: no thought for rights beyond holding, for denial or
for tempo. It is the first rung above random, and deterministic.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import Mode
from arboretum_env.agent import check_movers
from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.features.outlook import outlook
from arboretum_env.features.placements import PLACEMENT_FEATURES, placements
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews


class GreedyWeights(NamedTuple):
    """What the bot weighs, in points; chosen by hand, not tuned."""

    hold_any: float = 0.05  # a rank held of a species it has not planted
    hold_planted: float = 0.25  # a rank held of a species it has planted
    hold_path: float = 0.04  # more for every point of its path of that species
    same_species: float = 1.2  # a neighbour of the same species in rank order
    gap: float = 0.4  # a rank skipped to the nearest neighbour in order
    new_cells: float = 0.4  # a cell that opens up
    offer: float = 0.5  # what a discard would gain a rival


_WEIGHTS: Final = GreedyWeights()

_DRAW_SECOND = int(Phase.DRAW_SECOND)
_PLAY = int(Phase.PLAY)
_PLACE = int(Phase.PLACE)
_TOTAL, _NEW_CELLS, _SAME_LOWER, _SAME_HIGHER, _GAP_BELOW, _GAP_ABOVE = (
    PLACEMENT_FEATURES.index(name)
    for name in ("total_gain", "new_cells", "same_lower", "same_higher", "gap_below", "gap_above")
)
_UNSEEN: Final = 0
_PILE: Final = 6
_OWN_ARBORETUM: Final = 10


@kernel
def _hold_values(cards, best, num_species, num_ranks, weights, hold):  # type: ignore[no-untyped-def]
    """[C] what keeping each card in hand is worth: its rank, more for a species that is planted."""
    for s in range(num_species):
        planted = False
        for rank in range(num_ranks):
            if cards[s * num_ranks + rank, 0] == _OWN_ARBORETUM:
                planted = True
        unit = weights.hold_planted if planted else weights.hold_any
        unit += weights.hold_path * best[s]
        for rank in range(num_ranks):
            hold[s * num_ranks + rank] = (rank + 1) * unit


@kernel
def _draw(cards, players, deck_size, gain, hold):  # type: ignore[no-untyped-def]
    """Takes the pile top that beats the average unseen card by most, else the deck."""
    unseen = 0
    expected = 0.0
    best_action = 0
    best_value = -1.0
    for card in range(len(hold)):
        value = gain[card] + hold[card]
        if cards[card, 0] == _UNSEEN:
            unseen += 1
            expected += value
        elif _PILE <= cards[card, 0] < _PILE + players and cards[card, 1] == 0:
            if value > best_value:
                best_value = value
                best_action = 1 + cards[card, 0] - _PILE
    if deck_size > 0 and expected >= best_value * unseen:
        return 0
    return best_action


@kernel
def _discard(cards, players, gain, hold, weights):  # type: ignore[no-untyped-def]
    """Lets go of the card worth least to itself plus what it would gain a rival."""
    best_card = -1
    best_value = 0.0
    for card in range(len(hold)):
        if cards[card, 0] == 1 or cards[card, 0] == 2:
            offered = 0
            for k in range(1, players):
                offered = max(offered, gain[k, card])
            value = gain[0, card] + hold[card] + weights.offer * offered
            if best_card < 0 or value < best_value:
                best_card = card
                best_value = value
    return best_card


@kernel
def _act(  # type: ignore[no-untyped-def]
    observations, players, num_species, num_ranks, side, best, gain,
    offsets, card, cell, features, weights, actions,
):  # fmt: skip
    num_cards = num_species * num_ranks
    hold = np.empty(num_cards, np.float64)
    for b in range(observations.shape[0]):
        cards = observations[b, : 4 * num_cards].reshape(num_cards, 4)
        phase = observations[b, 4 * num_cards + 2]
        _hold_values(cards, best[b, 0], num_species, num_ranks, weights, hold)
        if phase <= _DRAW_SECOND:
            deck_size = observations[b, 4 * num_cards + 3]
            actions[b] = _draw(cards, players, deck_size, gain[b, 0], hold)
        elif phase in (_PLAY, _PLACE):
            chosen = -1
            most = 0.0
            for i in range(offsets[b], offsets[b + 1]):
                f = features[i]
                value = (
                    10.0 * f[_TOTAL]
                    + 4.0 * weights.same_species * (f[_SAME_LOWER] + f[_SAME_HIGHER])
                    + 4.0 * weights.new_cells * f[_NEW_CELLS]
                    - 8.0 * weights.gap * (f[_GAP_BELOW] + f[_GAP_ABOVE])
                    - hold[card[i]]
                )
                if chosen < 0 or value > most:
                    chosen = i
                    most = value
            actions[b] = 1 + players
            actions[b] += card[chosen] if phase == _PLAY else num_cards + cell[chosen]
        else:
            start = 1 + players + num_cards + side * side
            actions[b] = start + _discard(cards, players, gain[b], hold, weights)


class GreedyAgent:
    """Plays the greedy bot, alike in either mode; see the module."""

    deterministic: Final = True

    def __init__(self, config: GameConfig, mode: Mode = "sample") -> None:
        self.config = config

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Nothing to begin: the bot keeps nothing and draws no random numbers."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """Chooses an action for every view; deterministic.

        Raises:
            ValueError: a view of an idle seat or a finished game, which has nothing to decide.
        """
        config = self.config
        check_movers(views)
        standing = outlook(views)
        options = placements(views)
        actions = np.empty(len(views), np.int64)
        _act(
            views.observation, config.num_players, config.num_species, config.num_ranks,
            config.side, standing.best, standing.total_gain, options.offsets, options.card,
            options.cell, options.features, _WEIGHTS, actions,
        )  # fmt: skip
        return actions
