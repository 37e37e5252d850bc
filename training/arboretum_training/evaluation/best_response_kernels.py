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

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.config import MAX_PLAYERS
from arboretum_env.engine.lanes import WIDTH, load, store
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
    PHASE,
    PLACE,
    SIDE,
)
from arboretum_env.engine.memory import pointer, row_pointer
from arboretum_env.engine.moves import apply_one, write_mask
from arboretum_env.engine.scoring import score_rows
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
_NO_ROOM = -1

HOLDER_BITS: Final = 3  # of a world's key, for every card: 0, or 1 + the seat that holds it
MAX_KEY_CARDS: Final = 64 // HOLDER_BITS

# What is counted, an index into ``tally``.
INFORMATION_SETS: Final = 0  # where the responder decides
CHANCE_NODES: Final = 1
TERMINAL_NODES: Final = 2
FULL: Final = 3  # 1 if the arena or the book was too small; nothing else counts then
DECISION_NODES: Final = 4  # + seat
TALLY: Final = DECISION_NODES + MAX_PLAYERS


class Arena(NamedTuple):
    """Rows of nodes, what goes with each, and room to work in."""

    rows: NDArray[np.uint8]  # [N, row bytes]
    weights: NDArray[np.float64]  # [N]
    counts: NDArray[np.int64]  # [N]
    keys: NDArray[np.uint64]  # [N] who holds what, where worlds may coincide
    probabilities: NDArray[np.float64]  # [N, A] of the mover's actions
    mask: NDArray[np.uint8]  # [A]
    observation: NDArray[np.uint8]  # [L]
    tally: NDArray[np.int64]  # [TALLY] what is counted


class Task(NamedTuple):
    """What is asked. A reward is linear in the seat's share of the win and in the points."""

    seat: int
    respond: bool  # the seat plays its best; else by the book like the others
    collect: bool  # the book's observations are being collected: all legal actions are likely
    share: float
    own_points: float
    others_points: float
    constant: float


class Scoring(NamedTuple):
    """What finished nodes are scored with; the arrays of ``Scores`` for as many worlds as fit."""

    neighbours: NDArray[np.uint16]  # [W * W, 4] ``neighbour_table``
    memory: Any  # ``score_memory``
    points: NDArray[np.int64]
    winners: NDArray[np.bool_]
    hand_sum: NDArray[np.int64]
    right: NDArray[np.bool_]
    path_points: NDArray[np.int64]
    distinct: NDArray[np.int64]


class _Memory(NamedTuple):
    """An arena as pointers, and its sizes."""

    rows: Any
    weights: Any
    counts: Any
    keys: Any
    probabilities: Any
    mask: Any
    capacity: int
    row_bytes: int
    num_actions: int


@kernel
def _memory_of(arena):  # type: ignore[no-untyped-def]
    return _Memory(
        row_pointer(arena.rows, 0), pointer(arena.weights, 0), pointer(arena.counts, 0),
        pointer(arena.keys, 0), row_pointer(arena.probabilities, 0), pointer(arena.mask, 0),
        arena.rows.shape[0], arena.rows.shape[1], arena.probabilities.shape[1],
    )  # fmt: skip


@kernel
def _row(memory, i):  # type: ignore[no-untyped-def]
    return pointer(memory.rows, i * memory.row_bytes)


@kernel
def _odds(memory, i):  # type: ignore[no-untyped-def]
    return pointer(memory.probabilities, i * memory.num_actions)


@kernel
def _leaf(arena, memory, task, scoring, start, stop):  # type: ignore[no-untyped-def]
    """Sum over the worlds of a finished node of weight times the seat's reward."""
    score_rows(
        arena.rows[start:stop], scoring.neighbours, scoring.memory, scoring.points,
        scoring.winners, scoring.hand_sum, scoring.right, scoring.path_points, scoring.distinct,
    )  # fmt: skip
    players = scoring.points.shape[1]
    value = 0.0
    for i in range(stop - start):
        reward = task.constant
        won = 0
        for p in range(players):
            won += scoring.winners[i, p]
            unit = task.own_points if p == task.seat else task.others_points
            reward += unit * scoring.points[i, p]
        if scoring.winners[i, task.seat]:
            reward += task.share / won
        value += memory.weights[start + i] * reward
    return value


@kernel
def _legal(memory, i):  # type: ignore[no-untyped-def]
    """Makes every legal action of one world equally likely."""
    write_mask(_row(memory, i), memory.mask)
    legal = 0
    for action in range(memory.num_actions):
        legal += memory.mask[action]
    odds = _odds(memory, i)
    for action in range(memory.num_actions):
        odds[action] = memory.mask[action] / legal


@kernel
def _by_the_book(memory, observation, book, task, start, stop):  # type: ignore[no-untyped-def]
    """Fills in how the mover acts in each of the worlds; False if the book is full."""
    slots = len(book.hashes)
    for i in range(start, stop):
        row = _row(memory, i)
        if task.collect or slots == 0:
            _legal(memory, i)
        if slots:
            write_observation(row, np.int64(row[MOVER]), pointer(observation, 0))
            if task.collect:
                if not note(book, observation):
                    return False
            else:
                slot = find(book, observation, hash_of(observation))
                odds = _odds(memory, i)
                for action in range(memory.num_actions):
                    odds[action] = book.probabilities[slot, action]
    return True


@kernel
def _copy(memory, source, at):  # type: ignore[no-untyped-def]
    there, here = _row(memory, source), _row(memory, at)
    for k in range(0, memory.row_bytes, WIDTH):
        store(here, k, load(there, k))
    return here


@kernel
def _lay(memory, source, at, action, probability):  # type: ignore[no-untyped-def]
    """Lays the child of one world at one place of the arena."""
    apply_one(_copy(memory, source, at), action)
    memory.weights[at] = memory.weights[source] * probability
    memory.counts[at] = memory.counts[source]


@kernel
def _lay_draw(memory, source, at, slot, probability):  # type: ignore[no-untyped-def]
    """Lays the child in which the mover draws what lies at ``slot`` of the deck."""
    row = _copy(memory, source, at)
    front, card = DECK + np.int64(row[DRAWN]), row[DECK + slot]
    row[DECK + slot] = row[front]
    row[front] = card
    apply_one(row, 0)
    memory.weights[at] = memory.weights[source] * probability
    memory.counts[at] = memory.counts[source]


@kernel
def _children(memory, start, stop, action, chosen, own):  # type: ignore[no-untyped-def]
    """Lays the worlds in which the mover takes an action, after choosing the card ``chosen``.

    Returns the end of their run, or ``_NO_ROOM``.
    """
    top = stop
    for i in range(start, stop):
        probability = 1.0 if own else _odds(memory, i)[action]
        if probability > 0 and (chosen == _ANY or _row(memory, i)[CHOSEN] == chosen):
            if top == memory.capacity:
                return _NO_ROOM
            _lay(memory, i, top, action, probability)
            top += 1
    return top


@kernel
def _choices(memory, start, stop, first, last):  # type: ignore[no-untyped-def]
    """Lays every card that a rival may choose: nobody else sees which."""
    top = stop
    for i in range(start, stop):
        odds = _odds(memory, i)
        for action in range(first, last):
            if odds[action] > 0:
                if top == memory.capacity:
                    return _NO_ROOM
                _lay(memory, i, top, action, odds[action])
                top += 1
    return top


@kernel
def _own_draws(memory, start, stop, card):  # type: ignore[no-untyped-def]
    """Lays the worlds in which the responder draws this card from the deck."""
    top = stop
    for i in range(start, stop):
        row = _row(memory, i)
        drawn, length = np.int64(row[DRAWN]), np.int64(row[DECK_LENGTH])
        for slot in range(drawn, length):
            if row[DECK + slot] == card:
                if top == memory.capacity:
                    return _NO_ROOM
                _lay_draw(memory, i, top, slot, 1.0 / (length - drawn))
                top += 1
    return top


@kernel
def _key(row):  # type: ignore[no-untyped-def]
    """Who holds which card, as one number."""
    key = np.uint64(0)
    for card in range(np.int64(row[NUM_CARDS])):
        holder = np.int64(row[PLACE + card] & _NOT_KNOWN) - IN_HAND + 1
        held = 1 <= holder <= MAX_PLAYERS
        key = key << np.uint64(HOLDER_BITS) | np.uint64(holder if held else 0)
    return key


@kernel
def _hidden_draws(memory, start, stop):  # type: ignore[no-untyped-def]
    """Lays the worlds after a rival's draw from the deck; equal ones become one."""
    top = stop
    for i in range(start, stop):
        row, odds = _row(memory, i), _odds(memory, i)[0]
        if odds == 0:
            continue
        drawn, length = np.int64(row[DRAWN]), np.int64(row[DECK_LENGTH])
        for slot in range(drawn, length):
            if top == memory.capacity:
                return _NO_ROOM
            _lay_draw(memory, i, top, slot, odds / (length - drawn))
            key = _key(_row(memory, top))
            same = stop
            while same < top and memory.keys[same] != key:
                same += 1
            if same == top:
                memory.keys[top] = key
                top += 1
            else:
                memory.weights[same] += memory.weights[top]
                memory.counts[same] += memory.counts[top]
    return top


@kernel
def walk(arena, book, task, scoring, start, stop):  # type: ignore[no-untyped-def]
    """The responder's value of the node ``start:stop``, weighted by its worlds' reach.

    Python calls this itself: a kernel that calls a recursive one cannot be kept in Numba's cache.

    Args:
        arena: the node's rows, and room behind them. Its tally is added to.
        book: how the others act; see ``Task`` for who else.
        task: what is asked.
        scoring: room for as many worlds as the arena's largest node.
        start, stop: the node.
    """
    memory, tally = _memory_of(arena), arena.tally
    row = _row(memory, start)
    histories = np.int64(0)
    for i in range(start, stop):
        histories += memory.counts[i]
    phase = row[PHASE]
    if phase == _GAME_OVER:
        tally[TERMINAL_NODES] += histories
        return _leaf(arena, memory, task, scoring, start, stop)
    mover = np.int64(row[MOVER])
    own = mover == task.seat
    tally[DECISION_NODES + mover] += histories
    tally[INFORMATION_SETS] += 1 if own else 0
    best_of = own and task.respond
    if best_of:
        _legal(memory, start)
    elif not _by_the_book(memory, arena.observation, book, task, start, start + 1 if own else stop):
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
        top = _choices(memory, start, stop, first, last)
        if top == _NO_ROOM:
            tally[FULL] = 1
            return 0.0
        return walk(arena, book, task, scoring, stop, top)
    odds = _odds(memory, start)
    value = -np.inf if best_of else 0.0
    for action in range(first, last):
        if own and odds[action] == 0:
            continue
        from_deck = phase <= _DRAW_SECOND and action == 0
        if from_deck:
            for i in range(start, stop):
                if own or _odds(memory, i)[0] > 0:
                    tally[CHANCE_NODES] += memory.counts[i]
        # What the responder sees of the decision beside the action: the card that it draws, or the
        # card that a rival had chosen.
        labelled = (from_deck and own) or (phase == _PLACE_PHASE and not own)
        total = 0.0
        for label in range(num_cards if labelled else 1):
            if from_deck and own:
                top = _own_draws(memory, start, stop, label)
            elif from_deck:
                top = _hidden_draws(memory, start, stop)
            else:
                top = _children(memory, start, stop, action, label if labelled else _ANY, own)
            if top == _NO_ROOM:
                tally[FULL] = 1
                return 0.0
            if top > stop:
                total += walk(arena, book, task, scoring, stop, top)
        if best_of:
            value = max(value, total)
        elif own:
            value += odds[action] * total
        else:
            value += total
    return value
