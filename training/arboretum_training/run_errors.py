"""What the system refuses while a run is under way, in terms of the run."""

from collections.abc import Iterator
from contextlib import contextmanager

from arboretum_env.errors import RunError


@contextmanager
def run_errors() -> Iterator[None]:
    """Turns an ``OSError`` into a ``RunError`` that names the file and says what is left.

    Checkpoints are written whole or not at all, so whatever is refused, the newest one is there.
    """
    try:
        yield
    except OSError as error:
        raise RunError(
            f"{error.filename}: {error.strerror or error}: the run stops here, and its newest "
            "checkpoint is intact; mend that, then go on with --resume"
        ) from error
