"""``arboretum evaluate`` and ``arboretum agents`` as a user calls them."""

import json
from pathlib import Path
from typing import Any

import pytest

from arboretum_lab.cli.main import main
from arboretum_training.evaluation.evaluate import Games, Unit, play_unit

SMALL = ["--deals", "4", "--seed", "7", "--workers", "1"]


def printed_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(list(words)) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return json.loads(printed.out)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_evaluate_json(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    report = printed_json(
        capsys, "evaluate", "random", "random", "--players", str(players), "--json", *SMALL
    )
    assert report["deals"] == 4
    assert report["games"] == 4 * players
    assert list(report["agents"]) == list(report["denied_points"]) == ["random", "random#2"]
    shares = 0.0
    for name, seats in (("random", 1), ("random#2", players - 1)):
        agent = report["agents"][name]
        assert set(agent) >= {"win_rate", "win_rate_ci95", "mean_score", "seat_win_rates", "ties"}
        low, high = agent["win_rate_ci95"]
        assert 0 <= low <= agent["win_rate"] <= high <= 1
        assert len(agent["seat_win_rates"]) == players
        shares += agent["win_rate"] * seats
    assert shares == pytest.approx(1.0)
    low, high = report["margin_ci95"]
    assert low <= report["margin"] <= high
    assert report["margin"] == pytest.approx(
        report["agents"]["random"]["mean_score"] - report["agents"]["random#2"]["mean_score"]
    )


def test_one_deal_is_enough_for_valid_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "random", "random", "--deals", "1", "--workers", "1", "--json"]
    report = printed_json(capsys, *words)
    assert report["margin_ci95"] is None
    low, high = report["agents"]["random"]["win_rate_ci95"]
    assert high - low > 0.5


def test_evaluate_prints_a_table_and_saves_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a" / "games"
    assert main(["evaluate", "random", "random", "--save-games", str(folder), *SMALL]) == 0
    printed = capsys.readouterr()
    assert "random#2" in printed.out and "margin of random" in printed.out
    assert printed.err == ""
    assert len(list(folder.glob("*.arb"))) == 8


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "1 agents: expected at least 2 to compare"),
        (["randon"], "unknown agent 'randon'; did you mean 'random'?"),
        (["random:x=1"], "agent 'random' has no option 'x'"),
        ([""], "agent '': expected NAME[@VERSION][:KEY=VALUE,...] or a folder"),
        (["no/such/run"], "agent 'no/such/run': expected a run or checkpoint folder"),
        (["random", "--players", "5"], "game options: num_players 5: expected at most 4"),
        (["random", "--deals", "0"], "0 deals: expected at least 1"),
        (["random", "--seed", "-3"], "seed -3: expected"),
        (["random", "--workers", "0"], "--workers 0: expected"),
        (["random", "--players", "five"], "--players five: expected an integer (see arboretum"),
        (["random", "--species", "12"], "game options: 12 species: expected 2..10"),
        (["random", "--species", "CCX"], "game options: species 'CCX'"),
        (["random", "--sprt", "elo0=0"], "sprt: elo1 missing, expected elo0=... elo1=..."),
        (["random", "--sprt"], "sprt: elo0 and elo1 missing"),
        (["random", "--sprt", "elo0=9", "elo1=1"], "sprt elo0=9 elo1=1: expected elo0 < elo1"),
        (
            ["random", "--sprt", "elo0=0", "elo1=9", "--max-deals", "0"],
            "0 deals: expected at least 1",
        ),
        (["random", "--detect", "1.5"], "detect 1.5: expected a win rate"),
        (["random", "--detect", "0.03", "--power", "2"], "power 2: expected"),
        (
            ["random", "--detect", "0.03", "--control-variate"],
            "--detect and --control-variate do not go together: expected one of them",
        ),
        (["random", "--control-variate", "--deals", "9"], "9 deals: expected at least 640"),
        (
            ["random", "--control-variate", "--save-games", "here"],
            "--save-games does not go with --control-variate",
        ),
        (["random", "--mode", "best"], "--mode best: expected one of ('sample', 'greedy')"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "random", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith(f"arboretum: error: {message}")


TINY = ["--ranks", "4", "--hand-size", "3", "--species", "3", "--workers", "1", "--seed", "2"]


def test_sequential_test(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "greedy", "random", *TINY, "--sprt", "elo0=0", "elo1=30"]
    report = printed_json(capsys, *words, "--json")
    assert report["deals"] % 64 == 0 and report["games"] == 2 * report["deals"]
    sprt = report["sprt"]
    assert (sprt["elo0"], sprt["elo1"], sprt["alpha"], sprt["beta"]) == (0, 30, 0.05, 0.05)
    assert (sprt["verdict"], sprt["interrupted"]) == ("H1", False)
    assert sprt["llr"] >= sprt["bounds"][1] == pytest.approx(2.944, abs=1e-3)
    assert sprt["elo_ci95"][0] < sprt["elo"] < sprt["elo_ci95"][1]
    share = 10 ** (sprt["elo"] / 400)
    assert share / (share + 1) == pytest.approx(report["agents"]["greedy"]["win_rate"])
    assert main(words) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "H1 accepted: the lead of greedy is more than +0 Elo" in printed.out
    assert f"LLR {sprt['llr']:+.2f}, bounds -2.94 and +2.94" in printed.out


def test_interrupted_sequential_test_prints_what_is_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Games] = []

    def interrupted_later(unit: Unit) -> Games:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(play_unit(unit))
        return played[-1]

    monkeypatch.setattr("arboretum_training.evaluation.sequential.play_unit", interrupted_later)
    words = ["evaluate", "random", "random", *TINY, "--sprt", "elo0=0", "elo1=1", "--json"]
    assert main(words) == 130
    report = json.loads(capsys.readouterr().out)
    assert report["deals"] == 128
    assert (report["sprt"]["verdict"], report["sprt"]["interrupted"]) == ("undecided", True)


def test_deals_needed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "random", "random", *TINY, "--detect", "0.03", "--power", "0.9"]
    report = printed_json(capsys, *words, "--pilot-deals", "70", "--json")
    assert (report["detect"], report["power"], report["level"]) == (0.03, 0.9, 0.95)
    assert (report["pilot_deals"], report["workers"]) == (70, 1)
    assert report["games"] == 2 * report["deals"]
    needed = ((1.959964 + 1.281552) * report["deal_sd"] / 0.03) ** 2
    assert needed < report["deals"] < 1.25 * needed
    assert report["seconds"] > 0
    assert main(words) == 0
    text = capsys.readouterr().out
    assert text.startswith("pilot of 128 deals: a deal's share of the win spreads by ")
    assert "to see a difference of 3 % with power 0.9: " in text


def test_control_variate(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "greedy", "random", *TINY, "--deals", "640"]
    plain = printed_json(capsys, *words, "--json")
    report = printed_json(capsys, *words, "--control-variate", "--json")
    controlled = report.pop("control_variate")
    assert report == plain
    for name in ("win_rate", "margin"):
        figure = controlled[name]
        assert figure["ci95"][0] < figure["value"] < figure["ci95"][1]
        assert figure["variance_reduction"] < 1
    assert main([*words, "--control-variate"]) == 0
    assert "greedy without the luck of the draws: win % " in capsys.readouterr().out


def test_help_says_what_is_required(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "a run or checkpoint folder. (required)" in text
    assert "(default: )" not in text


def test_agents_lists_names_with_frozen_versions(capsys: pytest.CaptureFixture[str]) -> None:
    entries = printed_json(capsys, "agents", "--json")
    by_name = {f"{entry['name']}@{entry['version']}": entry for entry in entries}
    assert by_name["random@1"] == {
        "name": "random",
        "version": 1,
        "options": {},
        "defaults": {},
        "source": "arboretum-lab",
        "summary": "every legal move equally likely",
    }
    assert "greedy@1" in by_name
    assert main(["agents"]) == 0
    table = capsys.readouterr().out
    assert "random@1" in table and "greedy@1" in table
