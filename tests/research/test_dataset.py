"""Data sets: every row is what a slow replay says, whoever reads the file; stops and faults."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import score
from arboretum_env.history import HistoryKeeper
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import redact
from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.research import dataset
from arboretum_training.research.dataset import plan_dataset, seats_of, write_dataset, write_part
from arboretum_training.research.dataset_replay import (
    exact_deals,
    replay_dataset,
    verify_dataset,
)
from arboretum_training.research.dataset_schema import DatasetError, read_description
from tests.evaluation.stub_agents import FirstLegal
from tests.evaluation.suites import GivesUp
from tests.random_games import CONFIGS

TINY = GameConfig(num_players=2, species=3, num_ranks=4, hand_size=2)


def bits(data: bytes) -> list[int]:
    return np.flatnonzero(np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")).tolist()


def written(path: Path, config: GameConfig, *agents: Any, **options: Any) -> Path:
    options = {"games": 6, "seed": 9, **options}
    plan = plan_dataset(path, agents or ("random", "greedy"), config, **options)
    assert write_dataset(plan).path == path
    return path


def check_game(frame: pd.DataFrame, config: GameConfig, seed: int, names: list[str]) -> None:
    """One game of a frame of decisions, played again decision by decision."""
    root = root_from_seed(seed, Purpose.DATASET)
    state = deal(config, root, [int(frame["deal_id"].iloc[0])])
    for number, row in enumerate(frame.to_dict("records")):
        seat = int(state.mover[0])
        assert (row["decision"], row["seat"], row["turn"]) == (number, seat, state.turn[0])
        assert row["phase"] == state.phase[0]
        assert bits(row["legal_mask"]) == np.flatnonzero(legal_action_mask(state)[0]).tolist()
        for player in range(config.num_players):
            assert bits(row[f"privileged_hand_{player}"]) == state.hand(0, player)
        assert row["agent"] in names and row["agent_hash"] == identify(row["agent"]).digest
        apply_action(state, np.array([row["action"]]))
    assert state.done.all()
    scores = score(state)
    for seat, points in enumerate(scores.points[0]):
        mine = frame[frame["seat"] == seat]
        others = np.delete(scores.points[0], seat)
        assert (mine["outcome_points"] == points).all()
        assert np.allclose(mine["outcome_margin"], points - others.mean())
        assert np.allclose(mine["outcome_win_share"], scores.win_shares[0, seat])
    assert frame["outcome_forfeit"].isna().all()


@pytest.mark.parametrize("name", CONFIGS)
def test_every_row_is_what_a_replay_says(name: str, tmp_path: Path) -> None:
    config = CONFIGS[name]
    path = written(tmp_path / "games.parquet", config)
    frame = pd.read_parquet(path)
    games = [part for _, part in frame.groupby("game_id", sort=False)]
    assert [int(part["game_id"].iloc[0]) for part in games] == list(range(6))
    for part in games:
        check_game(part, config, 9, ["random", "greedy"])
    assert verify_dataset(path).games == 6


@pytest.mark.parametrize("name", CONFIGS)
def test_every_game_row_is_what_a_replay_says(name: str, tmp_path: Path) -> None:
    config = CONFIGS[name]
    path = written(tmp_path / "games.parquet", config, rows="games")
    table = pq.read_table(path)
    frame = pl.read_parquet(path)
    for state, row in zip(exact_deals(table, config), frame.iter_rows(named=True), strict=True):
        for action in row["actions"]:
            apply_action(state, np.array([action]))
        assert state.done.all() and row["turns"] == state.turn[0]
        scores = score(state)
        for seat in range(config.num_players):
            assert row[f"outcome_points_{seat}"] == scores.points[0, seat]
            assert row[f"outcome_denied_{seat}"] == scores.denied_points[0, seat]
            assert row[f"outcome_win_share_{seat}"] == pytest.approx(scores.win_shares[0, seat])
            assert row[f"privileged_final_hand_{seat}"] == state.hand(0, seat)
    assert verify_dataset(path).games == 6


def test_both_kinds_of_rows_tell_of_the_same_games(tmp_path: Path) -> None:
    decisions = pl.read_parquet(written(tmp_path / "d.parquet", TINY))
    games = pl.read_parquet(written(tmp_path / "g.parquet", TINY, rows="games"))
    actions = decisions.group_by("game_id", maintain_order=True).agg("action")
    assert actions["action"].to_list() == games["actions"].to_list()
    assert decisions["information_set"].n_unique() > 6


def test_behaviour_is_what_the_agent_says(tmp_path: Path) -> None:
    """The planner at a temperature draws its moves, greedy is certain, random does not say."""
    path = written(
        tmp_path / "p.parquet", TINY, "planner:temperature=1", "greedy", "random", games=12
    )
    frame = pd.read_parquet(path)
    drawn = frame[frame["agent"] == "planner:temperature=1"]
    assert len(drawn) > 100
    for row in drawn.to_dict("records"):
        legal = bits(row["legal_mask"])
        assert len(row["policy"]) == len(legal)
        assert np.sum(row["policy"]) == pytest.approx(1, abs=1e-5)
        assert row["action_probability"] == row["policy"][legal.index(row["action"])]
    assert (drawn["action_probability"] < 0.99).any()
    certain, silent = (frame[frame["agent"] == name] for name in ("greedy", "random"))
    assert (certain["action_probability"] == 1).all() and certain["policy"].isna().all()
    assert silent["action_probability"].isna().all() and silent["policy"].isna().all()


def test_a_searchs_shares_are_no_chances_of_its_move(tmp_path: Path) -> None:
    path = written(tmp_path / "s.parquet", TINY, "search:simulations=4,endgame=0", games=1)
    frame = pd.read_parquet(path)
    assert frame["action_probability"].isna().all()
    assert np.allclose([np.sum(shares) for shares in frame["policy"]], 1)


def test_information_sets_follow_from_what_was_seen(tmp_path: Path) -> None:
    """Rows with one key have one seat, one mask and one history."""
    config = GameConfig(num_players=2, species=2, num_ranks=3, hand_size=1)
    path = written(tmp_path / "k.parquet", config, "random", games=600)
    known: dict[bytes, Any] = {}
    met = 0
    for part in replay_dataset(path):
        keys = iter(part.table["information_set"].to_pylist())
        for game in range(len(part.initial)):
            initial = part.initial.select([game])
            state, keeper = initial.clone(), HistoryKeeper(initial)
            for action in part.actions[:, game][part.actions[:, game] >= 0]:
                seat = state.mover.astype(np.int64)
                history = keeper.histories(np.zeros(1, np.int64), seat)[0]
                view = redact(state, seat)
                saw = tuple(initial.hand(0, int(seat[0]))), history, view.observation.tobytes()
                key = next(keys)
                met += key in known
                assert known.setdefault(key, saw) == saw
                before, ids = state.clone(), np.array([int(action)])
                apply_action(state, ids)
                keeper.note(before, state, ids)
    assert met > 300
    assert len(set(known.values())) == len(known)


def test_it_loads_in_polars_and_pandas_alike(tmp_path: Path) -> None:
    path = written(tmp_path / "games.parquet", GameConfig())
    frame, other = pd.read_parquet(path), pl.read_parquet(path)
    assert list(frame.columns) == other.columns
    for name in ("deal_id", "decision", "seat", "action", "outcome_points"):
        assert frame[name].tolist() == other[name].to_list()
    assert frame["legal_mask"].tolist() == other["legal_mask"].to_list()
    assert frame["agent"].astype(str).tolist() == other["agent"].cast(pl.String).to_list()


def test_the_file_describes_itself(tmp_path: Path) -> None:
    path = written(tmp_path / "games.parquet", TINY)
    told = read_description(path)
    assert (told["format"], told["rows"], told["games"], told["seed"]) == (1, "decisions", 6, 9)
    assert GameConfig(**told["game"]) == TINY
    assert told["cards"][0] == "C1" and len(told["cards"]) == 12
    assert [agent["pinned"] for agent in told["agents"]] == ["random@1", "greedy@1"]
    names = [name for name in pq.read_schema(path).names if name.startswith("privileged_")]
    assert names == ["privileged_hand_0", "privileged_hand_1"]


@pytest.mark.parametrize(
    ("agents", "players", "duplicate"),
    [(1, 2, False), (2, 2, False), (2, 3, True), (3, 3, False), (4, 4, False), (3, 2, True)],
)
def test_every_agent_sits_in_every_seat_equally_often(
    agents: int, players: int, duplicate: bool
) -> None:
    ids = np.arange(720, dtype=np.uint64)
    deals, seating = seats_of(agents, players, ids, duplicate=duplicate)
    for agent in range(agents):
        held = (seating == agent).sum(axis=0)
        assert (held == held[0]).all() and held[0] > 0
    assert len(set(deals.tolist())) == (720 if not duplicate else len(set(deals.tolist())))
    if duplicate:
        counts = np.bincount(deals.astype(np.int64))
        assert (counts == counts[0]).all() and counts[0] > 1
    # Any slice of the games is the same games.
    part, seats = seats_of(agents, players, ids[137:300], duplicate=duplicate)
    assert np.array_equal(part, deals[137:300]) and np.array_equal(seats, seating[137:300])


def test_a_stopped_run_goes_on_and_ends_with_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "GAMES_PER_PART", 2)
    whole = written(tmp_path / "whole.parquet", TINY)
    path = tmp_path / "stopped.parquet"
    plan = plan_dataset(path, ("random", "greedy"), TINY, games=6, seed=9)
    played = []

    def stopping(part: Any) -> int:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(part.index)
        return write_part(part)

    monkeypatch.setattr(dataset, "write_part", stopping)
    with pytest.raises(KeyboardInterrupt):
        write_dataset(plan)
    assert not path.exists() and len(list(plan.parts_folder.glob("part*.parquet"))) == 2
    with pytest.raises(DatasetError, match="parts of another data set"):
        write_dataset(plan_dataset(path, ("random", "greedy"), TINY, games=6, seed=8))
    monkeypatch.setattr(dataset, "write_part", write_part)
    reports: list[tuple[int, int]] = []
    again = write_dataset(plan, progress=lambda *done: reports.append(done))
    assert (again.resumed, again.games, reports) == (2, 6, [(3, 3)])
    assert path.read_bytes() == whole.read_bytes()
    assert [each.name for each in tmp_path.iterdir()].count("stopped.parquet.parts") == 0


def test_a_damaged_part_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "GAMES_PER_PART", 2)
    path = tmp_path / "games.parquet"
    plan = plan_dataset(path, ("random",), TINY, games=4)
    monkeypatch.setattr(dataset, "_join", lambda plan: 0)
    monkeypatch.setattr(shutil, "rmtree", lambda folder: None)
    write_dataset(plan)
    monkeypatch.undo()
    monkeypatch.setattr(dataset, "GAMES_PER_PART", 2)
    plan.part(1).write_bytes(plan.part(1).read_bytes()[:-40])
    with pytest.raises(DatasetError, match=r"part0000001\.parquet: damaged: remove it"):
        write_dataset(plan)
    assert not path.exists()
    plan.part(1).unlink()
    assert write_dataset(plan).games == 4


@pytest.mark.slow
def test_any_number_of_workers_writes_the_same_bytes(tmp_path: Path) -> None:
    files = []
    for workers in (1, 2):
        path = tmp_path / f"{workers}.parquet"
        plan = plan_dataset(path, ("greedy", "random"), TINY, games=600, seed=1)
        assert plan.parts == 3
        write_dataset(plan, workers)
        files.append(path.read_bytes())
    assert files[0] == files[1]


def test_what_cannot_be_written_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    there = tmp_path / "there.parquet"
    there.write_bytes(b"mine")
    for path, games, agents, words in (
        (there, 1, ("random",), "is there already"),
        (tmp_path / "no" / "x.parquet", 1, ("random",), "there is no folder"),
        (tmp_path / "x.parquet", 0, ("random",), "0 games: expected at least 1"),
        (tmp_path / "x.parquet", 1, (), "expected at least one"),
    ):
        with pytest.raises(DatasetError, match=words):
            plan_dataset(path, agents, TINY, games=games)
    assert there.read_bytes() == b"mine"


def test_a_changed_row_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "games.parquet", TINY)
    table = pq.read_table(path)
    for name in ("outcome_points", "turn"):
        changed = table[name].to_pylist()
        changed[20] += 1
        index = table.schema.get_field_index(name)
        false = table.set_column(
            index, table.schema.field(index), [pl.Series(changed).to_arrow().cast(table[name].type)]
        )
        pq.write_table(false, tmp_path / "false.parquet")
        with pytest.raises(DatasetError, match=f"row 20, {name}: not what a replay gives"):
            verify_dataset(tmp_path / "false.parquet")
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(b"PAR1")
    with pytest.raises(DatasetError, match="no Parquet file"):
        verify_dataset(bad)
    pl.DataFrame({"a": [1]}).write_parquet(bad)
    with pytest.raises(DatasetError, match="expected a data set of"):
        verify_dataset(bad)


def test_a_factory_may_play(tmp_path: Path) -> None:
    path = written(tmp_path / "f.parquet", TINY, FirstLegal, games=1)
    frame = pd.read_parquet(path)
    assert [bits(mask)[0] for mask in frame["legal_mask"]] == frame["action"].tolist()


@pytest.mark.parametrize("rows", ["decisions", "games"])
def test_forfeited_games_are_told_as_they_stood(rows: str, tmp_path: Path) -> None:
    """The first agent gives up every second game in its second turn; the rest wins it."""
    config = GameConfig(num_players=3, species=4, num_ranks=4, hand_size=2)
    path = written(tmp_path / "f.parquet", config, GivesUp, "random", rows=rows)
    frame = pd.read_parquet(path)
    for game, part in frame.groupby("game_id"):
        given_up = part["outcome_forfeit"].iloc[0]
        assert pd.isna(given_up) == (game % 2 == 1)
        if game % 2 == 1:
            continue
        rest = [seat for seat in range(3) if seat != given_up]
        if rows == "games":
            shares = [part[f"outcome_win_share_{seat}"].iloc[0] for seat in range(3)]
            points = part[f"outcome_points_{int(given_up)}"].iloc[0]
        else:
            shares = [
                part.loc[part["seat"] == seat, "outcome_win_share"].iloc[0] for seat in range(3)
            ]
            points = part.loc[part["seat"] == given_up, "outcome_points"].iloc[0]
        assert points == 0 and shares[int(given_up)] == 0
        assert [shares[seat] for seat in rest] == [0.5, 0.5]
    assert verify_dataset(path).games == 6
