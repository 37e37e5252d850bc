"""The suite: its card follows from the games, and altered results are rejected."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_training.evaluation import suite, suite_verify
from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.evaluation.errors import EvaluationError, ResultError
from arboretum_training.evaluation.ladder import published_ratings
from arboretum_training.evaluation.suite import Rung, rungs_of
from arboretum_training.evaluation.suite_card import card_text
from arboretum_training.evaluation.suite_result import SuiteResult, read_result
from arboretum_training.evaluation.suite_run import (
    finish_suite,
    play_matches,
    playable,
    suite_matches,
)
from arboretum_training.evaluation.suite_verify import verify
from tests.evaluation.stub_agents import FirstLegal
from tests.evaluation.suites import GivesUp, contents, forged, measured, silent
from tests.evaluation.test_networks import saved_network
from tests.evaluation.tournaments import every_byte

RUNGS = [rung.spec for rung in rungs_of(3)]


@pytest.fixture(scope="module", autouse=True)
def _quick_rungs() -> Iterator[None]:
    """Two players too meet the rungs of three alone: the slow one would take minutes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suite, "LADDER", rungs_of(3))
        yield


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result file of greedy against random, for two players."""
    return measured("greedy", tmp_path_factory.mktemp("suite"), keep=2)[1]


def test_a_rung_may_be_left_out_at_some_numbers_of_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = (Rung("random@1", {2: 3, 3: 3}), Rung("greedy@1", {2: 2}))
    monkeypatch.setattr(suite, "LADDER", two)
    who = identify("greedy")
    matches = suite_matches(who, (2, 3, 4), tmp_path, "sample", None)
    assert {key: match.deals for key, match in matches.items()} == {
        (2, "random@1"): 3,
        (2, "greedy@1"): 2,
        (3, "random@1"): 3,
    }
    play_matches(list(matches.values()), workers=1, records=True, report=silent)
    card, file = finish_suite(who, matches, tmp_path)
    assert card["official"] is True
    assert verify(read_result(file), sample=None, seed=0) == 3 * 2 + 2 * 2 + 3 * 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_card_follows_from_the_games(players: int, tmp_path: Path) -> None:
    card, _, matches = measured("greedy", tmp_path, players=[players], deals=4)
    part = card["players"][str(players)]
    assert list(part["rungs"]) == RUNGS
    assert card["official"] is False and part["deals"] == 4
    for rung, figures in part["rungs"].items():
        games = matches[players, rung].games()
        own = games.seating == 0
        assert figures["games"] == len(games) == 4 * players
        assert figures["win_rate"] == pytest.approx(games.win_shares[own].mean())
        assert figures["points"] == pytest.approx(
            [games.points[own].mean(), games.points[~own].mean()]
        )
        denied = [games.denied_points[own].mean(), games.denied_points[~own].mean()]
        assert figures["denied"] == pytest.approx(denied)
        assert figures["denied_share"][0] == pytest.approx(
            denied[0] / (denied[0] + games.points[own].mean())
        )
        assert figures["margin"] == pytest.approx(
            games.points[own].mean() - games.points[~own].mean()
        )
        low, high = figures["win_rate_ci95"]
        assert low <= figures["win_rate"] <= high
    low, high = part["rating_ci95"]
    ratings = published_ratings(players).values()
    assert min(ratings) < low <= part["rating"] <= high < max(ratings)


def test_the_agent_sits_alone_in_every_seat_of_the_suites_deals(tmp_path: Path) -> None:
    _, _, matches = measured(FirstLegal, tmp_path, players=[3], deals=4, keep=1)
    games = matches[3, "random@1"].games()
    assert ((games.seating == 0).sum(axis=1) == 1).all()
    assert (games.seating == 0).sum(axis=0).tolist() == [4, 4, 4]


def test_a_card_to_be_quoted(tmp_path: Path) -> None:
    card, _, _ = measured("greedy", tmp_path, deals=4)
    text = card_text(card)
    assert text.startswith("Arboretum suite 1: greedy@1   UNOFFICIAL")
    assert all(len(line) <= 100 for line in text.splitlines())
    part = card["players"]["2"]
    assert f"rating {part['rating']:.0f} (" in text
    for rung, figures in part["rungs"].items():
        [line] = [line for line in text.splitlines() if line.strip().startswith(rung)]
        assert f"{100 * figures['win_rate']:.1f} (" in line
        assert "{:.1f} : {:.1f}".format(*figures["denied"]) in line
    assert card["agent"]["digest"][:12] in text and part["deals_hash"][:12] in text
    assert "UNOFFICIAL" not in card_text({**card, "official": True})
    # Read from a result file, whose keys are sorted, it is the same text.
    assert card_text(json.loads(json.dumps(card, sort_keys=True))) == text


def test_going_on_and_workers_cannot_be_seen(tmp_path: Path) -> None:
    whole, file, _ = measured("greedy", tmp_path / "one", deals=70, keep=2)
    before = file.read_bytes()
    units = sorted((tmp_path / "one").rglob("units/*/*.json"))
    units[1].unlink()
    records = sorted((tmp_path / "one").rglob("*.arb"))
    records[5].unlink()
    again, file, _ = measured("greedy", tmp_path / "one", deals=70, keep=2, workers=2)
    assert again == whole
    assert file.read_bytes() == before
    _, file, _ = measured("greedy", tmp_path / "two", deals=70, keep=2, workers=2)
    assert file.read_bytes() == before
    assert every_byte(tmp_path / "one") == every_byte(tmp_path / "two")


def test_a_network_plays_the_number_of_players_that_it_learned(tmp_path: Path) -> None:
    agent = identify(str(saved_network(tmp_path / "run", GameConfig(num_players=3))))
    assert playable(agent, (2, 3, 4), "sample") == [3]
    with pytest.raises(EvaluationError, match="for none of 2, 4 players"):
        playable(agent, (2, 4), "sample")
    assert playable(identify("greedy"), (2, 4), "sample") == [2, 4]


@pytest.mark.parametrize("sample", [1, None])
def test_an_honest_result_is_verified(honest: Path, sample: int | None) -> None:
    assert verify(read_result(honest), sample=sample, seed=1) == 2 * 3 * 2


def test_a_sample_is_some_units_and_all_is_all(tmp_path: Path) -> None:
    _, file, _ = measured("greedy", tmp_path, deals=70, keep=1)
    assert verify(read_result(file), sample=1, seed=0) in (2 * 64, 2 * 6)
    assert verify(read_result(file), sample=None, seed=0, workers=2) == 2 * 70


def test_three_and_four_players_are_verified(tmp_path: Path) -> None:
    _, file, _ = measured(FirstLegal, tmp_path, players=[3, 4], deals=2)
    assert verify(read_result(file), sample=None, seed=0) == len(RUNGS) * 2 * (3 + 4)


def test_forfeits_are_replayed_too(tmp_path: Path) -> None:
    _, file, matches = measured(GivesUp, tmp_path, players=[2, 3], deals=3)
    for match in matches.values():
        games = match.games()
        given_up = games.forfeits >= 0
        assert (given_up == (games.game_id % 2 == 0)).all()
        assert (games.win_shares[given_up][games.seating[given_up] == 0] == 0).all()
    assert verify(read_result(file), sample=None, seed=0) == len(RUNGS) * 3 * (2 + 3)

    def passed_off(members: dict[str, bytes], data: Any) -> None:
        name = first_record(members)
        assert b"forfeit seat 0" in members[name]
        members[name] = members[name].replace(b"forfeit seat 0", b"forfeit seat 1")

    with pytest.raises(ResultError, match="game 0"):
        verify(read_result(forged(file, passed_off)), sample=None, seed=0)


def first_record(members: dict[str, bytes]) -> str:
    return next(name for name in members if name.endswith(".arb"))


def replace_in_record(old: bytes, new: bytes) -> Any:
    def change(members: dict[str, bytes], data: Any) -> None:
        name = first_record(members)
        assert old in members[name]
        members[name] = members[name].replace(old, new, 1)

    return change


def set_figure(*path: str | int) -> Any:
    def change(members: dict[str, bytes], data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] += 1

    return change


@pytest.mark.parametrize(
    "change",
    [
        replace_in_record(b'[Seat0 "greedy@1"]', b'[Seat0 "greedy@2"]'),
        set_figure("card", "players", "2", "rating"),
        set_figure("card", "players", "2", "rungs", "random@1", "win_rate"),
        set_figure("matches", 0, "games", "points", 0, 0),
        set_figure("card", "versions", "rules"),
    ],
)
def test_whatever_is_altered_no_longer_has_its_hash(honest: Path, change: Any) -> None:
    with pytest.raises(ResultError, match="altered"):
        read_result(forged(honest, change, records_hash=False, result_hash=False))


def last_move_dropped(members: dict[str, bytes], data: Any) -> None:
    name = first_record(members)
    members[name] = members[name].rstrip().rsplit(b"\n", 1)[0] + b"\n"


def another_discard(members: dict[str, bytes], data: Any) -> None:
    """The first turn of the first game discards the other card that it might have discarded."""
    name = first_record(members)
    text = members[name].decode()
    hand = text.split('[Hands "')[1].split(" / ")[0].split()
    turn = next(line for line in text.splitlines() if line.startswith("1. "))
    *_, planted, discarded = turn.split()
    other = next(card for card in hand if card not in (planted.split("@")[0], discarded[1:]))
    members[name] = text.replace(turn, turn.replace(discarded, f"x{other}"), 1).encode()


def points_made_up(members: dict[str, bytes], data: Any) -> None:
    """Denied points stand in no record: only the replay shows them."""
    data["matches"][0]["games"]["denied_points"][0][0] += 3
    rung = data["card"]["players"]["2"]["rungs"]["random@1"]
    denied = np.array(data["matches"][0]["games"]["denied_points"])
    own = np.array(data["matches"][0]["games"]["seating"]) == 0
    points = np.array(data["matches"][0]["games"]["points"])
    rung["denied"] = [float(denied[own].mean()), float(denied[~own].mean())]
    rung["denied_share"] = [
        float(denied[side].mean() / max(denied[side].mean() + points[side].mean(), 1e-12))
        for side in (own, ~own)
    ]


def match_left_out(members: dict[str, bytes], data: Any) -> None:
    gone = data["matches"].pop()
    for name in [name for name in members if f"/{gone['name']}/" in name]:
        del members[name]


def deals_left_out(members: dict[str, bytes], data: Any) -> None:
    games = data["matches"][0]["games"]
    for values in games.values():
        del values[-2:]
    name = data["matches"][0]["name"]
    for member in sorted(member for member in members if f"/{name}/" in member)[-2:]:
        del members[member]


def another_deal(members: dict[str, bytes], data: Any) -> None:
    """The first game is the one of the next deal, with its figures: played, but not that deal."""
    match = data["matches"][0]
    first, _, other, *_ = (name for name in members if f"/{match['name']}/" in name)
    members[first] = members[other]
    for name in ("points", "winners", "denied_points", "turns"):
        match["games"][name][0] = match["games"][name][2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (another_deal, "game 0: is not the suite's deal"),
        (set_figure("card", "players", "2", "rating"), "the card does not follow from the games"),
        (
            set_figure("card", "players", "2", "rungs", "greedy@1", "win_rate"),
            "the card does not follow",
        ),
        (set_figure("matches", 0, "games", "points", 0, 0), "the card does not follow"),
        (set_figure("card", "suite"), "suite 2: expected 1"),
        (set_figure("matches", 0, "settings", "seed"), "other settings than the suite's"),
        (set_figure("matches", 1, "games", "seating", 0, 0), "seating is not that of every seat"),
        (match_left_out, "the card does not follow from the games"),
        (deals_left_out, "is not that of every seat of every deal"),
        (points_made_up, "denied_points is not what was played"),
        (replace_in_record(b'[Seat0 "greedy@1"]', b'[Seat0 "random@1"]'), "names other agents"),
        (replace_in_record(b"1. d", b"1. z"), "game 0: line"),
        (last_move_dropped, "game 0: "),
        (another_discard, "game 0: "),
    ],
)
def test_forgeries_with_mended_hashes_are_rejected(honest: Path, change: Any, message: str) -> None:
    result = read_result(forged(honest, change))
    if change is another_deal:
        result = with_true_card(result)
    with pytest.raises(ResultError, match=message):
        verify(result, sample=None, seed=0)


def test_a_rung_that_plays_worse_than_it_does_is_noticed(tmp_path: Path) -> None:
    """Games against ``random`` that are passed off as games against ``greedy``."""
    _, file, _ = measured("greedy", tmp_path, keep=2)

    def passed_off(members: dict[str, bytes], data: Any) -> None:
        weak, strong = data["matches"]
        strong["games"] = weak["games"]
        for name in [name for name in members if f"/{weak['name']}/" in name]:
            text = members[name].replace(b'"random@1"', b'"greedy@1#2"')
            members[name.replace(weak["name"], strong["name"])] = text
        figures = data["card"]["players"]["2"]["rungs"]
        kept = figures["greedy@1"]["digest"]
        figures["greedy@1"] = {**figures["random@1"], "digest": kept}

    result = read_result(forged(file, passed_off))
    # Its card has another rating now; whoever mends that too is caught by the replay.
    expected = "does not fit what greedy@1 plays|greedy@1 does not play like that"
    with pytest.raises(ResultError, match=expected):
        verify(with_true_card(result), sample=None, seed=0)


def with_true_card(result: SuiteResult) -> SuiteResult:
    """The result with the card that follows from its games."""
    agent = suite_verify._agent_of(result)
    matches = {
        (match.players, match.rung): suite_verify._check_match(agent, match, result.card["mode"])
        for match in result.matches
    }
    return replace(result, card=suite_verify.make_card(agent, matches))


def test_members_that_do_not_belong_there(honest: Path) -> None:
    def more(members: dict[str, bytes], data: Any) -> None:
        members["games/extra.arb"] = b""

    def fewer(members: dict[str, bytes], data: Any) -> None:
        del members[first_record(members)]

    with pytest.raises(ResultError, match=r"games/extra\.arb: does not belong"):
        read_result(forged(honest, more))
    with pytest.raises(ResultError, match=r"\.arb is missing"):
        read_result(forged(honest, fewer))


def test_no_changed_byte_fails_otherwise(honest: Path, tmp_path: Path) -> None:
    """Damage anywhere is noticed, or lies where a zip keeps nothing that is read."""
    whole = honest.read_bytes()
    rng = np.random.default_rng(6)
    path = tmp_path / "damaged.zip"
    noticed = 0
    for _ in range(300):
        data = bytearray(whole)
        data[rng.integers(len(data))] ^= rng.integers(1, 256)
        path.write_bytes(data)
        try:
            read_result(path)
        except ResultError:
            noticed += 1
    assert noticed > 200


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"{}"])
def test_files_that_are_no_results(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "result.zip"
    path.write_bytes(data)
    with pytest.raises(ResultError, match="is no result of the suite"):
        read_result(path)


def test_the_result_holds_the_hashes_and_games(honest: Path) -> None:
    members = contents(honest)
    data = json.loads(members["result.json"])
    assert data["card"]["agent"]["pinned"] == "greedy@1"
    assert len(data["card"]["players"]["2"]["deals_hash"]) == 64
    assert len(members) == 1 + 2 * 3 * 2
