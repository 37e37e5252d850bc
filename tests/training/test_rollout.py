"""Collected decisions are those of real games, replayed here one game at a time."""

from dataclasses import dataclass, field

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from arboretum_agents.neural.categorical import masked_log_softmax
from arboretum_agents.neural.encoder import encode, pile_tops
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.actions import action_slices
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import Scores, score
from arboretum_env.engine.state import GameState
from arboretum_env.features.placements import placements
from arboretum_env.rewards import RewardKind
from arboretum_env.view import redact
from arboretum_training.config import RolloutConfig
from arboretum_training.decisions import KINDS, Decisions
from arboretum_training.privileged import encode_truth
from arboretum_training.rollout import Collector, Finished, seat_returns
from tests.training.experiments import GAMES, random_model

pytestmark = pytest.mark.usefixtures("one_thread")

ROOT = 12345


@dataclass
class Collected:
    """Some windows of one collector."""

    collector: Collector
    windows: list[dict[str, Decisions]] = field(default_factory=list)
    finished: list[Finished] = field(default_factory=list)

    def all(self, kind: str) -> Decisions:
        return Decisions.concatenate([window[kind] for window in self.windows])


def collect(
    game: GameConfig, reward: RewardKind = "mixed", games: int = 5, turns: int = 60
) -> Collected:
    """Plays about ``turns`` turns, in windows that end in the midst of games."""
    window = min(turns, 9)
    config = RolloutConfig(games=games, turns=window, reward=reward)
    result = Collected(Collector(game, config, ROOT, np.random.default_rng(6)))
    for _ in range(turns // window):
        decisions, finished = result.collector.collect(random_model(game))
        result.windows.append(decisions)
        result.finished.append(finished)
    return result


@pytest.mark.parametrize("name", GAMES)
def test_the_deciding_network_would_decide_alike(name: str) -> None:
    """A ratio of 1 and the same value, in any order and after selecting and joining."""
    game = GAMES[name]
    collected, model = collect(game, turns=20), random_model(game)
    rng = np.random.default_rng(1)
    for kind in KINDS:
        together = collected.all(kind)
        shuffled = together.select(rng.permutation(len(together)))
        halves = [shuffled.select(rows) for rows in np.array_split(np.arange(len(shuffled)), 2)]
        for decisions in (together, shuffled, Decisions.concatenate(halves)):
            assert decisions.kind == kind
            assert len(decisions) == len(together)
            arrays = {key: as_tensor(array) for key, array in decisions.arrays.items()}
            with torch.no_grad():
                now = model.evaluate(decisions, arrays)
            assert (now.log_probs - arrays["log_prob"]).exp().numpy() == pytest.approx(1, abs=1e-5)
            assert now.judged.numpy() == pytest.approx(decisions.arrays["value"], abs=1e-5)
            assert (now.entropy.numpy() >= -1e-6).all()
            assert (now.log_probs.numpy() <= 0).all()


class Replay:
    """One game dealt anew, into which recorded decisions are fed one by one."""

    def __init__(self, game: GameConfig, game_id: int) -> None:
        self.game, self.game_id = game, game_id
        self.state: GameState = deal(game, ROOT, [game_id])

    def take(self, kind: str, row: dict[str, NDArray[np.generic]]) -> None:
        """Checks a recorded decision against this position, then makes it."""
        mover = int(self.state.mover[0])
        assert row["trajectory"] == self.game_id * self.game.num_players + mover
        views = redact(self.state, mover)
        encoded = encode(views)
        assert np.array_equal(row["species"], encoded.species[0])
        assert np.array_equal(row["scalars"], encoded.scalars[0])
        truth = encode_truth(self.state, np.array([mover]))
        assert np.array_equal(row["truth_species"], truth.species[0])
        assert np.array_equal(row["truth_scalars"], truth.scalars[0])
        slices = action_slices(self.game)
        chosen = int(row["chosen"])
        if kind == "play":
            options = placements(views)
            assert row["count"] == len(options.card)
            for part in ("card", "gain", "features"):
                assert np.array_equal(row[part], getattr(options, part))
            self._apply(slices["play_card"].start + options.card[chosen])
            self._apply(slices["place_cell"].start + options.cell[chosen])
            return
        columns = (
            slices["discard_card"] if kind == "discard" else slice(0, 1 + self.game.num_players)
        )
        assert np.array_equal(row["legal"], legal_action_mask(self.state)[0, columns])
        if kind == "draw":
            assert np.array_equal(row["tops"], pile_tops(views)[0])
        self._apply(columns.start + chosen)

    def _apply(self, action: int) -> None:
        apply_action(self.state, np.array([action]))  # refuses an illegal one


def rows_in_time(collected: Collected) -> list[tuple[str, dict[str, NDArray[np.generic]]]]:
    """Every decision as a row of its own, plays with their placements, in time order."""
    rows = []
    for kind in KINDS:
        decisions = collected.all(kind)
        stops = np.cumsum(decisions.arrays["count"]) if kind == "play" else None
        for b in range(len(decisions)):
            row = {key: array[b] for key, array in decisions.arrays.items()}
            if stops is not None:
                own = slice(stops[b] - row["count"], stops[b])
                row |= {key: array[own] for key, array in decisions.placements.items()}
            rows.append((kind, row))
    return sorted(rows, key=lambda item: int(item[1]["time"]))


@pytest.mark.parametrize("name", GAMES)
def test_decisions_and_outcomes_are_those_of_the_games(name: str) -> None:
    game = GAMES[name]
    players = game.num_players
    collected = collect(game)
    replays: dict[int, Replay] = {}
    for kind, row in rows_in_time(collected):
        game_id = int(row["trajectory"]) // players
        replays.setdefault(game_id, Replay(game, game_id)).take(kind, row)
    # Games are dealt one after the other, and those under way are where the collector has them.
    collector = collected.collector
    ids = collector.game_ids.tolist()
    for position, game_id in enumerate(ids):
        mine = replays[game_id].state if game_id in replays else deal(game, ROOT, [game_id])
        assert np.array_equal(mine.raw[0], collector.state.raw[position])
        assert not mine.done[0]
    assert sorted({*replays, *ids}) == list(range(collector.next_game_id))

    over = [game_id for game_id, replay in replays.items() if replay.state.done[0]]
    trajectories = np.concatenate([part.trajectories for part in collected.finished])
    outcomes = np.concatenate([part.outcomes for part in collected.finished])
    turns = np.concatenate([part.turns for part in collected.finished])
    points = np.concatenate([part.points for part in collected.finished])
    denied = np.concatenate([part.denied_points for part in collected.finished])
    shares = np.concatenate([part.win_shares for part in collected.finished])
    assert len(over) >= 5
    assert sorted([*over, *ids]) == list(range(collector.next_game_id))
    assert sorted(trajectories) == sorted(g * players + p for g in over for p in range(players))
    for number, game_id in enumerate((trajectories[::players] // players).tolist()):
        state = replays[game_id].state
        scores = score(state)
        seats = slice(number * players, (number + 1) * players)
        assert trajectories[seats].tolist() == [game_id * players + p for p in range(players)]
        assert np.array_equal(outcomes[seats], seat_returns(scores, "mixed")[0])
        assert turns[number] == state.turn[0]
        assert np.array_equal(points[number], scores.points[0])
        assert np.array_equal(denied[number], scores.denied_points[0])
        assert np.array_equal(shares[number], scores.win_shares[0])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_decides_and_wins_sum_to_zero(players: int) -> None:
    collected = collect(GameConfig(num_players=players), reward="win")
    seats = np.concatenate([collected.all(kind).arrays["trajectory"] for kind in KINDS]) % players
    share = np.bincount(seats, minlength=players) / len(seats)
    assert share == pytest.approx(1 / players, abs=0.03)
    outcomes = np.concatenate([part.outcomes for part in collected.finished]).reshape(-1, players)
    assert outcomes.sum(axis=1) == pytest.approx(0, abs=1e-6)
    assert (outcomes.max(axis=1) > 0).all()
    assert len(np.unique(outcomes.argmax(axis=1))) > 1  # not always the same seat


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_samples_its_moves(players: int) -> None:
    """No seat is a rival that plays the likeliest move while the others sample."""
    game = GameConfig(num_players=players)
    network = random_model(game).network
    discards = collect(game, games=20, turns=20).all("discard")
    arrays = {name: as_tensor(array) for name, array in discards.arrays.items()}
    with torch.inference_mode():
        z, _ = network.trunk(arrays["species"], arrays["scalars"])
        likelihood = masked_log_softmax(network.discard_logits(z), arrays["legal"]).exp()
    likeliest, most = likelihood.argmax(dim=1), likelihood.amax(dim=1)
    for seat in range(players):
        mine = arrays["trajectory"] % players == seat
        took = (arrays["chosen"][mine] == likeliest[mine]).double().mean()
        expected = most[mine].double()
        # As often as its likelihood says, within four standard deviations, and far from always.
        deviation = (expected * (1 - expected)).sum().sqrt() / len(expected)
        assert abs(took - expected.mean()) < 4 * deviation
        assert took < 0.9


@pytest.mark.parametrize("name", GAMES)
def test_time_rises_and_kinds_take_turns(name: str) -> None:
    collected = collect(GAMES[name], turns=18)
    rows = [(int(row["trajectory"]), kind) for kind, row in rows_in_time(collected)]
    by_trajectory: dict[int, list[str]] = {}
    for trajectory, kind in rows:
        by_trajectory.setdefault(trajectory, []).append(kind)
    for kinds in by_trajectory.values():
        assert kinds == ["draw", "draw", "play", "discard"] * (len(kinds) // 4)
    times = np.concatenate([collected.all(kind).arrays["time"] for kind in KINDS])
    assert len(np.unique(times)) == 4 * 18
    assert len(times) == 4 * 18 * 5


def test_windows_of_another_length_play_the_same_games() -> None:
    """Where a window ends changes nothing but where it ends."""
    game = GAMES["reduced 3"]
    model = random_model(game)
    rows = []
    for turns in (2, 3, 6):
        config = RolloutConfig(games=4, turns=turns)
        collector = Collector(game, config, ROOT, np.random.default_rng(6))
        collected = Collected(collector)
        for _ in range(12 // turns):
            collected.windows.append(collector.collect(model)[0])
        rows.append(
            [
                (kind, int(row["trajectory"]), int(row["chosen"]))
                for kind, row in rows_in_time(collected)
            ]
        )
    assert rows[0] == rows[1] == rows[2]


def one_game(points: list[int], winners: list[bool]) -> Scores:
    players = len(points)
    return Scores(
        points=np.array([points]),
        winners=np.array([winners]),
        hand_sum=np.zeros((1, players, 6), np.int64),
        right=np.zeros((1, players, 6), np.bool_),
        path_points=np.zeros((1, players, 6), np.int64),
        distinct_species=np.zeros((1, players), np.int64),
    )


@pytest.mark.parametrize(
    ("points", "winners", "win", "margin"),
    [
        ([30, 10], [True, False], [1, -1], [np.tanh(1), -np.tanh(1)]),
        ([7, 7], [True, True], [0, 0], [0, 0]),
        ([7, 7], [False, True], [-1, 1], [0, 0]),  # more species planted
        ([20, 20, 0], [True, True, False], [0.25, 0.25, -0.5], np.tanh([0.5, 0.5, -1])),
        (
            [4, 24, 4, 4],
            [False, True, False, False],
            [-1 / 3, 1, -1 / 3, -1 / 3],
            np.tanh([-1 / 3, 1, -1 / 3, -1 / 3]),
        ),
        ([5, 5, 5, 5], [True] * 4, [0] * 4, [0] * 4),
    ],
)
def test_returns_by_hand(
    points: list[int], winners: list[bool], win: list[float], margin: list[float]
) -> None:
    scores = one_game(points, winners)
    mixed = [(w + m) / 2 for w, m in zip(win, margin, strict=True)]
    kinds: dict[RewardKind, list[float]] = {"win": win, "margin": margin, "mixed": mixed}
    for reward, expected in kinds.items():
        [found] = seat_returns(scores, reward)
        assert found.dtype == np.float32
        assert found == pytest.approx(np.array(expected, float), abs=1e-6)
