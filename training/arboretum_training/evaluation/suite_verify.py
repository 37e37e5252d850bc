"""Whether a result of the suite is what it claims to be.

What is checked of the whole file: its hashes, that it was made with this suite, these rules and
these rungs, that every seat of every deal was played, and that the card follows from the games.

What is checked of a sample of work units (or of all): every record is replayed against the rung
itself. The agent's moves are taken from the record, the rung makes its own, on the suite's own
deal. So a record passes only if the rung really answers like that; and its result, points and
denied points are the engine's. The agent need not be at hand.
"""

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import Mode, make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, initial_deal
from arboretum_env.engine.state import GameState
from arboretum_env.errors import IllegalActionError, RecordError
from arboretum_env.forfeit import FORFEIT
from arboretum_env.match import MatchResult, play_match
from arboretum_env.phase import DECISIONS_PER_TURN
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import replay
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerViews
from arboretum_training.evaluation import duplicate
from arboretum_training.evaluation.agent_identity import AgentIdentity, identify
from arboretum_training.evaluation.errors import ResultError
from arboretum_training.evaluation.evaluate import Games
from arboretum_training.evaluation.executor import (
    Progress,
    Workers,
    one_torch_thread,
    run_units,
    split_deals,
)
from arboretum_training.evaluation.suite import SEED, SUITE_VERSION, rungs_of
from arboretum_training.evaluation.suite_card import make_card
from arboretum_training.evaluation.suite_match import SuiteMatch
from arboretum_training.evaluation.suite_result import MatchResultData, SuiteResult
from arboretum_training.evaluation.tournament import Tournament


class ScriptedAgent:
    """Plays what a record says, whatever it sees.

    Args:
        scripts: by game and seat, the flat action ids in order.
        forfeits: why a seat that has no more moves ends the game; others must have one.
    """

    def __init__(
        self, scripts: dict[tuple[int, int], list[int]], forfeits: dict[tuple[int, int], str]
    ) -> None:
        self._scripts = {key: iter(actions) for key, actions in scripts.items()}
        self._forfeits = forfeits

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Nothing to begin: the scripts are of these games."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """[B] the next action of each game's script; -1, illegal, where it has ended."""
        keys = zip(views.game_id, views.seat, strict=True)
        return np.array(
            [next(self._scripts[int(game), int(seat)], FORFEIT) for game, seat in keys], np.int64
        )

    def forfeit_reason(self, game_id: int, seat: int) -> str:
        """As the record says it."""
        try:
            return self._forfeits[game_id, seat]
        except KeyError:
            raise IllegalActionError(f"game {game_id}: seat {seat} has no further move") from None


@dataclass(frozen=True)
class CheckedUnit:
    """One work unit of a match, with everything needed to check it in another process."""

    rung: str
    names: tuple[str, ...]
    config: GameConfig
    mode: Mode
    games: Games
    records: tuple[bytes, ...]
    place: str


def verify(
    result: SuiteResult,
    *,
    sample: int | None = 1,
    seed: int,
    workers: Workers = 1,
    progress: Progress | None = None,
) -> int:
    """Checks a result; returns when it is in order.

    Args:
        result: read from its file.
        sample: work units of each match to replay; ``None``: all.
        seed: chooses them; one that nobody could foresee.
        workers: where units are computed, see ``executor.Workers``.
        progress: called with (units checked, units in all).

    Returns:
        How many games were replayed.

    Raises:
        ResultError: what is wrong, and where.
    """
    agent = _agent_of(result)
    matches: dict[tuple[int, str], Tournament] = {}
    for match in result.matches:
        matches[match.players, match.rung] = _check_match(agent, match, result.card["mode"])
    if make_card(agent, matches) != result.card:
        raise ResultError("the card does not follow from the games: a figure was altered")
    rng = np.random.default_rng(seed)
    units = [
        unit
        for match in result.matches
        for unit in _sampled(match, result.card["mode"], sample, rng)
    ]
    return sum(run_units(check_unit, units, workers, progress))


def check_unit(unit: CheckedUnit) -> int:
    """Replays the records of a unit against the rung; how many games they are.

    Raises:
        ResultError: what is wrong, and in which game.
    """
    records = [_record(unit, row) for row in range(len(unit.records))]
    actions = [_actions(unit, row, record) for row, record in enumerate(records)]
    dealt = deal(unit.config, root_from_seed(SEED, Purpose.SUITE), unit.games.deal_id)
    for row, record in enumerate(records):
        _check_deal(unit, row, record, dealt)
    agents = [_scripted(unit, records, actions), make_agent(unit.rung, unit.config, mode=unit.mode)]
    agents[1].reset(unit.games.game_id, SEED)
    try:
        with one_torch_thread():
            match = play_match(
                dealt, agents, unit.games.seating, unit.games.game_id, keep_actions=True
            )
    except IllegalActionError as error:
        raise ResultError(
            f"{unit.place}: a recorded move does not fit what {unit.rung} plays: {error}"
        ) from error
    for row, expected in enumerate(actions):
        if tuple(match.game_actions(row)) != expected:
            raise ResultError(f"{_place(unit, row)}: {unit.rung} does not play like that")
    _check_figures(unit, match)
    return len(records)


def _scripted(
    unit: CheckedUnit, records: list[GameRecord], actions: list[tuple[int, ...]]
) -> ScriptedAgent:
    """The agent of the records; every turn has as many decisions, and seats take turns."""
    players = unit.config.num_players
    scripts: dict[tuple[int, int], list[int]] = {}
    forfeits: dict[tuple[int, int], str] = {}
    for row, (record, moves) in enumerate(zip(records, actions, strict=True)):
        game = int(unit.games.game_id[row])
        scripts |= {(game, seat): [] for seat in range(players)}
        for number, action in enumerate(moves):
            scripts[game, number // DECISIONS_PER_TURN % players].append(action)
        for seat in range(players):
            begin = f"forfeit seat {seat}: "
            if record.termination.startswith(begin):
                forfeits[game, seat] = record.termination.removeprefix(begin)
    return ScriptedAgent(scripts, forfeits)


def _check_deal(unit: CheckedUnit, row: int, record: GameRecord, dealt: GameState) -> None:
    hands, deck, piles = initial_deal(dealt, row)
    cards = tuple(map(tuple, hands)), tuple(deck), tuple(map(tuple, piles))
    if (record.hands, record.deck, record.discards) != cards:
        raise ResultError(f"{_place(unit, row)}: is not the suite's deal")
    if record.seats != tuple(unit.names[agent] for agent in unit.games.seating[row]):
        raise ResultError(f"{_place(unit, row)}: names other agents than those that sat there")


def _check_figures(unit: CheckedUnit, match: MatchResult) -> None:
    forfeits = np.full(len(unit.games), -1)
    for row, forfeit in match.forfeits.items():
        forfeits[row] = forfeit.seat
    found = {
        "forfeits": forfeits,
        "points": match.scores.points,
        "win_shares": match.scores.win_shares,
        "denied_points": match.scores.denied_points,
        "turns": match.final.turn,
    }
    for name, values in found.items():
        different = (values != getattr(unit.games, name)).reshape(len(unit.games), -1)
        wrong = np.flatnonzero(different.any(axis=1))
        if len(wrong):
            raise ResultError(f"{_place(unit, int(wrong[0]))}: {name} is not what was played")


def _agent_of(result: SuiteResult) -> AgentIdentity:
    card = result.card
    if card["suite"] != SUITE_VERSION:
        raise ResultError(f"suite {card['suite']}: expected {SUITE_VERSION}, this version's")
    made, here = card["versions"]["arboretum-lab"], version("arboretum-lab")
    if made != here:
        raise ResultError(
            f"made with arboretum-lab {made}: verify it with that version, not {here}"
        )
    agent = card["agent"]
    # Nothing is made of it: its moves come from the records.
    return AgentIdentity(
        agent["name"], agent["pinned"], agent["pinned"], agent["digest"], agent["source"]
    )


def _check_match(agent: AgentIdentity, match: MatchResultData, mode: Any) -> Tournament:
    """The match as a tournament, after comparing it with what the suite asks for."""
    if match.rung not in {rung.spec for rung in rungs_of(match.players)}:
        raise ResultError(f"{match.name}: {match.rung}: expected a rung of the ladder")
    deals = match.settings.get("deals")
    if not isinstance(deals, int) or deals < 1:
        raise ResultError(f"{match.name}: {deals!r} deals: expected a positive number")
    asked = SuiteMatch(agent, identify(match.rung), match.players, deals, Path(), mode)
    if asked.settings.to_json() != match.settings or asked.name != match.name:
        raise ResultError(f"{match.name}: other settings than the suite's: they were altered")
    plan = duplicate.schedule(2, match.players, np.arange(deals))
    for name in ("deal_id", "game_id", "seating"):
        if not np.array_equal(getattr(plan, name), getattr(match.games, name)):
            raise ResultError(f"{match.name}: {name} is not that of every seat of every deal")
    finished = {
        (0, block): _of_deals(match.games, ids) for block, ids in enumerate(split_deals(deals))
    }
    return Tournament(asked.settings, Path(), finished)


def _sampled(
    match: MatchResultData, mode: Any, sample: int | None, rng: np.random.Generator
) -> list[CheckedUnit]:
    blocks = split_deals(int(match.settings["deals"]))
    chosen = list(range(len(blocks)))
    if sample is not None:
        chosen = sorted(rng.choice(len(blocks), min(sample, len(blocks)), replace=False).tolist())
    return [
        CheckedUnit(
            rung=match.rung,
            names=tuple(str(agent["name"]) for agent in match.settings["agents"]),
            config=GameConfig(num_players=match.players),
            mode=mode,
            games=_of_deals(match.games, blocks[block]),
            records=tuple(
                match.records[row]
                for row in np.flatnonzero(np.isin(match.games.deal_id, blocks[block]))
            ),
            place=match.name,
        )
        for block in chosen
    ]


def _of_deals(games: Games, deal_ids: NDArray[np.uint64]) -> Games:
    rows = np.isin(games.deal_id, deal_ids)
    return Games(**{name: values[rows] for name, values in vars(games).items()})


def _record(unit: CheckedUnit, row: int) -> GameRecord:
    try:
        return read_arb(unit.records[row].decode())
    except (RecordError, UnicodeDecodeError) as error:
        raise ResultError(f"{_place(unit, row)}: {error}") from error


def _actions(unit: CheckedUnit, row: int, record: GameRecord) -> tuple[int, ...]:
    try:
        return replay(record).position.actions
    except RecordError as error:
        raise ResultError(f"{_place(unit, row)}: {error}") from error


def _place(unit: CheckedUnit, row: int) -> str:
    return f"{unit.place}: game {int(unit.games.game_id[row])}"
