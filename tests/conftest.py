"""Fixtures of several themes."""

from collections.abc import Iterator

import pytest


@pytest.fixture
def one_thread() -> Iterator[None]:
    """One thread of torch: equal sums on any machine, and no threads in each other's way."""
    import torch  # lazily: most themes need none

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
