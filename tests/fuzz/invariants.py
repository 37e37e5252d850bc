"""What holds in every position of every game, in numpy over a whole batch.

Nothing here reads the engine's rows: a position is told by ``Table``, the rules by the rulebook
(docs/rules.md) and the ids and codes by the published tables (docs/environment.md).
"""

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.state import GameState
from arboretum_env.observation import OBSERVATION_LAYOUT, observation_slices, observe
from tests.fuzz.table import ARBORETUM, DECK, HAND, KNOWN, NOWHERE, PILE, Ints, Table

DRAW_FIRST, DRAW_SECOND, PLAY, PLACE, DISCARD, OVER = range(6)
EXTRA_CARDS = np.array([0, 1, 2, 2, 1, 0])
"""Cards in the mover's hand beyond the usual, by phase."""
_FIRST_CODE = np.array([0, 0, 2, 6, 10, 0], np.int16)
_LAST = np.int16(2**15 - 1)  # sorts behind every place
_FREE = np.int8(127)  # no planting number is as large


class InvariantError(AssertionError):
    """Something that always holds does not."""


def hold(what: str, true: NDArray[np.bool_]) -> None:
    """Raise when something is false in some game; ``true`` is [B, ...]."""
    if not true.all():
        game = int(np.argmin(true.reshape(len(true), -1).all(axis=1)))
        raise InvariantError(f"row {game}: {what}")


def check_cards(table: Table) -> None:
    """Every card in one place that there is; decks, piles and plants counted without a gap."""
    config = table.config
    hold("a card is nowhere", table.kind != NOWHERE)
    in_deck = table.counts[:, DECK, 0]
    hold("the deck's size is not the number of its cards", table.deck_size == in_deck)
    hands = np.full((len(in_deck), config.num_players), config.hand_size)
    hands[np.arange(len(in_deck)), table.mover] += EXTRA_CARDS[table.phase]
    hold("a hand has another size", table.counts[:, HAND] + table.counts[:, KNOWN] == hands)
    hold("a card in hand has an order", ~table.held | (table.order == -1))
    group = table.kind * config.num_players + table.owner
    keys = np.sort(np.where(table.held, _LAST, group * 128 + table.order), axis=1)
    group, number = keys >> 7, keys & 127
    follows = (group[:, 1:] == group[:, :-1]) & (number[:, 1:] == number[:, :-1] + 1)
    begins = (group[:, 1:] > group[:, :-1]) & (number[:, 1:] == 0)
    hold("orders have a gap", (keys[:, 1:] == _LAST) | follows | begins)
    hold("orders do not begin with 0", (keys[:, 0] == _LAST) | (number[:, 0] == 0))


def check_bounds(table: Table) -> None:
    """The exact bounds of the rulebook on turns, plants and the size of an arboretum."""
    config = table.config
    planted = table.counts[:, ARBORETUM]
    hold("more turns than there can be", table.turn <= config.max_turns)
    enough = (table.phase < OVER) | (table.turn >= config.min_turns)
    hold("fewer turns than there can be", enough)
    seats = np.arange(config.num_players)
    turns_done = (table.turn[:, None] - seats + config.num_players - 1) // config.num_players
    mid_turn = (table.phase[:, None] == DISCARD) & (table.mover[:, None] == seats)
    hold("a seat planted less or more than once a turn", planted == turns_done + mid_turn)
    hold("a seat planted more than it can", planted <= config.max_plants)
    taken = table.deck_size + table.counts[:, PILE].sum(axis=1) + table.turn
    before_turn = (table.phase == DRAW_FIRST) | (table.phase == OVER)
    start = config.num_cards - config.num_players * config.hand_size
    hold("a turn takes one card out of deck and piles", ~before_turn | (taken == start))


def check_arboreta(table: Table) -> None:
    """Connected from card to card, never covered; no two true cells on one torus cell."""
    config = table.config
    reach = config.max_plants + 1
    planted = table.kind == ARBORETUM
    for axis in (table.x, table.y):
        hold("a card off the table has coordinates", planted | (axis == 0))
        hold("a card lies out of reach", np.abs(axis) < config.max_plants)
    count = table.counts[:, ARBORETUM]
    for seat in range(config.num_players):
        board = table.boards(np.full(len(table.phase), seat))
        hold("a card is covered", (board >= 0).sum(axis=(1, 2)) == count[:, seat])
        first = board[:, reach, reach]
        hold("the first card is not at 0, 0", (count[:, seat] == 0) | (first == 0))
        # A later card touches an earlier one: the smallest number among its neighbours is less.
        some = np.where(board >= 0, board, _FREE)
        least = np.full_like(some, _FREE)
        least[:, 1:] = np.minimum(least[:, 1:], some[:, :-1])
        least[:, :-1] = np.minimum(least[:, :-1], some[:, 1:])
        least[:, :, 1:] = np.minimum(least[:, :, 1:], some[:, :, :-1])
        least[:, :, :-1] = np.minimum(least[:, :, :-1], some[:, :, 1:])
        hold("a card touches no earlier one", (board <= 0) | (least < board))
    game, card = np.nonzero(planted)
    cells = torus_cells(table, table.x[game, card], table.y[game, card])
    whose = game * config.num_players + table.owner[game, card]
    if _some_twice(whose * config.side**2 + cells):
        raise InvariantError("two cards stand on one torus cell")


def torus_cells(table: Table, x: Ints, y: Ints) -> Ints:
    """(y mod W) * W + (x mod W)."""
    side = table.config.side
    return y % side * side + x % side


def _some_twice(values: Ints) -> bool:
    return bool(len(values)) and int(np.bincount(values).max()) > 1


def check_mask(table: Table, mask: NDArray[np.bool_]) -> None:
    """The mask is the legal set, worked out from the rulebook and the published action table."""
    config = table.config
    batch, players, cards = len(mask), config.num_players, config.num_cards
    legal = np.zeros((batch, 1 + players + 2 * cards + config.side**2), np.bool_)
    drawing = table.phase <= DRAW_SECOND
    legal[:, 0] = drawing & (table.deck_size > 0)
    piles = table.counts[:, PILE]
    for k in range(players):
        owner = (table.mover + k) % players
        legal[:, 1 + k] = drawing & (piles[np.arange(batch), owner] > 0)
    own = table.held & (table.owner == table.mover[:, None])
    legal[:, 1 + players : 1 + players + cards] = own & (table.phase == PLAY)[:, None]
    legal[:, -cards:] = own & (table.phase == DISCARD)[:, None]
    game, x, y = table.open_cells()
    placing = table.phase[game] == PLACE
    game, cells = game[placing], torus_cells(table, x[placing], y[placing])
    if _some_twice(game * config.side**2 + cells):
        raise InvariantError("two open cells are one torus cell")
    legal[game, 1 + players + cards + cells] = True
    hold("the mask is not the legal set", mask == legal)
    hold("no legal action, or one after the end", mask.any(axis=1) == (table.phase < OVER))


def check_step(before: Table, after: Table, actions: Ints) -> None:
    """Turn and phase go on as the rules say, and one card moves, from and to the right place."""
    config = before.config
    rows = np.arange(len(actions))
    players, cards = config.num_players, config.num_cards
    going = before.phase < OVER
    hold("a finished game was given an action", going | (actions == -1))
    ends_turn = before.phase == DISCARD
    over = ends_turn & (before.deck_size == 0)
    expected = np.where(ends_turn, np.where(over, OVER, DRAW_FIRST), before.phase + 1)
    hold("phase", after.phase == np.where(going, expected, OVER))
    hold("turn", after.turn == before.turn + ends_turn)
    hold("mover", after.mover == (before.mover + ends_turn) % players)
    drew = (before.phase <= DRAW_SECOND) & (actions == 0)
    hold("the deck's size", after.deck_size == before.deck_size - drew)
    chose = before.phase == PLAY
    hold("chosen card", after.chosen == np.where(chose, actions - 1 - players, -1))

    taken = (before.phase <= DRAW_SECOND) & (actions > 0)
    owner = (before.mover + actions - 1) % players
    pile_top = (before.kind == PILE) & (before.owner == owner[:, None]) & (before.order == 0)
    deck_top = (before.kind == DECK) & (before.order == 0)
    placed, discarded = before.phase == PLACE, before.phase == DISCARD
    moved = np.where(drew[:, None], deck_top, False) | np.where(taken[:, None], pile_top, False)
    moved[rows[placed], before.chosen[placed]] = True
    first_discard = 1 + players + cards + config.side**2
    moved[rows[discarded], actions[discarded] - first_discard] = True
    hold("one card moves, but none in PLAY", moved.sum(axis=1) == (going & ~chose))
    kind = np.select([drew, taken, placed, discarded], [HAND, KNOWN, ARBORETUM, PILE], -1)
    # At the end every hand is public.
    shown = np.where((after.phase == OVER)[:, None] & (before.kind == HAND), KNOWN, before.kind)
    hold("place", after.kind == np.where(moved, kind[:, None], shown))
    hold("owner", after.owner == np.where(moved, before.mover[:, None], before.owner))

    in_deck = (before.kind == DECK) & drew[:, None]
    from_pile = (before.kind == PILE) & taken[:, None] & (before.owner == owner[:, None])
    to_pile = (before.kind == PILE) & (before.owner == before.mover[:, None]) & discarded[:, None]
    shift = to_pile.astype(np.int16) - in_deck - from_pile
    planted = before.counts[rows, ARBORETUM, before.mover]
    order = np.select([placed, discarded], [planted, np.zeros_like(planted)], -1)
    hold("order", after.order == np.where(moved, order[:, None], before.order + shift))
    stays = ~(moved & placed[:, None])
    for old, new in ((before.x, after.x), (before.y, after.y)):
        hold("a card changed its cell", (new == old) | ~stays)
    game, card = np.nonzero(~stays)
    cells = torus_cells(after, after.x[game, card], after.y[game, card])
    hold("cell", cells == actions[game] - 1 - players - cards)


def check_observations(state: GameState, table: Table) -> int:
    """Every seat sees what it may know and nothing else, within the published ranges.

    Returns:
        How many observations were compared.
    """
    config = table.config
    players, batch = config.num_players, len(table.phase)
    switches = (config.starting_discards, config.cancel_eights, config.rights == "all")
    for seat in range(players):
        seen = observe(state, seat)
        for piece in OBSERVATION_LAYOUT:
            values = seen[:, observation_slices(config)[piece.name]]
            hold(f"{piece.name} out of range", (piece.low <= values) & (values <= piece.high))
        k = (table.owner - seat) % players
        own = (table.kind == HAND) & (k == 0)
        hidden = (table.kind == DECK) | ((table.kind == HAND) & (k > 0))
        codes = _FIRST_CODE[table.kind] + k
        expected = np.empty((batch, config.num_cards, 4), np.int16)
        expected[:, :, 0] = np.where(hidden, 0, np.where(own, 1, codes))
        expected[:, :, 1] = np.where(hidden, -1, table.order)
        expected[:, :, 2], expected[:, :, 3] = table.x, table.y
        scalars = np.stack(
            [
                (table.mover - seat) % players,
                np.full(batch, seat),
                table.phase,
                table.deck_size,
                table.turn,
                np.where(table.mover == seat, table.chosen, -1),
                *(np.full(batch, int(switch)) for switch in switches),
            ],
            axis=1,
        )
        told = np.concatenate([expected.reshape(batch, -1), scalars], axis=1)
        hold(f"seat {seat} sees something else", seen == told)
    return players * batch
