"""The planner: expects, weighs and denies.

It plays for the score that it may expect: its paths times its chances of the right to score, from
the unseen cards and what is publicly known to be in hands, minus what rivals may expect of theirs.
So it holds ranks that secure its own paths or take rivals' away, plants where the gain outweighs
what the hand loses, discards what neither it nor a rival can use, and draws from the deck, which
brings the end nearer, when it is ahead. It looks one decision ahead.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.bots.planner_kernels import (
    Desk,
    Sizes,
    appraise,
    discard_cost,
    lead,
    placement_value,
    value_draws,
)
from arboretum_agents.bots.planner_weights import TUNED, UNTUNED, PlannerWeights
from arboretum_agents.registry import AgentSpecError, Mode
from arboretum_env.actions import num_actions
from arboretum_env.agent import check_movers, decision_uniforms, sample_rows
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

MAX_DIAL: Final = 100.0
"""Of denial and tempo, in either direction: beyond, nothing else would count."""

MAX_TEMPERATURE: Final = 1000.0
"""In points; moves are all but equally likely by then."""

TEMPO_STEP: Final = 0.1
"""Points that a draw from the deck is worth more, for every point ahead, by a step of the dial."""


@kernel
def _desk(memory, counts):  # type: ignore[no-untyped-def]
    """A ``Desk`` within [14, n] float64 and [n] int64."""
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
def _value_discards(seen, num_cards, gain, left, weights, desk, values):  # type: ignore[no-untyped-def]
    """Fills the values of letting go of each hand card.

    Returns:
        (the card that costs least, its cost, the cost of the next; the latter 0 without a next).
    """
    worst, least, second = -1, np.inf, np.inf
    for card in range(num_cards):
        place = np.int64(seen[4 * card])
        if place in (_OWN_HAND, _OWN_KNOWN):
            cost = discard_cost(card, gain, left, weights, desk)
            values[card] = -cost
            if cost < least:
                worst, least, second = card, cost, least
            elif cost < second:
                second = cost
    return worst, least, second if second < np.inf else 0.0


@kernel
def _value_placements(  # type: ignore[no-untyped-def]
    start, stop, cards, gains, features, discards, left, sizes, weights, desk, worths
):
    """Fills the value of every placement, what then is best discarded taken into account."""
    worst, least, second = discards
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
        worths[i] = value - (second if cards[i] == worst else least)


@kernel
def _value_cards_to_play(start, stop, cards, worths, temperature, values):  # type: ignore[no-untyped-def]
    """Fills the value of playing each card: that of its best cell.

    At a temperature T it is T log sum exp(value / T) over its cells instead, so that the chances of
    the cards are the marginal of those of the placements.
    """
    for i in range(start, stop):
        values[cards[i]] = max(values[cards[i]], worths[i])
    if temperature > 0.0:
        i = start
        while i < stop:  # the placements of a card stand together
            card, total = cards[i], 0.0
            most = values[card]
            while i < stop and cards[i] == card:
                total += np.exp((worths[i] - most) / temperature)
                i += 1
            values[card] = most + temperature * np.log(total)


@kernel
def _value_actions(  # type: ignore[no-untyped-def]
    observations, side, best, gains_of_cards, offsets, cards, cells, gains, features,
    sizes, weights, temperature, logs, memory, counts, worths, values, leads,
):  # fmt: skip
    num_cards = sizes.num_species * sizes.num_ranks
    desk = _desk(memory, counts)
    first_card = 1 + sizes.players
    first_cell = first_card + num_cards
    first_discard = first_cell + side * side
    for rank in range(sizes.num_ranks):
        desk.rank_odds[rank] = np.exp(weights.belief_rank * (rank + 1))
    for b in range(observations.shape[0]):
        seen, row = row_pointer(observations, b), row_pointer(values, b)
        for action in range(first_discard + num_cards):
            row[action] = -np.inf
        gain = row_pointer(gains_of_cards, b)
        left = appraise(seen, row_pointer(best, b), gain, sizes, weights, pointer(logs, 0), desk)
        leads[b] = lead(sizes, desk)
        phase = np.int64(seen[4 * num_cards + 2])
        if phase <= _DRAW_SECOND:
            value_draws(seen, gain, left, sizes, weights, desk, row)
            continue
        discards = _value_discards(
            seen, num_cards, gain, left, weights, desk, pointer(row, first_discard)
        )
        if phase in (_PLAY, _PLACE):
            for action in range(first_discard, first_discard + num_cards):
                row[action] = -np.inf
            start, stop = offsets[b], offsets[b + 1]
            _value_placements(
                start, stop, cards, gains, features, discards, left, sizes, weights, desk,
                pointer(worths, 0),
            )  # fmt: skip
            if phase == _PLAY:
                _value_cards_to_play(
                    start, stop, cards, pointer(worths, 0), temperature, pointer(row, first_card)
                )
            else:
                for i in range(start, stop):
                    row[first_cell + cells[i]] = worths[i]


class PlannerAgent:
    """Plays the planner; see the module.

    Args:
        config: the game.
        denial: how much rivals' points count, as a multiple of the table's weight; below 0 it
            plays into rivals' hands.
        tempo: above 1 it hastens the end more when ahead and puts it off more when behind, below 1
            less; every step of 1 is worth ``TEMPO_STEP``.
        temperature: 0 plays the best move. Else moves are drawn with chances in proportion to
            exp(value / temperature), values in points: the higher, the weaker.
        tuned: the weights tuned for this number of players; else those chosen by hand.
        mode: ``greedy`` is as good as a temperature of 0.

    Raises:
        AgentSpecError: a dial beyond ``MAX_DIAL``, a temperature that is negative or beyond
            ``MAX_TEMPERATURE``, or what is no number.
    """

    def __init__(
        self,
        config: GameConfig,
        denial: float = 1.0,
        tempo: float = 1.0,
        temperature: float = 0.0,
        tuned: bool = True,
        mode: Mode = "sample",
    ) -> None:
        weights = TUNED.get(config.num_players, UNTUNED) if tuned else UNTUNED
        _check("denial", denial, -MAX_DIAL, MAX_DIAL)
        _check("tempo", tempo, -MAX_DIAL, MAX_DIAL)
        _check("temperature", temperature, 0.0, MAX_TEMPERATURE)
        self._set_up(
            config,
            weights._replace(
                deny=denial * weights.deny, tempo=weights.tempo + TEMPO_STEP * (tempo - 1.0)
            ),
            0.0 if mode == "greedy" else temperature,
        )

    @classmethod
    def with_weights(cls, config: GameConfig, weights: PlannerWeights) -> "PlannerAgent":
        """A planner with weights of one's own."""
        agent = cls.__new__(cls)
        agent._set_up(config, weights)
        return agent

    def _set_up(
        self, config: GameConfig, weights: PlannerWeights, temperature: float = 0.0
    ) -> None:
        self.config = config
        self.weights = weights
        self.temperature = temperature
        self._seed = 0
        self._sizes = Sizes(
            config.num_players, config.num_species, config.num_ranks, config.hand_size,
            config.deck_size, config.cancel_eights, config.rights == "all",
        )  # fmt: skip

    @property
    def deterministic(self) -> bool:
        """Whether it draws no random numbers."""
        return self.temperature == 0.0

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Keeps the seed; a temperature draws random numbers from it."""
        self._seed = seed

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """Chooses an action for every view.

        Raises:
            ValueError: a view of an idle seat or a finished game, which has nothing to decide.
        """
        if self.temperature == 0.0:
            values, _ = self._values(views)
            return np.asarray(values.argmax(axis=1), np.int64)
        probabilities, _ = self.policy(views)
        return sample_rows(probabilities, decision_uniforms(self._seed, views))

    def action_values(self, views: PlayerViews) -> NDArray[np.float64]:
        """[B, A] what it thinks of every action, in points up to a constant; -inf if illegal.

        A card to be played is worth its best cell; at a temperature, their soft maximum.
        """
        values, _ = self._values(views)
        return values

    def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """([B, A] chances of its actions; [B] its expected lead, squashed to (-1, 1))."""
        values, leads = self._values(views)
        values -= values.max(axis=1, keepdims=True)
        if self.temperature == 0.0:
            chances = np.zeros(values.shape, np.float32)
            chances[np.arange(len(values)), values.argmax(axis=1)] = 1.0
        else:
            with np.errstate(over="ignore"):  # far behind at a tiny temperature: no chance
                odds = np.exp(values / self.temperature)
            chances = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
        return chances, np.tanh(leads / 20.0).astype(np.float32)

    def _values(self, views: PlayerViews) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """([B, A] values, [B] expected leads in points)."""
        check_movers(views)
        config, batch = self.config, len(views)
        standing = outlook(views)
        options = placements(views)
        values, leads = np.empty((batch, num_actions(config))), np.empty(batch)
        # Rows hold the largest of: worth tables, cards, stakes, and the memory of the rights.
        width = max(config.num_species * SUMS, RIGHTS_MEMORY)
        _value_actions(
            views.observation.view(np.uint8), config.side,
            standing.best.reshape(batch, config.num_players * config.num_species),
            standing.total_gain.reshape(batch, config.num_players * config.num_cards),
            options.offsets, options.card, options.cell, options.gain, options.features,
            self._sizes, self.weights, self.temperature, LOG_FACTORIAL,
            np.empty((_DESK_ROWS, width)), np.empty(COUNTS_MEMORY, np.int64),
            np.empty(max(1, len(options.card))), values, leads,
        )  # fmt: skip
        return values, leads


def _check(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:  # NaN is neither
        raise AgentSpecError(f"planner: {name}={value}: expected {least:g}..{most:g}")
