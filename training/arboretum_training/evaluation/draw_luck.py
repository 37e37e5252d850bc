"""How lucky every card drawn from the deck was, for a control variate.

Given everything that happened before, the next card of the deck is equally likely to be any card
left in it. So what a fixed function says of the card that came, less its mean over all cards that
could have come, is zero on average, whatever the function and whoever plays: luck, and nothing
else. The functions look at the full record of a finished game, as no player may.

The deal itself needs no such term: over the seat rotations of a deal each agent held each hand.

``G`` denotes games, ``P`` players, ``C`` cards in play, ``J`` functions.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine import layout
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.features.outlook import outlook
from arboretum_env.match import MatchResult
from arboretum_env.view import redact

LUCK_NAMES: Final = ("gain", "denied_gain", "right", "denied_right")
"""What is said of a card that a seat draws.

``gain``: points that planting it would add to the seat's paths now; ``denied_gain``: the most that
it would add to a rival's. ``right``: how much nearer its rank in hand brings the seat to the right
to score its species, times its path of that species; ``denied_right``: the same, times the best of
the rivals' paths. Each of them also times the share of the deck that is left.
"""

NUM_LUCKS: Final = 2 * len(LUCK_NAMES)
"""J."""

_CLOSE_RACE: Final = 3.0  # ranks of a lead after which more of it matters little


def draw_luck(match: MatchResult) -> NDArray[np.float64]:
    """[G, P, J] luck of every seat in every game, summed over its draws from the deck.

    Args:
        match: played with ``keep_actions``.

    Raises:
        ValueError: played without.
    """
    if match.actions is None:
        raise ValueError("the match kept no actions: play it with keep_actions=True")
    games = match.initial.clone()
    config = games.config
    index = np.arange(len(games))
    luck = np.zeros((len(games), config.num_players, NUM_LUCKS))
    for actions in match.actions.astype(np.int64):
        going = actions[index] >= 0  # a forfeited game stops where it stands
        if not going.all():
            games, index = games.select(going), index[going]
        taken = actions[index]
        (drawing,) = (taken == 0).nonzero()
        if len(drawing):
            some = games.select(drawing)
            luck[index[drawing], some.mover] += _luck_of_next_card(some)
        apply_action(games, taken)
    return luck


def _luck_of_next_card(games: GameState) -> NDArray[np.float64]:
    """[B, J] what is said of the next card of the deck, less its mean over the deck."""
    config = games.config
    rows = np.arange(len(games))
    said = _said_of_cards(games)  # [B, C, J / 2]
    position = np.arange(config.deck_size)
    drawn = games.rows["drawn"].astype(np.int64)
    left = position >= drawn[:, None]
    deck = games.rows["deck"].astype(np.int64)
    in_deck = np.zeros((len(games), config.num_cards))
    in_deck[np.broadcast_to(rows[:, None], deck.shape)[left], deck[left]] = 1.0
    in_deck /= in_deck.sum(axis=1, keepdims=True)
    luck = said[rows, deck[rows, drawn]] - np.einsum("bc,bcj->bj", in_deck, said)
    share_left = (config.deck_size - drawn) / config.deck_size
    return np.concatenate([luck, luck * share_left[:, None]], axis=1)


def _said_of_cards(games: GameState) -> NDArray[np.float64]:
    """[B, C, J / 2] ``LUCK_NAMES`` of every card, for the seat to move."""
    config = games.config
    players, ranks, batch = config.num_players, config.num_ranks, len(games)
    mover = games.mover.astype(np.int64)
    standing = outlook(redact(games, mover))
    rank = np.arange(config.num_cards) % ranks + 1.0
    # Seats count from the mover. All hands are open here.
    hands = (games.rows["place"] & ~np.uint8(layout.KNOWN_BIT)).astype(np.int64) - layout.IN_HAND
    seats = (mover[:, None] + np.arange(players)) % players
    held = (hands[:, None, :] == seats[:, :, None]) * rank
    sums = held.reshape(batch, players, config.num_species, ranks).sum(axis=3)
    lead = (sums[:, 0] - sums[:, 1:].max(axis=1)).repeat(ranks, axis=1)
    nearer = np.tanh((lead + rank) / _CLOSE_RACE) - np.tanh(lead / _CLOSE_RACE)
    best = standing.best.repeat(ranks, axis=2)
    return np.stack(
        [
            standing.total_gain[:, 0],
            standing.total_gain[:, 1:].max(axis=1),
            nearer * best[:, 0],
            nearer * best[:, 1:].max(axis=1),
        ],
        axis=2,
    )
