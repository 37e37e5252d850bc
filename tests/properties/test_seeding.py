"""Seeds and purposes: no two of them share a root, however large the seed."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arboretum_env.seeding import Purpose, root_from_seed, uniforms

SEEDS = st.one_of(
    st.integers(0, 50),
    # Words of a large seed that look like a small seed followed by a purpose.
    st.builds(
        lambda low, high, word: low + (high << (32 * word)),
        st.integers(0, 50),
        st.integers(0, 5),
        st.integers(1, 2),
    ),
    st.integers(0, 2**96 - 1),
)
PURPOSES = st.sampled_from(Purpose)


@given(SEEDS, PURPOSES, SEEDS, PURPOSES)
def test_roots_coincide_only_for_the_same_seed_and_purpose(
    seed: int, purpose: Purpose, other: int, other_purpose: Purpose
) -> None:
    same = (seed, purpose) == (other, other_purpose)
    assert (root_from_seed(seed, purpose) == root_from_seed(other, other_purpose)) == same


def test_the_collision_that_was_found() -> None:
    """A purpose of 0 let 5 + 2**32 for training be 5 for evaluation: zeros pad the words."""
    seeds = [low + (high << 32) for low, high in product(range(20), range(6))]
    roots = {root_from_seed(seed, purpose) for seed, purpose in product(seeds, Purpose)}
    assert len(roots) == len(seeds) * len(Purpose)


def test_negative_seeds_are_refused() -> None:
    with pytest.raises(ValueError, match="seed -1: expected a non-negative integer"):
        root_from_seed(-1, Purpose.USER)


def test_uniform_numbers_depend_on_every_key_and_not_on_the_row() -> None:
    """8 values of each key: all numbers differ, and a permuted batch gives them permuted."""
    keys = np.array(list(product(range(8), range(4), range(8))))
    drawn = [uniforms(seed, keys[:, 0], keys[:, 1], keys[:, 2]) for seed in range(8)]
    assert len(np.unique(drawn)) == 8 * len(keys)
    assert np.min(drawn) >= 0
    assert np.max(drawn) < 1
    order = np.random.default_rng(0).permutation(len(keys))
    again = uniforms(3, keys[order, 0], keys[order, 1], keys[order, 2])
    assert np.array_equal(again, drawn[3][order])
