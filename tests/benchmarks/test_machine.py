"""What measurements are made on."""

import os

import pytest

from benchmarks.machine import described, one_core, version_of


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="Linux alone binds processes")
def test_one_core_and_then_all_again() -> None:
    before = os.sched_getaffinity(0)
    with one_core():
        assert os.sched_getaffinity(0) == {max(before)}
    assert os.sched_getaffinity(0) == before


def test_description_names_versions() -> None:
    assert f"numpy {version_of('numpy')}, no-such-thing not installed, 20" in described(
        ["numpy", "no-such-thing"]
    )
