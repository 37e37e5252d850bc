"""The example of docs/compatibility.md runs."""

from integrations.examples import run_example


def test_example() -> None:
    assert len(run_example("TorchRL")["decisions"]) == 50
