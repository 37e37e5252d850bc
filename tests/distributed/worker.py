"""One process of a run of several, started by torchrun: ``worker.py FOLDER unbroken|crash|resume``.

Every process writes what it came to, as hashes, to ``FOLDER/MODE-RANK.json``. In ``crash`` the run
is saved half-way, and a little later the last process kills itself.
"""

import hashlib
import json
import os
import signal
import sys
from pathlib import Path

import numpy as np
import torch

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, read_checkpoint
from arboretum_env.config import GameConfig
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.config import ExperimentConfig, PPOConfig
from arboretum_training.distributed import Ranks, joined
from arboretum_training.league import League
from arboretum_training.league_config import HousePoolConfig, LeagueConfig
from arboretum_training.snapshot import from_checkpoint, to_checkpoint
from tests.training.experiments import experiment

ITERATIONS = 6
SAVED_AFTER = 3


def config() -> ExperimentConfig:
    """A league of three players: itself, a bot, snapshots, an exploiter."""
    return experiment(
        GameConfig(num_players=3, species=4, num_ranks=5, hand_size=3),
        games=5,
        turns=4,
        ppo=PPOConfig(minibatches=4),
        pool=HousePoolConfig(latest=0.5, every=2, size=2, bots=("greedy",), bot_share=0.2),
        league=LeagueConfig(exploiters=1, exploiter_share=0.4, burst=1, timeout=2, begin="fresh"),
    )


def outcome(league: League) -> dict[str, object]:
    """What all processes must agree on, and what each has of its own."""
    weights = hashlib.sha256()
    for learner in league.learners:
        for tensor in learner.model.state_dict().values():
            weights.update(tensor.numpy().tobytes())
        slots = learner.optimizer.state_dict()["state"]
        for index in sorted(slots):  # in whatever order they were made or read
            weights.update(slots[index]["exp_avg"].numpy().tobytes())
    own = hashlib.sha256()
    for learner in league.learners:
        own.update(learner.collector.state.raw.tobytes())
        own.update(learner.collector.seating.tobytes())
    return {
        "weights": weights.hexdigest(),
        "decisions": league.decisions,
        "games": league.games,
        "turns": [role.turns for role in league.roles.values()],
        "members": sorted(league.pool.members),
        "tallies": [
            {number: [tally.wins, tally.games] for number, tally in role.opponents.tallies.items()}
            for role in league.roles.values()
        ],
        "own": own.hexdigest(),
    }


def check_questions(ranks: Ranks) -> None:
    """The questions of ``Ranks`` by hand, for two processes."""
    rank = ranks.rank
    assert ranks.size == 2
    assert ranks.total([1, rank]) == [2.0, 1.0]
    assert ranks.least([5 - rank, rank]) == [4.0, 0.0]
    assert ranks.agree(rank == 1)
    assert not ranks.agree(False)
    assert ranks.of_first(10.5 + rank) == 10.5
    gradients = [torch.full((2, 2), 1.0 + 2 * rank), torch.tensor([8.0 * rank])]
    assert ranks.average(gradients, {"loss": 3.0 - rank}) == {"loss": 2.5}
    assert [g.tolist() for g in gradients] == [[[2.0, 2.0], [2.0, 2.0]], [4.0]]
    found = ranks.gather(b"abc" if rank == 0 else b"longer")
    assert found == ([b"abc", b"longer"] if rank == 0 else [])
    assert ranks.seed(7) == 7 or rank == 1


def main(folder: Path, mode: str) -> None:
    """See the module."""
    torch.set_num_threads(1)
    with joined() as ranks:
        check_questions(ranks)
        if mode == "resume":
            league = from_checkpoint(config(), read_checkpoint(find_checkpoint(folder)), ranks)
            assert league.iteration == SAVED_AFTER
        else:
            league = League(config(), ranks=ranks)
        while league.iteration < ITERATIONS:
            league.iterate()
            if mode == "crash" and league.iteration == SAVED_AFTER:
                checkpoint = to_checkpoint(league)
                if ranks.is_first:
                    (folder / "checkpoints").mkdir()
                    save_checkpoint(folder, checkpoint, keep=1)
            if mode == "crash" and league.iteration == SAVED_AFTER + 1 and not ranks.is_first:
                os.kill(os.getpid(), signal.SIGKILL)
        state = outcome(league)
        assert np.isfinite(league.seconds)
        (folder / f"{mode}-{ranks.rank}.json").write_text(json.dumps(state))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
