"""Beliefs by odds: assignments are as likely as the product of their cards' odds.

``P(assignment) = prod of odds[card, its place] / Z`` over the assignments that fill every place.
Odds that are all alike give the uniform posterior, in which an unseen card lies in a place with
chance (room of the place) / (unseen cards). The normaliser Z and the marginals come from a dynamic
programme over the cards, whose state is how many cards each rival still has to get: what it is to
the rest of the cards.

Source: Chen, Dempster and Liu, Weighted finite population sampling to maximize entropy, Biometrika
81 (1994), for one rival and the deck.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.search.beliefs import Beliefs
from arboretum_agents.search.steady import Network, SteadyNetwork
from arboretum_env.errors import ViewError
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_training.research.belief import rooms
from arboretum_training.research.hand_sums import HandSums, exact_sums
from arboretum_training.research.hidden import hidden_cards

_LEAST = 1e-9  # no network is surer than that


@dataclass(frozen=True, eq=False)
class OddsBelief:
    """See the module, and ``belief.Belief``.

    Attributes:
        view: what the seat knows.
        log_odds: [U, P] of every place; a constant for a card changes nothing.

    Raises:
        ViewError: odds of another shape, or under which nothing fills the places.
    """

    view: PlayerView
    log_odds: NDArray[np.float64]

    def __post_init__(self) -> None:
        expected = (len(self.unseen), self.view.config.num_players)
        if self.log_odds.shape != expected:
            raise ViewError(f"log odds of shape {self.log_odds.shape}: expected {list(expected)}")
        if not self._to_go[0][tuple(self.slots)] > 0:
            raise ViewError("odds under which no assignment of the unseen cards is possible")

    @cached_property
    def unseen(self) -> NDArray[np.int64]:
        """[U] card ids, ascending."""
        return np.array(hidden_cards(self.view).unseen, np.int64)

    @cached_property
    def slots(self) -> NDArray[np.int64]:
        """[P - 1] unseen cards that the rivals hold, in the order of places."""
        return rooms(self.view)[:-1]

    @cached_property
    def _odds(self) -> NDArray[np.float64]:
        """[U, P], the largest of each card 1."""
        if not len(self.log_odds):
            return np.ones(self.log_odds.shape)
        odds: NDArray[np.float64] = np.exp(self.log_odds - self.log_odds.max(axis=1, keepdims=True))
        return odds

    @cached_property
    def _to_go(self) -> list[NDArray[np.float64]]:
        """[U + 1] arrays [slots + 1, ...]: weight of cards u.. by cards that rivals have to get."""
        return self._weights(self._odds)

    def _weights(self, odds: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        weights = np.zeros(self.slots + 1)
        weights[(0,) * len(self.slots)] = 1.0
        found = [weights]
        for of_card in odds[::-1]:
            after = of_card[-1] * weights
            for rival, chance in enumerate(of_card[:-1]):
                after += chance * _shifted(weights, rival)
            weights = after
            found.append(weights)
        return found[::-1]

    @cached_property
    def log_normaliser(self) -> float:
        """Log of Z."""
        scale = float(self.log_odds.max(axis=1).sum()) if len(self.log_odds) else 0.0
        return scale + float(np.log(self._to_go[0][tuple(self.slots)]))

    @cached_property
    def marginals(self) -> NDArray[np.float64]:
        """[U, P], see ``Belief``."""
        chances = np.zeros(self.log_odds.shape)
        got = np.zeros(self.slots + 1)
        got[(0,) * len(self.slots)] = 1.0
        everything = tuple(slice(None, None, -1) for _ in self.slots)
        for card, of_card in enumerate(self._odds):
            # Weight of the later cards if the rivals have got so many before and with this one.
            later = self._to_go[card + 1][everything]
            moved = [_shifted(got, rival) for rival in range(len(self.slots))]
            chances[card, -1] = of_card[-1] * (got * later).sum()
            for rival, after in enumerate(moved):
                chances[card, rival] = of_card[rival] * (after * later).sum()
            got = of_card[-1] * got + sum(
                chance * after for chance, after in zip(of_card[:-1], moved, strict=True)
            )
        totals = chances.sum(axis=1, keepdims=True)
        return chances / np.where(totals > 0, totals, 1.0)

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.int8]:
        """[n, U], see ``Belief``: card by card, in proportion to what is left to be done."""
        need = np.tile(self.slots, (n, 1))
        places = np.empty((n, len(self.unseen)), np.int8)
        for card, of_card in enumerate(self._odds):
            later = self._to_go[card + 1]
            weights = np.zeros((n, len(of_card)))
            weights[:, -1] = of_card[-1] * later[tuple(need.T)]
            for rival in range(len(self.slots)):
                rows = np.flatnonzero(need[:, rival] > 0)
                after = need[rows]
                after[:, rival] -= 1
                weights[rows, rival] = of_card[rival] * later[tuple(after.T)]
            thresholds = np.cumsum(weights, axis=1)
            drawn = rng.random(n)[:, None] * thresholds[:, -1:]
            places[:, card] = (thresholds > drawn).argmax(axis=1)
            held = np.flatnonzero(places[:, card] < len(self.slots))
            need[held, places[held, card]] -= 1
        return places

    def log_joint(self, places: NDArray[np.int8]) -> NDArray[np.float64]:
        """[N], see ``Belief``."""
        room = rooms(self.view)
        counts = np.stack([(places == place).sum(axis=1) for place in range(len(room))], axis=1)
        logs = self.log_odds[np.arange(len(self.unseen)), places].sum(axis=1)
        return np.where((counts == room).all(axis=1), logs - self.log_normaliser, -np.inf)

    def hand_sums(self, species: Sequence[int]) -> HandSums:
        """See ``Belief``; exact."""
        return exact_sums(
            self.view,
            self.unseen,
            self._odds,
            lambda others: self._weights(self._odds[others])[0],
            species,
        )


def _shifted(weights: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """The same weights for one card more of a rival."""
    moved = np.zeros_like(weights)
    into: list[slice] = [slice(None)] * weights.ndim
    out = list(into)
    into[axis], out[axis] = slice(1, None), slice(None, -1)
    moved[tuple(into)] = weights[tuple(out)]
    return moved


class UniformModel:
    """Every assignment is as likely as another: the posterior given public knowledge alone."""

    def believe(self, view: PlayerView) -> OddsBelief:
        """See ``BeliefModel``."""
        unseen = len(hidden_cards(view).unseen)
        return OddsBelief(view, np.zeros((unseen, view.config.num_players)))


class FactsModel:
    """Odds by public facts, as a search uses them.

    Args:
        beliefs: e.g. ``fitted_beliefs.FittedBeliefs``.
    """

    def __init__(self, beliefs: Beliefs) -> None:
        self._beliefs = beliefs

    def believe(self, view: PlayerView) -> OddsBelief:
        """See ``BeliefModel``."""
        held = self._beliefs(_views(view))[0][:, list(hidden_cards(view).unseen)]
        return OddsBelief(view, np.concatenate([held, np.zeros((1, held.shape[1]))]).T)


class NetworkModel:
    """A network's belief head, given how many cards every place holds.

    The head speaks of every card by itself; its chances are the cards' odds, so that what is
    believed of all of them fills the places.

    Args:
        network: an agent with a belief head.
    """

    def __init__(self, network: Network) -> None:
        self._network = SteadyNetwork(network)

    def believe(self, view: PlayerView) -> OddsBelief:
        """See ``BeliefModel``.

        Raises:
            ViewError: the seat is not to move; networks were not taught what it believes then.
        """
        if view.mover != view.seat:
            raise ViewError(f"seat {view.seat} is not to move: a network believes at decisions")
        held = self._network.beliefs(_views(view))[0][:, list(hidden_cards(view).unseen)]
        chances = np.concatenate([held, 1.0 - held.sum(axis=0, keepdims=True)]).T
        return OddsBelief(view, np.log(np.maximum(chances, _LEAST)))


def _views(view: PlayerView) -> PlayerViews:
    return PlayerViews(view.config, view.to_observation()[None, :])
