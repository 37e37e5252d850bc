"""One learner of a run as plain data and tensors, and back.

Decisions that wait take far more room as a network's inputs than as the games that these are of. So
the games are kept, and the inputs worked out again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from arboretum_agents.neural.checkpoint_reader import WEIGHTS
from arboretum_agents.neural.encoder import encode
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.errors import CheckpointError
from arboretum_env.saved_games import restore_games
from arboretum_env.view import redact
from arboretum_training.choices import head_legal
from arboretum_training.decisions import Decisions
from arboretum_training.opponents.priorities import Tally
from arboretum_training.opponents.seating import LEARNER, Opponents
from arboretum_training.optimizer_state import optimizer_state, restore_optimizer
from arboretum_training.ppo import Learner
from arboretum_training.privileged import encode_truth
from arboretum_training.random_state import numpy_states, restore_numpy
from arboretum_training.rollout import Collector
from arboretum_training.start import CRITIC

OPTIMIZER: Final = "optimizer"
GAMES: Final = "games"
CARRIED: Final = "carried"

_KEPT: Final = ("value", "trajectory", "time", "chosen", "log_prob")
"""Of a decision that waits, what does not follow from its game."""


@dataclass(frozen=True)
class LearnerState:
    """Everything that a learner's next iteration depends on, but the pool.

    Attributes:
        counters: numbers that count on.
        state: further plain data.
        tensors: group -> name -> tensor.
    """

    counters: Mapping[str, int | float]
    state: Mapping[str, Any]
    tensors: Mapping[str, Mapping[str, Tensor]]


def save_learner(learner: Learner, opponents: Opponents) -> LearnerState:
    """A learner's state; tensors may share memory with it."""
    optimizer, groups = optimizer_state(learner.optimizer, learner.model)
    collector = learner.collector
    return LearnerState(
        counters={
            "iteration": learner.iteration,
            "decisions": learner.decisions,
            "games": learner.games,
            "seconds": learner.seconds,
            "next_game_id": collector.next_game_id,
            "time": collector.time,
        },
        state={
            "random": numpy_states(_generators(learner, opponents)),
            "optimizer_groups": groups,
            "tallies": [
                [number, tally.wins, tally.games] for number, tally in opponents.tallies.items()
            ],
            "slots": list(opponents.slots),
        },
        tensors={
            WEIGHTS: learner.network.state_dict(),
            CRITIC: learner.model.critic_state(),
            OPTIMIZER: optimizer,
            GAMES: {
                "rows": as_tensor(collector.state.raw),
                "game_ids": as_tensor(collector.game_ids),
                "seating": as_tensor(collector.seating),
            },
            CARRIED: _carried_tensors(learner),
        },
    )


def _generators(learner: Learner, opponents: Opponents) -> dict[str, np.random.Generator]:
    return {"learner": learner.rng, "order": learner.order, "opponents": opponents.rng}


def restore_learner(learner: Learner, opponents: Opponents, saved: LearnerState) -> None:
    """Sets a learner, in place, to a state that ``save_learner`` gave.

    Raises:
        CheckpointError: something that does not fit the learner.
        KeyError, RuntimeError, ValueError: likewise, or something is missing.
    """
    learner.network.load_state_dict(dict(saved.tensors[WEIGHTS]))
    learner.model.load_critic_state(saved.tensors[CRITIC])
    restore_optimizer(
        learner.optimizer,
        learner.model,
        saved.tensors[OPTIMIZER],
        saved.state["optimizer_groups"],
    )
    restore_numpy(saved.state["random"], _generators(learner, opponents))
    opponents.tallies = {
        int(number): Tally(float(wins), float(games))
        for number, wins, games in saved.state["tallies"]
    }
    opponents.slots = [int(number) for number in saved.state["slots"]]
    learner.iteration = int(saved.counters["iteration"])
    learner.decisions = int(saved.counters["decisions"])
    learner.games = int(saved.counters["games"])
    learner.seconds = float(saved.counters["seconds"])
    _restore_games(learner.collector, opponents, saved)
    learner.carried = _carried_decisions(learner.collector, saved.tensors[CARRIED])


def _restore_games(collector: Collector, opponents: Opponents, saved: LearnerState) -> None:
    collector.next_game_id = int(saved.counters["next_game_id"])
    collector.time = int(saved.counters["time"])
    arrays = {name: saved.tensors[GAMES][name].numpy() for name in ("rows", "game_ids", "seating")}
    expected: dict[str, NDArray[Any]] = {
        "rows": collector.state.raw,
        "game_ids": collector.game_ids,
        "seating": collector.seating,
    }
    for name, array in arrays.items():
        if array.shape != expected[name].shape:
            raise CheckpointError(
                f"games: {name} of shape {array.shape}: expected {expected[name].shape}"
            )
    seated = set(np.unique(arrays["seating"]).tolist()) - {LEARNER}
    if strangers := sorted(seated - opponents.pool.members.keys()):
        raise CheckpointError(f"games with members {strangers}: expected some of the pool's")
    collector.restore(
        restore_games(collector.game, arrays["rows"]),
        arrays["game_ids"].copy(),
        arrays["seating"].copy(),
    )


def _carried_tensors(learner: Learner) -> dict[str, Tensor]:
    """What waits, with the games that it is of; a window ends with a turn, so it is discards."""
    if not learner.carried:
        return {}
    discards = learner.carried["discard"]
    assert list(learner.carried) == ["discard"]
    rows, seats = _places(learner.collector, discards.arrays["trajectory"])
    kept = {name: as_tensor(discards.arrays[name]) for name in _KEPT}
    return kept | {"rows": as_tensor(learner.collector.discarding[rows, seats])}


def _places(
    collector: Collector, trajectory: NDArray[np.generic]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(place among the games under way, seat) of trajectories.

    Raises:
        CheckpointError: one of a game that is not under way.
    """
    game_ids, seats = np.divmod(trajectory.astype(np.int64), collector.game.num_players)
    order = np.argsort(collector.game_ids)
    place = np.searchsorted(collector.game_ids, game_ids, sorter=order).clip(max=len(order) - 1)
    rows = order[place]
    if not np.array_equal(collector.game_ids[rows], game_ids):
        raise CheckpointError("decisions that wait: expected those of games under way")
    return rows, seats


def _carried_decisions(collector: Collector, tensors: Mapping[str, Tensor]) -> dict[str, Decisions]:
    if not tensors:
        return {}
    arrays: dict[str, NDArray[np.generic]] = {name: tensors[name].numpy().copy() for name in _KEPT}
    rows, seats = _places(collector, arrays["trajectory"])
    games = restore_games(collector.game, tensors["rows"].numpy())
    mover = games.mover.astype(np.int64)
    if not np.array_equal(mover, seats):
        raise CheckpointError("decisions that wait: expected those of the seat to move")
    collector.discarding[rows, seats] = games.raw
    views = redact(games, mover, collector.game_ids[rows].astype(np.uint64))
    encoded, truth = encode(views), encode_truth(games, mover)
    arrays |= {
        "species": encoded.species,
        "scalars": encoded.scalars,
        "truth_species": truth.species,
        "truth_scalars": truth.scalars,
        "legal": head_legal(views, "discard"),
    }
    return {"discard": Decisions("discard", arrays)}
