"""``arboretum bench``: the figures that it promises. Their size is no test's business."""

import json

import pytest

from arboretum_lab.cli.main import main

RATES = ("step_mask_per_s", "step_mask_observation_per_s", "floor_per_s", "aec_env_per_s")


@pytest.mark.parametrize(("players", "observation", "state"), [(2, 201, 1280), (4, 329, 1472)])
def test_json(
    players: int, observation: int, state: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "--players", str(players), "--batch", "3", "--seconds", "0.1", "--json"]
    assert main(words) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["players"], report["batch"]) == (players, 3)
    assert (report["observation_bytes"], report["state_bytes"]) == (observation, state)
    assert all(report[name] > 0 for name in RATES)
    ratio = report["step_mask_per_s"] / report["floor_per_s"]
    assert report["step_mask_to_floor"] == pytest.approx(ratio)


def test_table_and_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "-B", "2", "--seconds", "0.1"]) == 0
    assert "step + mask + observation" in capsys.readouterr().out
    assert main(["bench", "--batch", "0"]) == 2
    assert "expected 1..1,000,000 games" in capsys.readouterr().err
    assert main(["bench", "--seconds", "0"]) == 2
    refusal = "seconds 0: expected 1..1,000,000 games and 0.1..3,600 seconds; figures of a shorter"
    assert refusal in capsys.readouterr().err
    for words in (["--batch", "1000000000000"], ["--seconds", "nan"], ["--seconds", "-1"]):
        assert main(["bench", *words]) == 2
    assert main(["bench", "--players", "5"]) == 2
