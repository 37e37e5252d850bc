"""Endgames, exactly: expectimax over every deal that is consistent with what the seat knows.

When few cards are unseen, every way to deal them to the rivals' hands and the deck's order is gone
through. The seat may play anything, as long as it plays alike wherever it has seen alike: positions
of different deals that it cannot tell apart form one information set and get one move. Rivals move
as the policy does, which makes the result the seat's best response to that policy from here on.

The tree is walked level by level, a level being one decision of the seat; a level is a batch of
games, each with its deal's weight and its information set.
"""

from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.search.beliefs import hand_log_odds
from arboretum_agents.search.rollouts import play_until, worth
from arboretum_env.actions import action_slices, num_actions
from arboretum_env.agent import Agent
from arboretum_env.compile import kernel
from arboretum_env.determinize import determinize
from arboretum_env.engine.layout import IN_DECK, IN_HAND
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.features.placements import placements
from arboretum_env.observation import observe
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews, redact

_PLACE: Final = int(Phase.PLACE)


@dataclass(frozen=True)
class ExactValues:
    """What every action is worth if everything is played out to the end.

    Attributes:
        actions: [n] the legal actions; cells that no sensible player would choose may be left out.
        values: [n] expected worth to the seat.
        deals: consistent deals that were gone through.
    """

    actions: NDArray[np.int64]
    values: NDArray[np.float64]
    deals: int


@dataclass(frozen=True)
class _Level:
    """One decision of the seat: ``m`` positions and their ``n`` children.

    Attributes:
        infoset: [m] which positions the seat cannot tell apart.
        weight: [m] how likely each position's deal is.
        parent: [n] position that a child comes from.
        action: [n] by which action.
        value: [n] what the child is worth if it is over, else 0.
        open: [n] whether it goes on: those children are the positions of the next level.
    """

    infoset: NDArray[np.int64]
    weight: NDArray[np.float64]
    parent: NDArray[np.int64]
    action: NDArray[np.int64]
    value: NDArray[np.float64]
    open: NDArray[np.bool_]


def count_deals(world: GameState, seat: int) -> int:
    """How many deals are consistent with what a seat knows: hands are sets, the deck is a list."""
    config, place = world.config, world.rows["place"][0]
    slots = [
        int((place == IN_HAND + rival).sum())
        for rival in range(config.num_players)
        if rival != seat
    ]
    unseen = int(world.deck_left[0]) + sum(slots)
    return factorial(unseen) // prod(factorial(count) for count in slots)


def consistent_deals(world: GameState, seat: int) -> GameState:
    """Every deal that looks to a seat as one of them does.

    Args:
        world: one game.
        seat: the observer.

    Returns:
        [``count_deals``] games.
    """
    place = world.rows["place"][0]
    rivals = [k for k in range(world.config.num_players) if k != seat]
    slots = [(IN_HAND + k, int((place == IN_HAND + k).sum())) for k in rivals]
    first = int(world.rows["drawn"][0])
    unseen = [int(card) for card in np.flatnonzero(np.isin(place, [IN_DECK, *dict(slots)]))]
    hands: list[list[tuple[int, tuple[int, ...]]]] = [[]]
    for held, size in slots:
        hands = [
            [*dealt, (held, cards)]
            for dealt in hands
            for cards in combinations(
                [card for card in unseen if all(card not in other for _, other in dealt)], size
            )
        ]
    places, decks = [], []
    for dealt in hands:
        new = place.copy()
        new[unseen] = IN_DECK
        for held, cards in dealt:
            new[list(cards)] = held
        left = [card for card in unseen if new[card] == IN_DECK]
        for order in permutations(left):
            places.append(new)
            decks.append(order)
    deals = world.select(np.zeros(len(places), np.int64))
    deals.rows["place"] = places
    deals.rows["deck"][:, first:] = np.array(decks, np.uint8).reshape(len(decks), -1)
    return deals


@kernel
def _undominated(offsets, gains, keep):  # type: ignore[no-untyped-def]
    """Marks placements whose gains no other one of the view reaches everywhere."""
    for b in range(offsets.shape[0] - 1):
        for i in range(offsets[b], offsets[b + 1]):
            keep[i] = True
            for j in range(offsets[b], offsets[b + 1]):
                if j == i or not keep[i]:
                    continue
                reached, more = True, False
                for s in range(gains.shape[1]):
                    reached &= gains[j, s] >= gains[i, s]
                    more |= gains[j, s] > gains[i, s]
                if reached and (more or j < i):
                    keep[i] = False


def _sensible(games: GameState, seat: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(positions, actions): what is legal, without cells that lose for certain.

    With the deck empty nothing more is planted, so a cell only adds points to paths; one that adds
    no more than another to any species is no better in any deal.
    """
    masks = legal_action_mask(games)
    last = np.flatnonzero((games.phase == _PLACE) & (games.deck_left == 0))
    if len(last):
        options = placements(redact(games.select(last), seat))
        keep = np.empty(len(options.cell), np.bool_)
        _undominated(options.offsets, options.gain, keep)
        view = np.repeat(np.arange(len(last)), options.counts)
        masks[last] = False
        cells = options.cell + action_slices(games.config)["place_cell"].start
        masks[last[view[keep]], cells[keep]] = True
    rows, actions = np.nonzero(masks)
    return rows, actions


def _infosets(
    games: GameState, seat: int, before: NDArray[np.int64], actions: NDArray[np.int64]
) -> NDArray[np.int64]:
    """[m] numbers positions alike that the seat cannot tell apart: same past, same sight."""
    seen = observe(games, seat)
    past = np.stack([before, actions], axis=1).view(np.int8).reshape(len(games), 16)
    _, numbers = np.unique(np.concatenate([past, seen], axis=1), axis=0, return_inverse=True)
    return np.asarray(numbers, np.int64).reshape(-1)


def _expected(
    level: _Level, values: NDArray[np.float64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """(information set, action, what it is worth times how likely it is) of every choice.

    Args:
        level: the decision.
        values: [n] of its children.
        size: A.
    """
    choices, which = np.unique(
        level.infoset[level.parent] * size + level.action, return_inverse=True
    )
    sums = np.bincount(which.reshape(-1), level.weight[level.parent] * values)
    return choices // size, choices % size, sums.astype(np.float64)


def _choose(level: _Level, values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """[m] what every position is worth if its information set's best action is taken."""
    infosets, actions, sums = _expected(level, values, size)
    order = np.lexsort((actions, -sums, infosets))
    first = np.unique(infosets[order], return_index=True)[1]
    best = np.empty(int(infosets.max()) + 1, np.int64)
    best[infosets[order][first]] = actions[order][first]
    chosen = level.action == best[level.infoset[level.parent]]
    worths = np.empty(len(level.infoset))
    worths[level.parent[chosen]] = values[chosen]
    return worths


def solve(
    view: PlayerViews,
    policy: Agent,
    *,
    log_odds: NDArray[np.float64],
    margin_share: float,
    limit: int,
) -> ExactValues | None:
    """Goes through everything that can follow, if that is little enough.

    Args:
        view: one view of the seat that is to move.
        policy: moves for the rivals; it has been reset.
        log_odds: [P - 1, C] how likely each deal is, see ``beliefs.Beliefs``; zeros: all alike.
        margin_share: see ``rollouts.worth``.
        limit: give up beyond so many positions.

    Returns:
        The values, or None if there are more positions than ``limit``.
    """
    seat, size = int(view.seat[0]), num_actions(view.config)
    world = determinize(view, np.zeros(1, np.uint64))
    if count_deals(world, seat) > limit:
        return None
    games = consistent_deals(world, seat)
    deals = len(games)
    weight = np.exp(hand_log_odds(games, seat, log_odds))
    weight /= weight.sum()
    ids = np.arange(deals, dtype=np.uint64)
    infoset = np.zeros(deals, np.int64)
    levels: list[_Level] = []
    positions = 0
    while len(games):
        parent, action = _sensible(games, seat)
        positions += len(parent)
        if positions > limit:
            return None
        children = games.select(parent)
        apply_action(children, action)
        play_until(children, policy, ids[parent], seat)
        going = ~children.done
        value = np.where(going, 0.0, worth(children, margin_share)[:, seat])
        levels.append(_Level(infoset, weight, parent, action, value, going))
        games, ids, weight = children.select(going), ids[parent[going]], weight[parent[going]]
        infoset = _infosets(games, seat, infoset[parent[going]], action[going])
    below = np.empty(0)
    for level in levels[:0:-1]:
        level.value[level.open] = below
        below = _choose(level, level.value, size)
    root = levels[0]
    root.value[root.open] = below
    _, actions, values = _expected(root, root.value, size)
    return ExactValues(actions, values, deals)
