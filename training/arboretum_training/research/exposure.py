"""What an action tells an observer, in bits: its posterior before and after.

``p`` is what the observer believes of the assignments of its unseen cards before a rival moves
(``belief``), ``q`` what it believes after it has seen the move and knows with which chance the
rival makes such a move with which hand: ``q(a) = p(a) L(a) / sum of p L``, where ``L(a)`` is the
chance of the move under the rival's policy in the world of ``a``; 0 where the rival lacks the card.
The *exposure* is the divergence of ``q`` from ``p``, ``sum of q log2(q / p)``: 0 for a move that
would be made with any hand. It has two parts that add up:

* ``card_bits``: the card is seen to have been in the hand, ``-log2 p(the rival held it)``,
* ``choice_bits``: what the choice tells of the other cards, the divergence of ``q`` from ``p``
  given that the card was there.

Source: Cover and Thomas, Elements of Information Theory, chapter 2 (2006).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import decode
from arboretum_env.engine.moves import apply_action
from arboretum_env.errors import ViewError
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, redact
from arboretum_training.research.assignments import count_assignments, every_assignment
from arboretum_training.research.belief import rivals_of, rooms, worlds_of
from arboretum_training.research.hidden import hidden_cards
from arboretum_training.research.likelihood import Likelihood
from arboretum_training.research.odds_belief import OddsBelief

SAMPLES: Final = 512

_BIT: Final = log(2.0)  # nats


@dataclass(frozen=True)
class Exposure:
    """What one move told one observer.

    Attributes:
        observer: absolute seat.
        card_bits: see the module.
        choice_bits: see the module.
        entropy_before, entropy_after: of the assignments, in bits; a surprising move may leave an
            observer less sure than it was.
        exact: whether every assignment was gone through; else ``n`` were drawn, whose divergence is
            a little too large, by about (different hands - 1) / 2n nats at most.
        n: how many.
    """

    observer: int
    card_bits: float
    choice_bits: float
    entropy_before: float
    entropy_after: float
    exact: bool
    n: int

    @property
    def bits(self) -> float:
        """The divergence of the posterior after the move from that before."""
        return self.card_bits + self.choice_bits

    def to_json(self) -> dict[str, Any]:
        """For the page and the command."""
        return {
            "observer": self.observer,
            "bits": self.bits,
            "card_bits": self.card_bits,
            "choice_bits": self.choice_bits,
            "entropy_before": self.entropy_before,
            "entropy_after": self.entropy_after,
            "source": "exact" if self.exact else "monte_carlo",
            "n": self.n,
        }


def exposure(
    belief: OddsBelief,
    actions: Sequence[int],
    likelihood: Likelihood,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Exposure:
    """What a rival's move tells.

    Args:
        belief: of the observer, before the move; its view's mover is the rival.
        actions: flat ids of the move: one draw, one discard, or a card and its cell.
        likelihood: how the rival plays, as the observer thinks.
        samples: how many assignments are drawn, and up to how many are gone through.
        seed: of what is drawn.

    Raises:
        ViewError: nobody or the observer itself is to move, the rival is in the middle of a plant,
            or it would never have made the move with any hand.
    """
    view = belief.view
    _check(view)
    config, rng = view.config, np.random.default_rng(seed)
    card = _shown_card(view, actions[0])
    given, card_bits = belief, 0.0
    if card is not None:
        place, row = rivals_of(view).index(view.mover), int(np.searchsorted(belief.unseen, card))
        card_bits = -log(belief.marginals[row, place]) / _BIT
        odds = belief.log_odds.copy()
        odds[row, np.arange(config.num_players) != place] = -np.inf
        given = OddsBelief(view, odds)
    exact = count_assignments(rooms(view)) <= samples
    places = every_assignment(rooms(view)) if exact else given.sample(samples, rng)
    logs = given.log_joint(places)
    places, logs = places[np.isfinite(logs)], logs[np.isfinite(logs)]
    prior = np.exp(logs) if exact else np.full(len(places), 1.0 / len(places))
    chances = _chances(view, places, actions, likelihood, rng)
    total = float(prior @ chances)
    if not total > 0:
        raise ViewError("a move that the policy would make with no hand: a slip allows for it")
    after = prior * chances / total
    seen = after > 0
    gained = np.log(chances[seen] / total)
    return Exposure(
        observer=view.seat,
        card_bits=card_bits,
        choice_bits=float(after[seen] @ gained) / _BIT,
        entropy_before=entropy(belief) / _BIT,
        entropy_after=-float(after[seen] @ (logs[seen] + gained)) / _BIT,
        exact=exact,
        n=len(places),
    )


def entropy(belief: OddsBelief) -> float:
    """Entropy of the assignments, in nats, from the marginals and the normaliser."""
    marginals = belief.marginals
    weighed = marginals * np.where(marginals > 0, belief.log_odds, 0.0)
    return belief.log_normaliser - float(weighed.sum())


def _check(view: PlayerView) -> None:
    if view.phase is Phase.GAME_OVER or view.mover == view.seat:
        raise ViewError(f"seat {view.mover} is to move: expected a rival of seat {view.seat}")
    if view.phase is Phase.PLACE:
        raise ViewError("the rival has chosen its card: expected the position before the choice")


def _shown_card(view: PlayerView, action: int) -> int | None:
    """The card that a move shows to have been in the hand, unless everybody knew it."""
    decoded = decode(view.config, action)
    if decoded.kind not in ("play_card", "discard_card"):
        return None
    known = decoded.index in view.known_hands[view.mover]
    if not known and decoded.index not in hidden_cards(view).unseen:
        text = view.config.card_text(decoded.index)
        raise ViewError(f"{text} cannot be in the hand of seat {view.mover}")
    return None if known else decoded.index


def _chances(
    view: PlayerView,
    places: NDArray[np.int8],
    actions: Sequence[int],
    likelihood: Likelihood,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """[N] chance of the whole move in each world."""
    games = worlds_of(view, places, rng)
    chances = np.ones(len(games))
    for action in actions:
        ids = np.full(len(games), action)
        chances *= likelihood.chances(redact(games, view.mover), ids)
        apply_action(games, ids)
    return chances
