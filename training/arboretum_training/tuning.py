"""Tunes the planner's weights by playing against itself.

An evolution strategy: every generation draws candidates around the mean in mirrored pairs, lets all
of them play the same deals against the mean and against greedy, in every seat, and moves the mean
to the better half, the best counting most (the recombination weights of CMA-ES, Hansen 2016,
arXiv:1604.00772, eq. 49, with a fixed schedule in place of its adaptation of the step size)::

    python -m arboretum_training.tuning --players 2 --out runs/planner-2p.json

The state is written after every generation; the same command goes on from there. Deals come from
the root of training, so that evaluation never replays them. The final table is printed as source
for ``arboretum_agents/bots/planner_weights.py``.
"""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from numpy.typing import NDArray
from rich.console import Console

from arboretum_agents.bots.greedy import GreedyAgent
from arboretum_agents.bots.planner import PlannerAgent
from arboretum_agents.bots.planner_weights import TUNED, UNTUNED, PlannerWeights
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.files import replace_file
from arboretum_training.interrupt import InterruptGuard

_POSITIVE = (
    "grow", "rival_grow", "trust", "hold", "deny", "hold_any", "hold_planted", "guard", "keep",
    "offer", "offer_hold", "later", "spare", "take",
)  # fmt: skip
"""Weights that mean nothing below 0."""


@dataclass(frozen=True)
class Tuning:
    """How to tune.

    Attributes:
        out: state and result, JSON; gone on from if it exists.
        players: P.
        generations: in all.
        candidates: per generation; even.
        deals: per generation, the same for all candidates; each is played in every seat and
            against both opponents.
        first_step, last_step: standard deviation of candidates, as a share of each weight's size.
        seed: of deals and candidates.
        from_tuned: start from the table that is tuned already.
    """

    out: Path
    players: int = 2
    generations: int = 60
    candidates: int = 16
    deals: int = 64
    first_step: float = 0.5
    last_step: float = 0.1
    seed: int = 0
    from_tuned: bool = False


def recombination_weights(candidates: int) -> NDArray[np.float64]:
    """[candidates // 2] weights of the better half, best first; they sum to 1.

    >>> recombination_weights(4).round(3)
    array([0.804, 0.196])
    """
    half = candidates // 2
    raw = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
    weights: NDArray[np.float64] = raw / raw.sum()
    return weights


def success(win_shares: NDArray[np.float64], margins: NDArray[np.float64]) -> NDArray[np.float64]:
    """[...] half the win, half the squashed margin: less noisy than wins alone."""
    value: NDArray[np.float64] = 0.5 * win_shares + 0.25 * (1.0 + np.tanh(margins / 15.0))
    return value


def play_candidates(
    config: GameConfig,
    candidates: list[PlannerWeights],
    opponents: list[Agent],
    deals: NDArray[np.uint64],
    seed: int,
) -> NDArray[np.float64]:
    """[candidates] mean success over all deals, seats and opponents, all in one batch of games."""
    players, agents = config.num_players, [*opponents]
    agents += [PlannerAgent.with_weights(config, weights) for weights in candidates]
    seating = np.full((len(candidates), len(opponents), players, players), -1, np.int64)
    for c in range(len(candidates)):
        for o in range(len(opponents)):
            seating[c, o] = o
            seating[c, o][np.diag_indices(players)] = len(opponents) + c
    tables = seating.reshape(-1, players)
    games = deal(config, root_from_seed(seed, Purpose.TRAIN), np.tile(deals, len(tables)))
    ids = np.arange(len(games), dtype=np.uint64)
    for agent in agents:
        agent.reset(ids, seed)
    scores = play_match(games, agents, np.repeat(tables, len(deals), axis=0), ids).scores
    seat = np.tile(np.repeat(np.arange(players), len(deals)), len(candidates) * len(opponents))
    rows = np.arange(len(games))
    own = scores.points[rows, seat]
    margins = own - (scores.points.sum(axis=1) - own) / (players - 1)
    each = success(scores.win_shares[rows, seat], margins)
    means: NDArray[np.float64] = each.reshape(len(candidates), -1).mean(axis=1)
    return means


def _sizes() -> NDArray[np.float64]:
    """[weights] what a step is a share of; weights that begin at 0 get the size of a usual one."""
    start = np.abs(np.array(UNTUNED))
    sizes: NDArray[np.float64] = np.where(start > 0.0, start, 0.2)
    return sizes


def _bounded(weights: NDArray[np.float64]) -> PlannerWeights:
    named = PlannerWeights(*(float(value) for value in weights))
    return PlannerWeights(
        *(
            max(value, 0.0) if name in _POSITIVE else value
            for name, value in named._asdict().items()
        )
    )


def next_mean(
    tuning: Tuning, mean: PlannerWeights, generation: int
) -> tuple[PlannerWeights, NDArray[np.float64]]:
    """One generation: the new mean and the candidates' successes, best first."""
    config = GameConfig(num_players=tuning.players)
    rng = np.random.default_rng((tuning.seed, generation))
    share = generation / max(tuning.generations - 1, 1)
    step = tuning.first_step * (tuning.last_step / tuning.first_step) ** share
    noise = rng.standard_normal((tuning.candidates // 2, len(mean)))
    drawn = np.array(mean) + step * _sizes() * np.concatenate([noise, -noise])
    candidates = [_bounded(row) for row in drawn]
    deals = np.arange(tuning.deals, dtype=np.uint64) + np.uint64(generation * tuning.deals)
    opponents: list[Agent] = [PlannerAgent.with_weights(config, mean), GreedyAgent(config)]
    successes = play_candidates(config, candidates, opponents, deals, tuning.seed)
    order = np.argsort(-successes, kind="stable")
    better = np.array(candidates)[order[: tuning.candidates // 2]]
    return _bounded(recombination_weights(tuning.candidates) @ better), successes[order]


def _load(tuning: Tuning) -> tuple[PlannerWeights, int]:
    settings = _settings(tuning)
    if not tuning.out.exists():
        start = TUNED.get(tuning.players, UNTUNED) if tuning.from_tuned else UNTUNED
        return start, 0
    state: dict[str, Any] = json.loads(tuning.out.read_text(encoding="utf-8"))
    if state.get("settings") != settings:
        raise SystemExit(f"{tuning.out} was made with other settings: name another file with --out")
    return PlannerWeights(**state["mean"]), int(state["generation"])


def _settings(tuning: Tuning) -> dict[str, Any]:
    return asdict(replace(tuning, out=Path())) | {"out": None}


def main(tuning: Tuning) -> PlannerWeights:
    """Tunes until the last generation or Ctrl-C; returns the mean."""
    console = Console()
    mean, begun = _load(tuning)
    tuning.out.parent.mkdir(parents=True, exist_ok=True)
    with InterruptGuard() as guard:
        for generation in range(begun, tuning.generations):
            mean, successes = next_mean(tuning, mean, generation)
            console.print(
                f"generation {generation + 1}/{tuning.generations}: success "
                f"{successes.mean():.3f}, best {successes[0]:.3f}"
            )
            state = {
                "settings": _settings(tuning),
                "generation": generation + 1,
                "mean": mean._asdict(),
            }
            replace_file(tuning.out, json.dumps(state, indent=1).encode())
            if guard.requested:
                break
    values = ", ".join(f"{name}={value:.3g}" for name, value in mean._asdict().items())
    console.print(f"{tuning.players}: PlannerWeights({values}),", soft_wrap=True)
    return mean


if __name__ == "__main__":
    main(tyro.cli(Tuning))
