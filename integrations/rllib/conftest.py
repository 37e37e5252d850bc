"""Variables under which Ray starts here: on a busy machine, too, and without files at home.

They are set before anything imports Ray, which reads some of them once.
"""

import os

# No longer than a busy machine needs: a raylet whose agents are not there within a quarter of a
# minute ends itself, and Ray goes on waiting for it; `connection` then tries again.
os.environ |= {
    "RAY_AUTH_MODE": "disabled",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_raylet_start_wait_time_s": "60",
    "RAY_gcs_server_request_timeout_seconds": "300",
}
os.environ.pop("RAY_ADDRESS", None)
