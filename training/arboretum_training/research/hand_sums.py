"""The joint distribution of all seats' sums in hand of some species, and of the rights they give.

``U`` denotes unseen cards, ``P`` players, ``K`` species that are asked for. Sums are those that
decide a right: the top rank counts 0 where another seat holds the 1 (docs/rules.md, Scoring). The
chance of an assignment of the unseen cards is in proportion to the product of its cards' odds,
among the assignments that fill every place (``odds_belief``). So the cards of a species are gone
through one by one, with a state of how many each rival has got, its rank sum, and who holds the 1
and the top rank; states that agree are one. What the other cards do depends on the numbers alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerView

_NOBODY = -1


@dataclass(frozen=True)
class HandSums:
    """What may come of some species' sums, every outcome once.

    Attributes:
        config: the game's options.
        species: [K] which species.
        sums: [n, P, K] int64, by absolute seat.
        chances: [n] of every outcome; they sum to 1.
    """

    config: GameConfig
    species: tuple[int, ...]
    sums: NDArray[np.int64]
    chances: NDArray[np.float64]

    @property
    def expected(self) -> NDArray[np.float64]:
        """[P, K] mean sums."""
        mean: NDArray[np.float64] = np.tensordot(self.chances, self.sums, axes=1)
        return mean

    @property
    def rights(self) -> NDArray[np.float64]:
        """[P, K] chance of the right to score, if hands stayed as they are; ties share it."""
        if self.config.rights == "all":
            return np.ones(self.sums.shape[1:])
        right = self.sums == self.sums.max(axis=1, keepdims=True)
        chance: NDArray[np.float64] = np.tensordot(self.chances, right.astype(np.float64), axes=1)
        return chance

    def chances_of(self, seat: int, species: int) -> NDArray[np.float64]:
        """[m + 1] chance of every sum of one seat, from 0 to the largest.

        Args:
            seat: absolute.
            species: one of ``species``.
        """
        sums = self.sums[:, seat, self.species.index(species)]
        chances: NDArray[np.float64] = np.bincount(sums, self.chances).astype(np.float64)
        return chances


def merged(
    rows: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Different rows [n, m], ascending, and the sum of the weights [n] of each."""
    different, index = np.unique(rows, axis=0, return_inverse=True)
    return different, np.bincount(index.ravel(), weights, len(different)).astype(np.float64)


def mixed_sums(parts: Sequence[tuple[float, HandSums]]) -> HandSums:
    """The distribution of a mixture; shares sum to 1."""
    first = parts[0][1]
    shape = first.sums.shape[1:]
    rows = np.concatenate([part.sums.reshape(len(part.sums), -1) for _, part in parts])
    weights = np.concatenate([share * part.chances for share, part in parts])
    sums, chances = merged(rows, weights)
    return HandSums(first.config, first.species, sums.reshape(-1, *shape), chances)


def sums_of_assignments(
    view: PlayerView,
    unseen: NDArray[np.int64],
    places: NDArray[np.int8],
    chances: NDArray[np.float64],
    species: Sequence[int],
) -> HandSums:
    """The distribution over given assignments.

    Args:
        view: what the seat knows.
        unseen: [U] card ids.
        places: [N, U] assignments, see ``belief``.
        chances: [N] of each.
        species: [K] which species.
    """
    config = view.config
    players, count = config.num_players, len(places)
    sums = np.zeros((count, players, len(species)), np.int64)
    for number, each in enumerate(species):
        ranks = unseen % config.num_ranks + 1
        asked = unseen // config.num_ranks == each
        raw, ace, top = _known(view, each)
        total = np.tile(raw, (count, 1))
        one, last = np.full(count, ace), np.full(count, top)
        for column in np.flatnonzero(asked):
            owner = (view.seat + 1 + places[:, column].astype(np.int64)) % players
            held = places[:, column] < players - 1
            total[np.flatnonzero(held), owner[held]] += ranks[column]
            if ranks[column] == 1:
                one = np.where(held, owner, one)
            if ranks[column] == config.num_ranks:
                last = np.where(held, owner, last)
        sums[:, :, number] = _cancelled(config, total, one, last)
    rows, weights = merged(sums.reshape(count, -1), chances)
    return HandSums(config, tuple(species), rows.reshape(-1, players, len(species)), weights)


def exact_sums(
    view: PlayerView,
    unseen: NDArray[np.int64],
    odds: NDArray[np.float64],
    rest: Callable[[NDArray[np.bool_]], NDArray[np.float64]],
    species: Sequence[int],
) -> HandSums:
    """The distribution by going through cards, not assignments.

    Args:
        view: what the seat knows.
        unseen: [U] card ids.
        odds: [U, P] of every place of every card.
        rest: of the cards [U] that are not of the species: [slots + 1, ...] the total weight of
            their assignments, by how many cards the rivals still have to get.
        species: [K] which species; the work grows with the product of their outcomes.
    """
    config = view.config
    players, rivals = config.num_players, config.num_players - 1
    rows, weights = np.zeros((1, rivals), np.int64), np.ones(1)
    for each in species:
        asked = np.flatnonzero(unseen // config.num_ranks == each)
        states, chances = _of_species(view, each, unseen[asked] % config.num_ranks, odds[asked])
        # Counts add up, sums stand side by side.
        left = np.repeat(rows, len(states), axis=0)
        right = np.tile(states, (len(rows), 1))
        counts = left[:, :rivals] + right[:, :rivals]
        rows, weights = merged(
            np.concatenate([counts, left[:, rivals:], right[:, rivals:]], axis=1),
            np.repeat(weights, len(states)) * np.tile(chances, len(weights)),
        )
    others = rest(~np.isin(unseen // config.num_ranks, species))
    need = np.array(others.shape) - 1 - rows[:, :rivals]
    fits = (need >= 0).all(axis=1)
    weights = weights[fits] * others[tuple(need[fits].T)]
    possible = weights > 0
    sums, chances = merged(rows[fits][possible][:, rivals:], weights[possible] / weights.sum())
    shaped = sums.reshape(-1, len(species), players).transpose(0, 2, 1)
    return HandSums(config, tuple(species), shaped, chances)


def _of_species(
    view: PlayerView, species: int, ranks: NDArray[np.int64], odds: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """([n, P - 1 + P] cards that each rival has got and sums by seat, [n] weights)."""
    config, players = view.config, view.config.num_players
    raw, ace, top = _known(view, species)
    rows = np.concatenate([np.zeros(players - 1, np.int64), raw, [ace, top]])[None, :]
    weights = np.ones(1)
    for rank, chances in zip(ranks, odds, strict=True):
        branches = [rows]
        for place in range(players - 1):
            owner = (view.seat + 1 + place) % players
            branch = rows.copy()
            branch[:, place] += 1
            branch[:, players - 1 + owner] += rank + 1
            if rank == 0:
                branch[:, -2] = owner
            if rank == config.num_ranks - 1:
                branch[:, -1] = owner
            branches.append(branch)
        factors = np.repeat([chances[-1], *chances[:-1]], len(rows))
        rows, weights = merged(np.concatenate(branches), factors * np.tile(weights, players))
    sums = _cancelled(config, rows[:, players - 1 : -2], rows[:, -2], rows[:, -1])
    return merged(np.concatenate([rows[:, : players - 1], sums], axis=1), weights)


def _known(view: PlayerView, species: int) -> tuple[NDArray[np.int64], int, int]:
    """([P] rank sums that the observer knows of, who holds the 1, who holds the top rank)."""
    config = view.config
    raw, ace, top = np.zeros(config.num_players, np.int64), _NOBODY, _NOBODY
    for seat in range(config.num_players):
        for card in view.hand if seat == view.seat else view.known_hands[seat]:
            if card // config.num_ranks == species:
                rank = card % config.num_ranks
                raw[seat] += rank + 1
                ace = seat if rank == 0 else ace
                top = seat if rank == config.num_ranks - 1 else top
    return raw, ace, top


def _cancelled(
    config: GameConfig,
    sums: NDArray[np.int64],
    ace: NDArray[np.int64],
    top: NDArray[np.int64],
) -> NDArray[np.int64]:
    """[n, P] sums in which a top rank counts 0 where another seat holds the 1."""
    if not config.cancel_eights:
        return sums
    lost = np.flatnonzero((ace != _NOBODY) & (top != _NOBODY) & (ace != top))
    sums = sums.copy()
    sums[lost, top[lost]] -= config.num_ranks
    return sums
