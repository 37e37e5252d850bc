"""What weighed deals say of the cards that a seat does not see.

A finite sample gives chance 0 to what it does not contain. So the belief is a mixture: the
particles with their effective sample size for a weight, and the uniform posterior with that of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from arboretum_env.view import PlayerView
from arboretum_training.research.belief import rivals_of
from arboretum_training.research.hand_sums import HandSums, mixed_sums, sums_of_assignments
from arboretum_training.research.hidden import hidden_cards
from arboretum_training.research.odds_belief import OddsBelief, UniformModel

PRIOR: Final = 1.0  # particles that the uniform posterior is worth


@dataclass(frozen=True, eq=False)
class ParticleBelief:
    """See the module, and ``belief.Belief``.

    Attributes:
        view: what the seat knows.
        places: [N, U] an assignment a particle.
        weights: [N], they sum to 1.
        effective_size: the square of the sum of weights by the sum of their squares.
        sizes: effective sample sizes on the way here, before particles were drawn anew.
    """

    view: PlayerView
    places: NDArray[np.int8]
    weights: NDArray[np.float64]
    effective_size: float
    sizes: tuple[float, ...]

    @classmethod
    def of(
        cls,
        view: PlayerView,
        deals: NDArray[np.int64],
        owners: NDArray[np.int64],
        log_weights: NDArray[np.float64],
        sizes: tuple[float, ...],
    ) -> Self:
        """The belief of particles.

        Args:
            view: what the seat knows.
            deals: [N, C] cards in the order of the deal.
            owners: [C] which rival a slot has come to unseen, -1 for none.
            log_weights: [N].
            sizes: see the class.
        """
        unseen = np.array(hidden_cards(view).unseen, np.int64)
        slots = np.argsort(deals, axis=1)[:, unseen]
        place_of_seat = np.full(view.config.num_players + 1, view.config.num_players - 1)
        for place, seat in enumerate(rivals_of(view)):
            place_of_seat[seat] = place
        weights = np.exp(log_weights - log_weights.max())
        weights /= weights.sum()
        return cls(
            view,
            place_of_seat[owners[slots]].astype(np.int8),
            weights,
            float(1.0 / (weights**2).sum()),
            sizes,
        )

    @cached_property
    def _prior(self) -> OddsBelief:
        return UniformModel().believe(self.view)

    @property
    def _share(self) -> float:
        """Of the particles in the mixture."""
        return self.effective_size / (self.effective_size + PRIOR)

    @cached_property
    def marginals(self) -> NDArray[np.float64]:
        """[U, P], see ``Belief``."""
        players = self.view.config.num_players
        there = self.places[:, :, None] == np.arange(players)
        counted: NDArray[np.float64] = np.tensordot(self.weights, there, axes=1)
        return self._share * counted + (1 - self._share) * self._prior.marginals

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.int8]:
        """[n, U], see ``Belief``."""
        drawn = self.places[rng.choice(len(self.weights), n, p=self.weights)]
        others = rng.random(n) >= self._share
        drawn[others] = self._prior.sample(int(others.sum()), rng)
        return drawn

    def log_joint(self, places: NDArray[np.int8]) -> NDArray[np.float64]:
        """[N], see ``Belief``."""
        counted = np.array(
            [self.weights[(self.places == each).all(axis=1)].sum() for each in places]
        )
        prior = np.exp(self._prior.log_joint(places))
        with np.errstate(divide="ignore"):
            logs: NDArray[np.float64] = np.log(self._share * counted + (1 - self._share) * prior)
        return logs

    def hand_sums(self, species: Sequence[int]) -> HandSums:
        """See ``Belief``."""
        unseen = self._prior.unseen
        counted = sums_of_assignments(self.view, unseen, self.places, self.weights, species)
        prior = self._prior.hand_sums(species)
        return mixed_sums([(self._share, counted), (1 - self._share, prior)])
