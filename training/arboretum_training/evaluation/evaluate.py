"""Agents against each other over duplicate deals.

``G`` denotes games, ``P`` players. Every game of the schedule is played to its end and counted, so
short games have no advantage over long ones, and shared wins are counted too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import Mode, make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import MatchResult, play_match
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.evaluation import duplicate
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.executor import (
    Progress,
    Workers,
    one_torch_thread,
    run_units,
    split_deals,
)
from arboretum_training.evaluation.saved_games import prepare_folder, save_match

MAX_DEALS: Final = 10_000_000  # more would not fit the memory, nor a lifetime of patience

AgentFactory = Callable[[GameConfig, Mode], Agent]
"""Makes an agent that no spec names; importable by name where there are several workers."""


@dataclass(frozen=True)
class Games:
    """Played games, ordered by deal.

    Attributes:
        deal_id: [G] uint64.
        game_id: [G] uint64.
        seating: [G, P] int64, index of the agent in each seat.
        points: [G, P] int64, final scores.
        win_shares: [G, P] float64, 1/k for each of the k winners.
        denied_points: [G, P] int64, path points lost for want of the right to score.
        turns: [G] int64, length of the game.
        forfeits: [G] int64, the seat that forfeited the game, -1 for none; such a game counts as
            ``arboretum_env.forfeit`` says.
    """

    deal_id: NDArray[np.uint64]
    game_id: NDArray[np.uint64]
    seating: NDArray[np.int64]
    points: NDArray[np.int64]
    win_shares: NDArray[np.float64]
    denied_points: NDArray[np.int64]
    turns: NDArray[np.int64]
    forfeits: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.game_id)


@dataclass(frozen=True)
class EvaluationResult:
    """Every game of an evaluation; ``summary.summarise`` boils it down.

    Attributes:
        names: the agents, by the index that ``games.seating`` uses; all different.
        config: the game that was played.
        seed: of the deals and of the agents' own randomness.
        mode: whether agents sampled or took the likeliest move.
        deals: number of deals.
        games: the games.
    """

    names: tuple[str, ...]
    config: GameConfig
    seed: int
    mode: Mode
    deals: int
    games: Games


@dataclass(frozen=True)
class Unit:
    """One piece of work: some deals, and everything that is needed to play them."""

    agents: tuple[str | AgentFactory, ...]
    names: tuple[str, ...]
    config: GameConfig
    seed: int
    mode: Mode
    deal_ids: NDArray[np.uint64]
    save_games: Path | None
    purpose: Purpose = Purpose.EVALUATE


def evaluate(
    agents: Sequence[str | AgentFactory],
    config: GameConfig,
    *,
    deals: int,
    seed: int,
    mode: Mode = "sample",
    workers: Workers = 1,
    save_games: Path | None = None,
    progress: Progress | None = None,
    purpose: Purpose = Purpose.EVALUATE,
) -> EvaluationResult:
    """Plays agents against each other; see ``duplicate.schedule`` for who sits where.

    The result depends on everything but ``workers``. Deals ``0..deals-1`` of a seed are always the
    same, whoever plays them, and never among the deals that any training sees.

    Args:
        agents: at least two specs of ``arboretum_agents.registry``, or factories.
        config: the game.
        deals: number of deals, at least 1.
        seed: non-negative.
        mode: see ``registry.Mode``.
        workers: where units are computed, see ``executor.Workers``.
        save_games: a new or empty folder that gets one ``.arb`` file a game.
        progress: called with (work units done, work units in all).
        purpose: of the deals; those of different purposes never coincide.

    Raises:
        EvaluationError: fewer than two agents, no deals, no workers or a negative seed.
        AgentSpecError: a spec that names no agent.
        IllegalActionError: an agent chose an illegal action.
    """
    units = plan_units(
        agents, config, deals=deals, seed=seed, mode=mode, save_games=save_games, purpose=purpose
    )
    played = run_units(play_unit, units, workers, progress)
    return EvaluationResult(units[0].names, config, seed, mode, deals, concatenate(played))


def plan_units(
    agents: Sequence[str | AgentFactory],
    config: GameConfig,
    *,
    deals: int,
    seed: int,
    mode: Mode = "sample",
    save_games: Path | None = None,
    purpose: Purpose = Purpose.EVALUATE,
) -> list[Unit]:
    """The work units of an evaluation, in the order of their deals.

    Arguments and errors are those of ``evaluate``: what cannot be played is refused here, once,
    before any process starts. The folder for games is made.
    """
    if not 1 <= deals <= MAX_DEALS:
        raise EvaluationError(f"{deals} deals: expected at least 1 and at most {MAX_DEALS:,}")
    if seed < 0:
        raise EvaluationError(f"seed {seed}: expected a non-negative integer")
    duplicate.casts(len(agents), config.num_players)  # refuses a single agent
    for agent in agents:
        make(agent, config, mode)
    if save_games is not None:
        prepare_folder(save_games)
    names = unique_names(agents)
    return [
        Unit(tuple(agents), names, config, seed, mode, ids, save_games, purpose)
        for ids in split_deals(deals)
    ]


def play_unit(unit: Unit) -> Games:
    """Plays all games of a unit as one batch, with agents made for it alone."""
    return play_match_of(unit, keep_actions=False)[0]


def play_match_of(unit: Unit, *, keep_actions: bool) -> tuple[Games, MatchResult]:
    """``play_unit``, and the match itself; with its actions if they are asked for or saved."""
    players = unit.config.num_players
    plan = duplicate.schedule(len(unit.agents), players, unit.deal_ids)
    root = root_from_seed(unit.seed, unit.purpose)
    agents = [make(agent, unit.config, unit.mode) for agent in unit.agents]
    for agent in agents:
        agent.reset(plan.game_id, unit.seed)
    with one_torch_thread():
        match = play_match(
            deal(unit.config, root, plan.deal_id),
            agents,
            plan.seating,
            plan.game_id,
            keep_actions=keep_actions or unit.save_games is not None,
        )
    if unit.save_games is not None:
        save_match(unit.save_games, match, plan, unit.names, _deal_text(unit))
    forfeits = np.full(len(plan.game_id), -1)
    for row, forfeit in match.forfeits.items():
        forfeits[row] = forfeit.seat
    games = Games(
        deal_id=plan.deal_id,
        game_id=plan.game_id,
        seating=plan.seating,
        points=match.scores.points,
        win_shares=match.scores.win_shares,
        denied_points=match.scores.denied_points,
        turns=match.final.turn.astype(np.int64),
        forfeits=forfeits,
    )
    return games, match


def _deal_text(unit: Unit) -> str:
    return f"{unit.purpose.name.lower()} seed {unit.seed}"


def unique_names(agents: Sequence[str | AgentFactory]) -> tuple[str, ...]:
    """Keys of a report: the specs, the second of a kind as ``SPEC#2`` and so on.

    >>> unique_names(["greedy", "random", "greedy"])
    ('greedy', 'random', 'greedy#2')
    """
    names: list[str] = []
    counts: dict[str, int] = {}
    for agent in agents:
        name = agent if isinstance(agent, str) else getattr(agent, "__name__", "agent")
        counts[name] = counts.get(name, 0) + 1
        names.append(name if counts[name] == 1 else f"{name}#{counts[name]}")
    return tuple(names)


def make(agent: str | AgentFactory, config: GameConfig, mode: Mode) -> Agent:
    """Makes an agent, from its spec or with its factory."""
    return make_agent(agent, config, mode=mode) if isinstance(agent, str) else agent(config, mode)


def concatenate(parts: Sequence[Games]) -> Games:
    """The games of all parts, in their order."""
    return Games(
        deal_id=np.concatenate([part.deal_id for part in parts]),
        game_id=np.concatenate([part.game_id for part in parts]),
        seating=np.concatenate([part.seating for part in parts]),
        points=np.concatenate([part.points for part in parts]),
        win_shares=np.concatenate([part.win_shares for part in parts]),
        denied_points=np.concatenate([part.denied_points for part in parts]),
        turns=np.concatenate([part.turns for part in parts]),
        forfeits=np.concatenate([part.forfeits for part in parts]),
    )
