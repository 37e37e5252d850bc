"""Pointers of compiled code read and write what arrays hold."""

from typing import Any

import numpy as np
import pytest

from arboretum_env.compile import kernel
from arboretum_env.engine.memory import pointer, row_pointer


@kernel
def read(array: Any, start: Any, index: Any) -> Any:
    return pointer(array, start)[index]


@kernel
def write(array: Any, start: Any, index: Any, value: Any) -> Any:
    place = pointer(array, start)
    place[index] = value


@kernel
def write_row(array: Any, row: Any, index: Any, value: Any) -> Any:
    place = row_pointer(array, row)
    place[index] = value


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int64, np.float32])
def test_elements_of_every_type(dtype: Any) -> None:
    array = np.array([3, 1, 4, 1, 5, 9, 2, 6], dtype)
    assert [read(array, 2, i) for i in range(-2, 6)] == array.tolist()
    write(array, 5, -3, 7)
    assert array.tolist() == [3, 1, 7, 1, 5, 9, 2, 6]


def test_what_is_written_is_converted_to_the_element() -> None:
    array = np.zeros(3, np.uint8)
    write(array, 0, 1, 256 + 9)
    assert array.tolist() == [0, 9, 0]
    write(array, 0, 2, True)
    assert array.tolist() == [0, 9, 1]
    signed = np.zeros(1, np.int8)
    write(signed, 0, 0, 255)
    assert signed.tolist() == [-1]
    real = np.zeros(1, np.float32)
    write(real, 0, 0, 0.1)
    assert real[0] == np.float32(0.1)


def test_truth_values_are_written_as_bytes() -> None:
    mask = np.zeros((2, 4), np.bool_)
    write_row(mask, 1, 2, 5 > 3)
    assert mask.tolist() == [[False] * 4, [False, False, True, False]]
    assert mask.view(np.uint8)[1, 2] == 1


def test_rows_of_tables_of_two_and_three_axes() -> None:
    table = np.zeros((3, 5), np.int64)
    write_row(table, 2, 4, 11)
    assert table[2, 4] == 11 and table.sum() == 11
    block = np.zeros((3, 2, 5), np.int64)
    write_row(block, 1, 7, 13)  # row 1 of the first axis, flat within
    assert block[1, 1, 2] == 13 and block.sum() == 13


def test_a_pointer_into_a_pointer() -> None:
    @kernel
    def twice(array: Any) -> Any:
        inner = pointer(pointer(array, 3), 2)
        inner[0] = 42
        return inner[-1]

    array = np.arange(8)
    assert twice(array) == 4
    assert array.tolist() == [0, 1, 2, 3, 4, 42, 6, 7]
