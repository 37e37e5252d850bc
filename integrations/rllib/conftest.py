"""Variables under which Ray starts here: on a busy machine, too, and without files at home."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _ray_variables() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        patch.setenv("RAY_raylet_start_wait_time_s", "300")
        patch.delenv("RAY_ADDRESS", raising=False)
        yield
