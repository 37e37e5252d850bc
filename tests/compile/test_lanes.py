"""Vectors of sixteen bytes: every operation on all pairs of bytes, against numpy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arboretum_env.compile import kernel
from arboretum_env.engine import lanes

BYTES = np.arange(256, dtype=np.uint8)
A, B = (side.ravel() for side in np.meshgrid(BYTES, BYTES))  # all pairs


def on_pairs(operation: Any) -> np.ndarray:
    """What an operation on two vectors gives for all pairs of bytes."""

    @kernel
    def apply(a: Any, b: Any, out: Any) -> Any:
        for i in range(0, a.size, lanes.WIDTH):
            lanes.store(out, i, operation(lanes.load(a, i), lanes.load(b, i)))

    out = np.zeros_like(A)
    apply(A, B, out)
    return out


def holds(truth: np.ndarray) -> np.ndarray:
    return np.where(truth, 255, 0).astype(np.uint8)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("add", lambda a, b: a + b),
        ("subtract", lambda a, b: a - b),
        ("excess", lambda a, b: np.where(a > b, a - b, 0)),
        ("both", lambda a, b: a & b),
        ("without", lambda a, b: a & ~b),
        ("larger", np.maximum),
        ("equal", lambda a, b: holds(a == b)),
        ("less", lambda a, b: holds(a < b)),
        ("above", lambda a, b: holds(a > b)),
    ],
)
def test_operations_on_all_pairs(
    name: str, expected: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> None:
    np.testing.assert_array_equal(on_pairs(getattr(lanes, name)), expected(A, B))


def test_shifts_by_less_than_a_byte() -> None:
    @kernel
    def shift(a: Any, bits: Any, out: Any) -> Any:
        for i in range(0, a.size, lanes.WIDTH):
            lanes.store(out, i, lanes.shift_right(lanes.load(a, i), lanes.splat(bits)))

    for bits in range(8):
        out = np.zeros_like(BYTES)
        shift(BYTES, bits, out)
        np.testing.assert_array_equal(out, BYTES >> bits)


def test_choosing_lane_by_lane() -> None:
    @kernel
    def choose(condition: Any, a: Any, b: Any, out: Any) -> Any:
        taken = lanes.choose(lanes.load(condition, 0), lanes.load(a, 0), lanes.load(b, 0))
        lanes.store(out, 0, taken)

    condition = np.array([255, 0] * 8, np.uint8)
    out = np.zeros(16, np.uint8)
    choose(condition, BYTES[:16], BYTES[100:116], out)
    assert out.tolist() == [i if i % 2 == 0 else 100 + i for i in range(16)]


def test_sums_and_largest_do_not_wrap() -> None:
    @kernel
    def reduce(a: Any) -> Any:
        vector = lanes.load(a, 0)
        return lanes.total_of(vector), lanes.largest_of(vector)

    rng = np.random.default_rng(5)
    for row in [np.full(16, 255, np.uint8), *rng.integers(0, 256, (20, 16), np.uint8)]:
        assert reduce(row) == (int(row.sum(dtype=np.int64)), int(row.max()))


@pytest.mark.parametrize("value", [0, 1, 255, 256 + 7, -1])
def test_the_lower_byte_of_a_number_goes_everywhere(value: int) -> None:
    @kernel
    def fill(value: Any, out: Any) -> Any:
        lanes.store(out, 3, lanes.splat(value))

    out = np.full(24, 9, np.uint8)
    fill(value, out)
    assert out.tolist() == [9] * 3 + [value % 256] * 16 + [9] * 5


@pytest.mark.parametrize("count", [1, 5, 15, 16, 17])
def test_interleaving_writes_as_many_as_asked(count: int) -> None:
    @kernel
    def write(table: Any, count: Any, out: Any) -> Any:
        lanes.store_interleaved(
            out, 2, count, lanes.load(table, 0), lanes.load(table, 16),
            lanes.load(table, 32), lanes.load(table, 48),
        )  # fmt: skip

    table = BYTES[:64].copy()
    out = np.full(80, 200, np.uint8)
    write(table, count, out)
    written = 4 * min(count, 16)
    expected = table.reshape(4, 16).T.ravel()[:written].tolist()
    assert out.tolist() == [200] * 2 + expected + [200] * (78 - written)


@pytest.mark.parametrize("count", [0, 1, 15, 16, 33, 460])
def test_clearing_stops_where_it_should(count: int) -> None:
    @kernel
    def clear(out: Any, count: Any) -> Any:
        lanes.clear(out, count)

    out = np.full(480, 7, np.uint8)
    clear(out, count)
    assert out.tolist() == [0] * count + [7] * (480 - count)
