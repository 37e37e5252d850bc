"""Rights to score, totals and winners (RULES.md, Scoring)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.engine.lanes import WIDTH
from arboretum_env.engine.layout import (
    IN_ARBORETUM,
    IN_HAND,
    KNOWN_BIT,
    MAX_CARDS,
    NONE,
    NUM_PLAYERS,
    NUM_RANKS,
    NUM_SPECIES,
    OPTION_CANCEL_EIGHTS,
    OPTION_RIGHTS_ALL,
    OPTIONS,
    PLACE,
    SIDE,
    X,
    Y,
)
from arboretum_env.engine.memory import pointer, row_pointer
from arboretum_env.engine.paths import (
    END_BONUS,
    MIN_CARDS,
    PURE_MINIMUM,
    RANK_BITS,
    START_BONUS,
    collect,
    neighbour_table,
    prefixes,
)
from arboretum_env.engine.state import GameState
from arboretum_env.errors import BoardError

_NOT_KNOWN = 0xFF - KNOWN_BIT


@dataclass(frozen=True)
class Scores:
    """Final scores of B games.

    Attributes:
        points: [B, P] int64, totals.
        winners: [B, P] bool.
        hand_sum: [B, P, S] int64, ranks left in hand, a cancelled top rank counted 0.
        right: [B, P, S] bool, the right to score the species.
        path_points: [B, P, S] int64, points of the best path whatever the right.
        distinct_species: [B, P] int64, different species planted (the tie-break).
    """

    points: NDArray[np.int64]
    winners: NDArray[np.bool_]
    hand_sum: NDArray[np.int64]
    right: NDArray[np.bool_]
    path_points: NDArray[np.int64]
    distinct_species: NDArray[np.int64]

    @property
    def denied_points(self) -> NDArray[np.int64]:
        """[B, P] path points lost for want of the right to score."""
        denied: NDArray[np.int64] = np.where(self.right, 0, self.path_points).sum(axis=2)
        return denied

    @property
    def win_shares(self) -> NDArray[np.float64]:
        """[B, P] a shared win counts 1/k for each of its k winners."""
        shares: NDArray[np.float64] = self.winners / self.winners.sum(axis=1, keepdims=True)
        return shares


@kernel
def rights(held, players, num_species, num_ranks, cancel, everybody, hand_sum, right):  # type: ignore[no-untyped-def]
    """Decides every right to score of one game.

    Args:
        held: [P, C] uint8, 1 where the player holds the card.
        cancel: whether an opponent's 1 cancels the top rank.
        everybody: whether all rights are granted (``rights="all"``).
        hand_sum: [P, S] out.
        right: [P, S] out.
    """
    for s in range(num_species):
        first = s * num_ranks
        top = first + num_ranks - 1
        best = 0
        for p in range(players):
            total = 0
            for rank in range(num_ranks):
                if held[p, first + rank]:
                    total += rank + 1
            if cancel and held[p, top]:
                for rival in range(players):
                    # The own 1 never cancels the own top rank.
                    if rival != p and held[rival, first]:
                        total -= num_ranks
                        break
            hand_sum[p, s] = total
            best = max(best, total)
        for p in range(players):
            # Ties share; if nobody holds the species, all sums are 0 and everybody has the right.
            right[p, s] = everybody or hand_sum[p, s] == best


@kernel
def totals(players, num_species, right, path_points, distinct, points, winners):  # type: ignore[no-untyped-def]
    """Adds up one game; winners: most points, then most species planted, then shared."""
    best = -1
    for p in range(players):
        points[p] = 0
        for s in range(num_species):
            if right[p, s]:
                points[p] += path_points[p, s]
        best = max(best, points[p] * (MAX_CARDS + 1) + distinct[p])
    for p in range(players):
        winners[p] = points[p] * (MAX_CARDS + 1) + distinct[p] == best


@kernel
def _arboretum(  # type: ignore[no-untyped-def]
    place, x, y, target, num_species, num_ranks, side, around, memory, path_points
):
    """Writes the points of the best path of every species of one arboretum.

    Args:
        place, x, y, target: which cards stand where, see ``engine.paths.collect``.
        memory: see ``score_memory``.
        path_points: [S] int64 out.

    Returns:
        How many different species stand there.
    """
    byte_memory, cells = memory
    codes, best = pointer(byte_memory, 0), pointer(byte_memory, MAX_CARDS)
    arrive = pointer(best, WIDTH)
    arrive_pure = pointer(arrive, MAX_CARDS * WIDTH)
    at = pointer(arrive_pure, MAX_CARDS * WIDTH)
    n = collect(
        place, x, y, 1, target, num_species, num_ranks, side, codes, pointer(cells, 0), at
    )  # fmt: skip
    prefixes(n, codes, pointer(cells, 0), at, num_ranks, around, arrive, arrive_pure, best)
    for s in range(num_species):
        path_points[s] = best[s]
    planted, distinct = 0, 0
    for i in range(n):
        species = codes[i] >> RANK_BITS
        distinct += 1 - (planted >> species & 1)
        planted |= 1 << species
    return distinct


@kernel
def score_memory(side):  # type: ignore[no-untyped-def]
    """What ``score_rows`` works in, for games on a torus of this side."""
    size = MAX_CARDS + WIDTH + 2 * MAX_CARDS * WIDTH + side * side
    return np.empty(size, np.uint8), np.empty(MAX_CARDS, np.uint16)


@kernel
def score_rows(raw, neighbours, memory, points, winners, hand_sum, right, path_points, distinct):  # type: ignore[no-untyped-def]
    """Scores games into arrays of the shapes of ``Scores``.

    Args:
        raw: [B, row bytes] uint8.
        neighbours: ``engine.paths.neighbour_table``.
        memory: ``score_memory``.
        points, winners, hand_sum, right, path_points, distinct: out.
    """
    held = np.zeros((path_points.shape[1], MAX_CARDS), np.uint8)
    around = row_pointer(neighbours, 0)
    for b in range(raw.shape[0]):
        row = row_pointer(raw, b)
        players = np.int64(row[NUM_PLAYERS])
        num_species = np.int64(row[NUM_SPECIES])
        num_ranks = np.int64(row[NUM_RANKS])
        for p in range(players):
            for card in range(num_species * num_ranks):
                held[p, card] = row[PLACE + card] & _NOT_KNOWN == IN_HAND + p
            distinct[b, p] = _arboretum(
                pointer(row, PLACE), pointer(row, X), pointer(row, Y), IN_ARBORETUM + p,
                num_species, num_ranks, np.int64(row[SIDE]), around, memory,
                pointer(row_pointer(path_points, b), p * num_species),
            )  # fmt: skip
        rights(
            held, players, num_species, num_ranks,
            row[OPTIONS] & OPTION_CANCEL_EIGHTS != 0, row[OPTIONS] & OPTION_RIGHTS_ALL != 0,
            hand_sum[b], right[b],
        )  # fmt: skip
        totals(players, num_species, right[b], path_points[b], distinct[b], points[b], winners[b])


def _empty_scores(batch: int, players: int, num_species: int) -> Scores:
    return Scores(
        points=np.zeros((batch, players), np.int64),
        winners=np.zeros((batch, players), np.bool_),
        hand_sum=np.zeros((batch, players, num_species), np.int64),
        right=np.zeros((batch, players, num_species), np.bool_),
        path_points=np.zeros((batch, players, num_species), np.int64),
        distinct_species=np.zeros((batch, players), np.int64),
    )


def score(state: GameState) -> Scores:
    """Scores every game with the hands and arboreta as they are, over or not."""
    config = state.config
    scores = _empty_scores(len(state), config.num_players, config.num_species)
    score_rows(
        state.raw, neighbour_table(config.side), score_memory(config.side),
        scores.points, scores.winners,
        scores.hand_sum, scores.right, scores.path_points, scores.distinct_species,
    )  # fmt: skip
    return scores


@kernel
def _board_paths(  # type: ignore[no-untyped-def]
    board, players, num_species, num_ranks, side, neighbours, memory, path_points, distinct
):
    place, x, y = row_pointer(board, 0), row_pointer(board, 1), row_pointer(board, 2)
    for p in range(players):
        distinct[p] = _arboretum(
            place, x, y, p, num_species, num_ranks, side, row_pointer(neighbours, 0), memory,
            row_pointer(path_points, p),
        )  # fmt: skip


def score_board(
    config: GameConfig,
    hands: Sequence[Sequence[int]],
    arboreta: Sequence[Sequence[tuple[int, int, int]]],
) -> Scores:
    """Scores boards that need not come from a game: any hand size, any connected layout.

    Args:
        config: players, species, ranks and rule switches; its hand size is ignored.
        hands: P hands of card ids.
        arboreta: P lists of (x, y, card id).

    Returns:
        Scores of a batch of one.

    Raises:
        BoardError: a card twice, a cell twice, a layout in several pieces, a wrong number of
            players.
        CardError: a card that is not in play.
    """
    players, num_cards = config.num_players, config.num_cards
    _check_board(config, hands, arboreta)
    board = np.zeros((3, num_cards), np.uint8)  # place, x, y
    board[0] = NONE
    held = np.zeros((players, num_cards), np.uint8)
    side = 3
    for p in range(players):
        held[p, list(hands[p])] = 1
        if not arboreta[p]:
            continue
        west = min(column for column, _, _ in arboreta[p])
        south = min(line for _, line, _ in arboreta[p])
        for column, line, card in arboreta[p]:
            board[:, card] = p, column - west, line - south
            side = max(side, column - west + 3, line - south + 3)  # extent + 2
    scores = _empty_scores(1, players, config.num_species)
    _board_paths(
        board, players, config.num_species, config.num_ranks, side, neighbour_table(side),
        score_memory(side), scores.path_points[0], scores.distinct_species[0],
    )  # fmt: skip
    rights(
        held, players, config.num_species, config.num_ranks,
        config.cancel_eights, config.rights == "all", scores.hand_sum[0], scores.right[0],
    )  # fmt: skip
    totals(
        players, config.num_species, scores.right[0], scores.path_points[0],
        scores.distinct_species[0], scores.points[0], scores.winners[0],
    )  # fmt: skip
    return scores


def _check_board(
    config: GameConfig,
    hands: Sequence[Sequence[int]],
    arboreta: Sequence[Sequence[tuple[int, int, int]]],
) -> None:
    if len(hands) != config.num_players or len(arboreta) != config.num_players:
        raise BoardError(
            f"{len(hands)} hands and {len(arboreta)} arboreta: "
            f"expected {config.num_players} of each"
        )
    seen: set[int] = set()
    for p in range(config.num_players):
        for card in (*hands[p], *(card for _, _, card in arboreta[p])):
            text = config.card_text(card)
            if card in seen:
                raise BoardError(
                    f"{text} is there twice (player {p}): expected one card of each kind"
                )
            seen.add(card)
        cells = [(x, y) for x, y, _ in arboreta[p]]
        twice = next((cell for cell in cells if cells.count(cell) > 1), None)
        if twice is not None:
            raise BoardError(
                f"player {p} has two cards at {twice[0]},{twice[1]}: a card is never covered"
            )
        _check_connected(p, set(cells))


def _check_connected(player: int, cells: set[tuple[int, int]]) -> None:
    if not cells:
        return
    reached = {min(cells)}
    frontier = list(reached)
    while frontier:
        x, y = frontier.pop()
        for cell in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if cell in cells and cell not in reached:
                reached.add(cell)
                frontier.append(cell)
    apart = sorted(cells - reached)
    if apart:
        raise BoardError(
            f"player {player}'s arboretum is in several pieces: nothing connects "
            f"{apart[0][0]},{apart[0][1]} to {min(cells)[0]},{min(cells)[1]}"
        )


def best_path(arboretum: Sequence[tuple[int, int, int]], species: int, num_ranks: int) -> list[int]:
    """One best path of a species, as card ids from its first card to its last; [] if none.

    Among equally good paths the shortest wins, then the one with the smaller card ids.

    Args:
        arboretum: (x, y, card id) of every planted card.
        species: index of the species in play.
        num_ranks: R.
    """
    card_at = {(x, y): card for x, y, card in arboretum}
    # Per card: the best path from the species to here, by (all of the species, cards, starts
    # with a 1); no other trait of a prefix matters to what follows.
    ways: dict[tuple[int, int], dict[tuple[bool, int, bool], list[int]]] = {}
    best: list[int] = []
    for (x, y), card in sorted(card_at.items(), key=lambda item: (item[1] % num_ranks, item[1])):
        own = card // num_ranks == species
        here: dict[tuple[bool, int, bool], list[int]] = {}
        if own:
            here[(True, 1, card % num_ranks == 0)] = [card]
        for cell in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if cell in ways and card_at[cell] % num_ranks < card % num_ranks:
                for (pure, count, one), path in ways[cell].items():
                    key, longer = (pure and own, count + 1, one), [*path, card]
                    here[key] = min(here.get(key, longer), longer)
        ways[(x, y)] = here
        if own:
            for path in here.values():
                if _rank_key(path, species, num_ranks) < _rank_key(best, species, num_ranks):
                    best = path
    return best


def path_points(path: Sequence[int], species: int, num_ranks: int) -> int:
    """Points of one path of a species (RULES.md, Scoring: points); 0 if it has under 2 cards."""
    if len(path) < MIN_CARDS:
        return 0
    pure = all(card // num_ranks == species for card in path)
    points = len(path) * (2 if pure and len(path) >= PURE_MINIMUM else 1)
    points += START_BONUS if path[0] % num_ranks == 0 else 0
    return points + (END_BONUS if path[-1] % num_ranks == num_ranks - 1 else 0)


def _rank_key(path: list[int], species: int, num_ranks: int) -> tuple[int, int, list[int]]:
    return (-path_points(path, species, num_ranks), len(path), path)
