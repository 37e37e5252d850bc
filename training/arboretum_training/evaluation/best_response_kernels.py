"""The walk through a game as one seat sees it, with every hidden world that fits; Numba kernels.

A node is what the seat (the *responder*) has seen so far. It holds one row of the engine for every
*world* that fits: who holds which hidden card. A world's weight is its counterfactual reach, the
probability that chance and the other seats bring it about if the responder plays towards it. All
rows of a node look the same to the responder, so it has one choice for all of them: its value is
the best of the sums over the worlds, never a sum of bests, which would be clairvoyance.

Histories that differ only in what nobody remembers are one world: the order of the cards in the
deck, and which of a rival's hidden cards came when. Rivals must therefore act on what is true now
(an observation), not on their past. ``counts`` keeps how many histories a world stands for, so that
the nodes of the whole tree are counted without a visit to each.

The rows of a node are a run ``start:stop`` of the arena; children are laid behind it. ``P`` denotes
players, ``C`` cards, ``A`` actions, ``L`` the length of an observation, ``N`` the arena's rows.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine.layout import (
    CHOSEN,
    DECK,
    DECK_LENGTH,
    DRAWN,
    IN_HAND,
    KNOWN_BIT,
    MOVER,
    NUM_CARDS,
    NUM_PLAYERS,
    NUM_SPECIES,
    PHASE,
    PLACE,
    SIDE,
)
from arboretum_env.engine.moves import apply_one, write_mask
from arboretum_env.engine.scoring import score_memory, score_rows
from arboretum_env.observation import write_observation
from arboretum_env.phase import Phase
from arboretum_training.evaluation.policy_book import find, hash_of, note

_DRAW_SECOND = int(Phase.DRAW_SECOND)
_PLAY = int(Phase.PLAY)
_PLACE_PHASE = int(Phase.PLACE)
_DISCARD = int(Phase.DISCARD)
_GAME_OVER = int(Phase.GAME_OVER)
_NOT_KNOWN = 0xFF - KNOWN_BIT
_ANY = -1

HOLDER_BITS: Final = 3  # of a world's key, for every card: 0, or 1 + the seat that holds it
MAX_KEY_CARDS: Final = 64 // HOLDER_BITS

# What is counted, an index into ``tally``.
INFORMATION_SETS: Final = 0  # where the responder decides
CHANCE_NODES: Final = 1
TERMINAL_NODES: Final = 2
FULL: Final = 3  # 1 if the arena or the book was too small; nothing else counts then
DECISION_NODES: Final = 4  # + seat
TALLY: Final = DECISION_NODES + 4


class Arena(NamedTuple):
    """Rows of nodes, and what goes with each."""

    rows: NDArray[np.uint8]  # [N, row bytes]
    weights: NDArray[np.float64]  # [N]
    counts: NDArray[np.int64]  # [N]
    keys: NDArray[np.uint64]  # [N] who holds what, where worlds may coincide
    probabilities: NDArray[np.float64]  # [N, A] of the mover's actions


class Task(NamedTuple):
    """What is asked. A reward is linear in the seat's share of the win and in the points."""

    seat: int
    respond: bool  # the seat plays its best; else by the book like the others
    collect: bool  # the book's observations are being collected: all legal actions are likely
    share: float
    own_points: float
    others_points: float
    constant: float


@kernel
def _leaf(arena, task, around, start, stop):  # type: ignore[no-untyped-def]
    """Sum over the worlds of a finished node of weight times the seat's reward."""
    n = stop - start
    players = np.int64(arena.rows[start, NUM_PLAYERS])
    num_species = np.int64(arena.rows[start, NUM_SPECIES])
    points = np.zeros((n, players), np.int64)
    winners = np.zeros((n, players), np.bool_)
    hand_sum = np.zeros((n, players, num_species), np.int64)
    right = np.zeros((n, players, num_species), np.bool_)
    path_points = np.zeros((n, players, num_species), np.int64)
    distinct = np.zeros((n, players), np.int64)
    score_rows(
        arena.rows[start:stop], around, score_memory(np.int64(arena.rows[start, SIDE])),
        points, winners, hand_sum, right, path_points, distinct,
    )  # fmt: skip
    value = 0.0
    for i in range(n):
        reward = task.constant
        won = 0
        for p in range(players):
            won += winners[i, p]
            reward += (task.own_points if p == task.seat else task.others_points) * points[i, p]
        if winners[i, task.seat]:
            reward += task.share / won
        value += arena.weights[start + i] * reward
    return value


@kernel
def _legal(row, mask, probabilities):  # type: ignore[no-untyped-def]
    """Makes every legal action equally likely."""
    write_mask(row, mask)
    share = 1.0 / mask.sum()
    for action in range(len(mask)):
        probabilities[action] = share if mask[action] else 0.0


@kernel
def _by_the_book(arena, book, task, scratch, start, stop):  # type: ignore[no-untyped-def]
    """Fills in how the mover acts in each of the worlds; False if the book is full."""
    num_actions = arena.probabilities.shape[1]
    mask = scratch[0, :num_actions]
    observation = scratch[1, : book.observations.shape[1]]
    for i in range(start, stop):
        row = arena.rows[i]
        if task.collect or not len(book.hashes):
            _legal(row, mask, arena.probabilities[i])
        if len(book.hashes):
            write_observation(row, np.int64(row[MOVER]), scratch[2], scratch[3], observation)
            if task.collect:
                if not note(book, observation):
                    return False
            else:
                slot = find(book, observation, hash_of(observation))
                arena.probabilities[i] = book.probabilities[slot]
    return True


@kernel
def _lay(arena, source, at, action, probability, count):  # type: ignore[no-untyped-def]
    """Lays the child of one world at one place of the arena."""
    arena.rows[at] = arena.rows[source]
    apply_one(arena.rows[at], action)
    arena.weights[at] = arena.weights[source] * probability
    arena.counts[at] = arena.counts[source] * count


@kernel
def _lay_draw(arena, source, at, slot, probability):  # type: ignore[no-untyped-def]
    """Lays the child in which the mover draws what lies at ``slot`` of the deck."""
    arena.rows[at] = arena.rows[source]
    row = arena.rows[at]
    front = DECK + np.int64(row[DRAWN])
    row[front], row[DECK + slot] = row[DECK + slot], row[front]
    apply_one(row, 0)
    arena.weights[at] = arena.weights[source] * probability
    arena.counts[at] = arena.counts[source]


@kernel
def _children(arena, start, stop, action, chosen, own):  # type: ignore[no-untyped-def]
    """Lays the worlds in which the mover takes an action, after choosing the card ``chosen``.

    Returns the end of their run, or -1 if the arena is full.
    """
    top = stop
    for i in range(start, stop):
        probability = 1.0 if own else arena.probabilities[i, action]
        if probability > 0 and (chosen == _ANY or arena.rows[i, CHOSEN] == chosen):
            if top == len(arena.rows):
                return -1
            _lay(arena, i, top, action, probability, 1)
            top += 1
    return top


@kernel
def _choices(arena, start, stop, first, last):  # type: ignore[no-untyped-def]
    """Lays every card that a rival may choose: nobody else sees which."""
    top = stop
    for i in range(start, stop):
        for action in range(first, last):
            if arena.probabilities[i, action] > 0:
                if top == len(arena.rows):
                    return -1
                _lay(arena, i, top, action, arena.probabilities[i, action], 1)
                top += 1
    return top


@kernel
def _own_draws(arena, start, stop, card):  # type: ignore[no-untyped-def]
    """Lays the worlds in which the responder draws this card from the deck."""
    top = stop
    for i in range(start, stop):
        row = arena.rows[i]
        drawn, length = np.int64(row[DRAWN]), np.int64(row[DECK_LENGTH])
        for slot in range(drawn, length):
            if row[DECK + slot] == card:
                if top == len(arena.rows):
                    return -1
                _lay_draw(arena, i, top, slot, 1.0 / (length - drawn))
                top += 1
    return top


@kernel
def _key(row):  # type: ignore[no-untyped-def]
    """Who holds which card, as one number."""
    key = np.uint64(0)
    for card in range(np.int64(row[NUM_CARDS])):
        place = np.int64(row[PLACE + card] & np.uint8(_NOT_KNOWN))
        holder = place - IN_HAND + 1 if IN_HAND <= place < IN_HAND + 4 else 0
        key = key << np.uint64(HOLDER_BITS) | np.uint64(holder)
    return key


@kernel
def _hidden_draws(arena, start, stop):  # type: ignore[no-untyped-def]
    """Lays the worlds after a rival's draw from the deck; equal ones become one."""
    top = stop
    for i in range(start, stop):
        drawn, length = np.int64(arena.rows[i, DRAWN]), np.int64(arena.rows[i, DECK_LENGTH])
        if arena.probabilities[i, 0] == 0:
            continue
        probability = arena.probabilities[i, 0] / (length - drawn)
        for slot in range(drawn, length):
            if top == len(arena.rows):
                return -1
            _lay_draw(arena, i, top, slot, probability)
            key = _key(arena.rows[top])
            same = stop
            while same < top and arena.keys[same] != key:
                same += 1
            if same == top:
                arena.keys[top] = key
                top += 1
            else:
                arena.weights[same] += arena.weights[top]
                arena.counts[same] += arena.counts[top]
    return top


@kernel
def walk(arena, book, task, around, scratch, tally, start, stop):  # type: ignore[no-untyped-def]
    """The responder's value of the node ``start:stop``, weighted by its worlds' reach.

    Args:
        arena: the node's rows, and room behind them.
        book: how the others act; see ``Task`` for who else.
        task: what is asked.
        around: [W * W, 4] ``neighbour_table``.
        scratch: [4, >= A, L and C] uint8.
        tally: [TALLY] int64, added to.
        start, stop: the node.
    """
    row = arena.rows[start]
    histories = arena.counts[start:stop].sum()
    phase = row[PHASE]
    if phase == _GAME_OVER:
        tally[TERMINAL_NODES] += histories
        return _leaf(arena, task, around, start, stop)
    mover = np.int64(row[MOVER])
    own = mover == task.seat
    tally[DECISION_NODES + mover] += histories
    tally[INFORMATION_SETS] += own
    best_of = own and task.respond
    if best_of:
        _legal(row, scratch[0, : arena.probabilities.shape[1]], arena.probabilities[start])
    elif not _by_the_book(arena, book, task, scratch, start, start + 1 if own else stop):
        tally[FULL] = 1
        return 0.0
    players = np.int64(row[NUM_PLAYERS])
    num_cards = np.int64(row[NUM_CARDS])
    cells = np.int64(row[SIDE]) * np.int64(row[SIDE])
    first, last = np.int64(0), 1 + players
    if phase > _DRAW_SECOND:
        first = last + (0 if phase == _PLAY else num_cards)
        first += cells if phase == _DISCARD else 0
        last = first + (cells if phase == _PLACE_PHASE else num_cards)
    if phase == _PLAY and not own:
        top = _choices(arena, start, stop, first, last)
        if top < 0:
            tally[FULL] = 1
            return 0.0
        return walk(arena, book, task, around, scratch, tally, stop, top)
    value = -np.inf if best_of else 0.0
    for action in range(first, last):
        if own and arena.probabilities[start, action] == 0:
            continue
        from_deck = phase <= _DRAW_SECOND and action == 0
        if from_deck:
            for i in range(start, stop):
                if own or arena.probabilities[i, 0] > 0:
                    tally[CHANCE_NODES] += arena.counts[i]
        # What the responder sees of the decision beside the action: the card that it draws, or the
        # card that a rival had chosen.
        labelled = (from_deck and own) or (phase == _PLACE_PHASE and not own)
        total = 0.0
        for label in range(num_cards if labelled else 1):
            if from_deck and own:
                top = _own_draws(arena, start, stop, label)
            elif from_deck:
                top = _hidden_draws(arena, start, stop)
            else:
                top = _children(arena, start, stop, action, label if labelled else _ANY, own)
            if top < 0:
                tally[FULL] = 1
                return 0.0
            if top > stop:
                total += walk(arena, book, task, around, scratch, tally, stop, top)
        if best_of:
            value = max(value, total)
        elif own:
            value += arena.probabilities[start, action] * total
        else:
            value += total
    return value
