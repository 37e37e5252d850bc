"""What a seat believes of the cards that it does not see: one interface for all ways to believe.

``U`` denotes unseen cards, ``P`` players, ``N`` samples. An unseen card lies in one of ``P``
*places*: place ``k - 1`` is the hidden part of the hand of the k-th next seat, place ``P - 1`` the
deck. An *assignment* gives every unseen card a place, so that every place gets as many cards as it
has room for. The order of the deck is nobody's to know: it is uniform, whatever is believed.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arboretum_env.determinize import determinize
from arboretum_env.engine.layout import IN_DECK, IN_HAND
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_training.research.hand_sums import HandSums
from arboretum_training.research.hidden import hidden_cards


class Belief(Protocol):
    """A distribution over the assignments of one view's unseen cards."""

    @property
    def view(self) -> PlayerView:
        """What the seat knows."""
        ...

    @property
    def marginals(self) -> NDArray[np.float64]:
        """[U, P] chance of every place of every unseen card, cards ascending; rows sum to 1."""
        ...

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.int8]:
        """[n, U] assignments, independent of each other."""
        ...

    def log_joint(self, places: NDArray[np.int8]) -> NDArray[np.float64]:
        """[N] log of the chances of whole assignments [N, U]; -inf for impossible ones."""
        ...

    def hand_sums(self, species: Sequence[int]) -> HandSums:
        """The joint distribution of all seats' sums in hand of some species."""
        ...


class BeliefModel(Protocol):
    """A way to believe: a function of what a seat knows, and of nothing else."""

    def believe(self, view: PlayerView) -> Belief:
        """What the seat of a view believes.

        Raises:
            ViewError: the view lacks something that the model needs.
        """
        ...


def rivals_of(view: PlayerView) -> tuple[int, ...]:
    """Absolute seats of the rivals in the order of places: the next to move first."""
    players = view.config.num_players
    return tuple((view.seat + k) % players for k in range(1, players))


def rooms(view: PlayerView) -> NDArray[np.int64]:
    """[P] how many unseen cards every place holds."""
    hidden = hidden_cards(view)
    return np.array([*(hidden.slots[seat] for seat in rivals_of(view)), hidden.deck], np.int64)


def true_places(view: PlayerView, state: GameState) -> NDArray[np.int8]:
    """[U] where the unseen cards really are.

    Args:
        view: what the seat knows.
        state: the position itself, a batch of one.
    """
    unseen = np.array(hidden_cards(view).unseen, np.int64)
    places = np.full(len(unseen), view.config.num_players - 1, np.int8)
    for k, seat in enumerate(rivals_of(view)):
        places[np.isin(unseen, state.hand(0, seat))] = k
    return places


def worlds_of(view: PlayerView, places: NDArray[np.int8], rng: np.random.Generator) -> GameState:
    """Games in which the unseen cards lie where assignments put them.

    Args:
        view: what the seat knows.
        places: [N, U] assignments.
        rng: draws the decks' orders, and which card a rival has chosen that is not yet planted.

    Returns:
        N games that look to the seat exactly as the view does.
    """
    one = PlayerViews(view.config, view.to_observation()[None, :])
    games = determinize(one.select(np.zeros(len(places), np.int64)), rng)
    unseen = np.array(hidden_cards(view).unseen, np.int64)
    where = np.array([*(IN_HAND + seat for seat in rivals_of(view)), IN_DECK], np.uint8)
    games.rows["place"][:, unseen] = where[places]
    for row, assignment in enumerate(places):
        left = rng.permutation(unseen[assignment == len(where) - 1])
        deck = games.rows["deck"][row]
        deck[int(games.rows["drawn"][row]) :][: len(left)] = left
    if view.phase is Phase.PLACE and view.mover != view.seat:
        for row in range(len(games)):
            games.rows["chosen"][row] = rng.choice(games.hand(row, view.mover))
    return games
