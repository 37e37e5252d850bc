"""The planner: expects, weighs and denies.

It plays for the score that it may expect: its paths times its chances of the right to score, from
the unseen cards and what is publicly known to be in hands, minus what rivals may expect of theirs.
So it holds ranks that secure its own paths or take rivals' away, plants where the gain outweighs
what the hand loses, discards what neither it nor a rival can use, and draws from the deck, which
brings the end nearer, when it is ahead. It looks one decision ahead and is deterministic.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.bots.planner_kernels import (
    Desk,
    Sizes,
    appraise,
    choose_draw,
    discard_cost,
    placement_value,
)
from arboretum_agents.bots.planner_weights import TUNED, UNTUNED, PlannerWeights
from arboretum_agents.registry import Mode
from arboretum_env.agent import check_movers
from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.engine.memory import pointer, row_pointer
from arboretum_env.features.outlook import outlook
from arboretum_env.features.placements import PLACEMENT_FEATURES, placements
from arboretum_env.features.rights import COUNTS_MEMORY, LOG_FACTORIAL, RIGHTS_MEMORY, SUMS
from arboretum_env.observation import Place
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews

_DRAW_SECOND = int(Phase.DRAW_SECOND)
_PLAY = int(Phase.PLAY)
_PLACE = int(Phase.PLACE)
_OWN_HAND = int(Place.OWN_HAND)
_OWN_KNOWN = int(Place.OWN_KNOWN)
_NEW_CELLS, _SAME_LOWER, _SAME_HIGHER, _GAP_BELOW, _GAP_ABOVE = (
    PLACEMENT_FEATURES.index(name)
    for name in ("new_cells", "same_lower", "same_higher", "gap_below", "gap_above")
)
_OWN_BEFORE, _OWN_AFTER, _ANY_BEFORE, _ANY_AFTER = (
    PLACEMENT_FEATURES.index(name)
    for name in ("own_before", "own_after", "any_before", "any_after")
)
_DESK_ROWS: Final = 14


@kernel
def _desk(memory, counts, sizes):  # type: ignore[no-untyped-def]
    """A ``Desk`` within [12, n] float64 and [n] int64."""
    return Desk(
        worth=row_pointer(memory, 0), right=row_pointer(memory, 1),
        hand_sum=row_pointer(memory, 2), cancelled=row_pointer(memory, 3),
        stake=row_pointer(memory, 4), hold=row_pointer(memory, 5),
        offered=row_pointer(memory, 6), planted=row_pointer(memory, 7),
        shed=row_pointer(memory, 8), tilts=row_pointer(memory, 9),
        rank_odds=row_pointer(memory, 10), own=row_pointer(memory, 11),
        rival=row_pointer(memory, 12), memory=row_pointer(memory, 13), counts=pointer(counts, 0),
    )  # fmt: skip


@kernel
def _cheapest(seen, num_cards, gain, left, weights, desk, spared):  # type: ignore[no-untyped-def]
    """(the hand card that is cheapest to discard, its cost), ``spared`` aside; (-1, 0) if none."""
    chosen, least = -1, 0.0
    for card in range(num_cards):
        place = np.int64(seen[4 * card])
        if card != spared and (place in (_OWN_HAND, _OWN_KNOWN)):
            cost = discard_cost(card, gain, left, weights, desk)
            if chosen < 0 or cost < least:
                chosen, least = card, cost
    return chosen, least


@kernel
def _best_placement(  # type: ignore[no-untyped-def]
    seen, start, stop, cards, gains, features, gain, left, sizes, weights, desk
):
    """The row of the placement worth most, what then is best discarded taken into account."""
    num_cards = sizes.num_species * sizes.num_ranks
    worst, least = _cheapest(seen, num_cards, gain, left, weights, desk, -1)
    _, second = _cheapest(seen, num_cards, gain, left, weights, desk, worst)
    chosen, most = -1, 0.0
    for i in range(start, stop):
        f = row_pointer(features, i)
        shape = (
            4.0 * (f[_SAME_LOWER] + f[_SAME_HIGHER]),
            4.0 * f[_NEW_CELLS],
            8.0 * (f[_GAP_BELOW] + f[_GAP_ABOVE]),
            8.0 * (f[_OWN_BEFORE] + f[_OWN_AFTER]),
            8.0 * (f[_ANY_BEFORE] + f[_ANY_AFTER]),
        )
        value = placement_value(cards[i], row_pointer(gains, i), shape, left, sizes, weights, desk)
        value -= second if cards[i] == worst else least
        if chosen < 0 or value > most:
            chosen, most = i, value
    return chosen


@kernel
def _act(  # type: ignore[no-untyped-def]
    observations, side, best, gains_of_cards, offsets, cards, cells, gains, features,
    sizes, weights, logs, memory, counts, actions,
):  # fmt: skip
    num_cards = sizes.num_species * sizes.num_ranks
    desk = _desk(memory, counts, sizes)
    for rank in range(sizes.num_ranks):
        desk.rank_odds[rank] = np.exp(weights.belief_rank * (rank + 1))
    for b in range(observations.shape[0]):
        seen = row_pointer(observations, b)
        gain = row_pointer(gains_of_cards, b)
        left = appraise(seen, row_pointer(best, b), gain, sizes, weights, pointer(logs, 0), desk)
        phase = np.int64(seen[4 * num_cards + 2])
        if phase <= _DRAW_SECOND:
            actions[b] = choose_draw(seen, gain, left, sizes, weights, desk)
        elif phase in (_PLAY, _PLACE):
            chosen = _best_placement(
                seen, offsets[b], offsets[b + 1], cards, gains, features, gain, left,
                sizes, weights, desk,
            )  # fmt: skip
            actions[b] = 1 + sizes.players
            actions[b] += cards[chosen] if phase == _PLAY else num_cards + cells[chosen]
        else:
            card, _ = _cheapest(seen, num_cards, gain, left, weights, desk, -1)
            actions[b] = 1 + sizes.players + num_cards + side * side + card


class PlannerAgent:
    """Plays the planner, alike in either mode; see the module.

    Args:
        config: the game.
        denial: how much rivals' points count, as a multiple of the table's weight.
        tempo: how much being ahead hastens the end, likewise.
        tuned: the weights tuned for this number of players; else those chosen by hand.
    """

    def __init__(
        self,
        config: GameConfig,
        denial: float = 1.0,
        tempo: float = 1.0,
        tuned: bool = True,
        mode: Mode = "sample",
    ) -> None:
        weights = TUNED.get(config.num_players, UNTUNED) if tuned else UNTUNED
        self._set_up(
            config,
            weights._replace(deny=denial * weights.deny, tempo=tempo * weights.tempo),
        )

    @classmethod
    def with_weights(cls, config: GameConfig, weights: PlannerWeights) -> "PlannerAgent":
        """A planner with weights of one's own."""
        agent = cls.__new__(cls)
        agent._set_up(config, weights)
        return agent

    def _set_up(self, config: GameConfig, weights: PlannerWeights) -> None:
        self.config = config
        self.weights = weights
        self._sizes = Sizes(
            config.num_players, config.num_species, config.num_ranks, config.hand_size,
            config.deck_size, config.cancel_eights, config.rights == "all",
        )  # fmt: skip

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Nothing to begin: the bot keeps nothing and draws no random numbers."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """Chooses an action for every view; deterministic.

        Raises:
            ValueError: a view of an idle seat or a finished game, which has nothing to decide.
        """
        check_movers(views)
        batch = len(views)
        standing = outlook(views)
        options = placements(views)
        actions = np.empty(batch, np.int64)
        # Rows hold the largest of: worth tables, cards, stakes, and the memory of the rights.
        width = max(self.config.num_species * SUMS, RIGHTS_MEMORY)
        _act(
            views.observation.view(np.uint8), self.config.side,
            standing.best.reshape(batch, self.config.num_players * self.config.num_species),
            standing.total_gain.reshape(batch, self.config.num_players * self.config.num_cards),
            options.offsets, options.card, options.cell, options.gain, options.features,
            self._sizes, self.weights, LOG_FACTORIAL,
            np.empty((_DESK_ROWS, width)), np.empty(COUNTS_MEMORY, np.int64), actions,
        )  # fmt: skip
        return actions
