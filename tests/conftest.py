"""What holds for all tests, and fixtures of several themes."""

import signal
from collections.abc import Iterator

import pytest


def pytest_configure() -> None:
    """Lets SIGINT through again where it came in ignored, as to a job in a shell's background.

    Tests send it to programs of their own, which would inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """One thread of torch: equal sums on any machine, and no threads in each other's way."""
    import torch  # lazily: most themes need none

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
