"""Where randomness comes from.

Every random number of the engine is a pure function of a 64-bit key and a counter: SplitMix64
(Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), used as a
counter-based generator. So game ``i`` of a root is the same game in any batch, and a decision's
random number does not depend on the row it stands in.
"""

from enum import IntEnum
from typing import Any, Final

import numpy as np

from arboretum_env.compile import kernel
from arboretum_env.errors import DealError

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, SplitMix64's increment
_MULTIPLIER_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2: Final = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


class Purpose(IntEnum):
    """What deals are for. Deals of different purposes never coincide, whatever the seed.

    No purpose is 0: ``SeedSequence`` takes a large seed as several words and pads with zeros, so
    that a 0 behind a large seed could not be told from another purpose behind a small one.
    """

    EVALUATE = 1
    BENCHMARK = 2
    USER = 3
    TRAIN = 4
    SUITE = 5
    SELECT = 6
    DATASET = 7


def checked_seed(seed: Any) -> int:
    """A seed that somebody gave, as an integer.

    Raises:
        DealError: it is no non-negative integer.
    """
    if isinstance(seed, bool | np.bool_) or not isinstance(seed, int | np.integer) or seed < 0:
        raise DealError(f"seed {seed!r}: expected a non-negative integer")
    return int(seed)


def random_seed() -> int:
    """A seed of 64 bits from the machine's entropy, for streams that nobody seeded."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])


def root_from_seed(seed: int, purpose: Purpose) -> int:
    """The 64-bit root of all deals of one seed and purpose.

    Args:
        seed: any non-negative integer.
        purpose: keeps, say, evaluation deals apart from training deals.

    Raises:
        ValueError: a negative seed.
    """
    if seed < 0:
        raise ValueError(f"seed {seed}: expected a non-negative integer")
    state = np.random.SeedSequence((seed, int(purpose))).generate_state(1, np.uint64)
    return int(state[0])


@kernel(inline="always")
def mix64(value):  # type: ignore[no-untyped-def]
    """SplitMix64's finaliser: a bijection of 64-bit integers that scatters every bit."""
    value = (value ^ (value >> _30)) * _MULTIPLIER_1
    value = (value ^ (value >> _27)) * _MULTIPLIER_2
    return value ^ (value >> _31)


@kernel(inline="always")
def subkey(key, index):  # type: ignore[no-untyped-def]
    """Key number ``index`` derived from ``key`` (both uint64)."""
    return mix64(mix64(key) + GOLDEN * (index + np.uint64(1)))


@kernel(inline="always")
def bounded(random, bound):  # type: ignore[no-untyped-def]
    """Integer in [0, bound) from 64 random bits; bias below bound / 2**32, here under 2e-8."""
    return np.int64(((random >> _32) * np.uint64(bound)) >> _32)


@kernel
def _uniforms(key, game_ids, seats, decisions, out):  # type: ignore[no-untyped-def]
    for i in range(out.shape[0]):
        game_key = subkey(key, game_ids[i])
        bits = subkey(subkey(game_key, np.uint64(seats[i])), np.uint64(decisions[i]))
        out[i] = np.float64(bits >> np.uint64(11)) * 2.0**-53


def uniforms(
    seed: int,
    game_ids: np.ndarray,
    seats: np.ndarray,
    decisions: np.ndarray,
) -> np.ndarray:
    """One uniform number in [0, 1) a row, keyed by (seed, game, seat, decision), never by the row.

    Args:
        seed: any integer; only its low 64 bits count.
        game_ids: [B] uint64.
        seats: [B] absolute seats.
        decisions: [B] the seat's decision number within its game.

    Returns:
        [B] float64.
    """
    out = np.empty(len(game_ids), np.float64)
    _uniforms(
        np.uint64(seed & 0xFFFFFFFFFFFFFFFF),
        np.ascontiguousarray(game_ids, np.uint64),
        np.ascontiguousarray(seats, np.int64),
        np.ascontiguousarray(decisions, np.int64),
        out,
    )
    return out
