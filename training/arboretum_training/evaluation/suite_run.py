"""Measuring an agent with the suite: every rung, every number of players, resumable in a folder."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from arboretum_agents.registry import Mode
from arboretum_env.errors import CheckpointError
from arboretum_training.evaluation.agent_identity import AgentIdentity, identify
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.evaluate import make
from arboretum_training.evaluation.executor import Workers
from arboretum_training.evaluation.ladder import (
    Ladder,
    ladder_matches,
    rate_ladder,
)
from arboretum_training.evaluation.suite import PLAYERS, SUITE_VERSION, game_of, rungs_of
from arboretum_training.evaluation.suite_card import Card, make_card
from arboretum_training.evaluation.suite_match import SuiteMatch
from arboretum_training.evaluation.suite_result import write_result
from arboretum_training.evaluation.tournament import Tournament

RESULT_FILE: Final = "result.zip"

Report = Callable[[int, int, str], None]
"""Called with (units done, units in all, what is being played)."""


def playable(agent: AgentIdentity, players: Sequence[int], mode: Mode) -> list[int]:
    """Of some numbers of players those that the agent can play: a network has learned one of them.

    Raises:
        EvaluationError: none of them.
    """
    able = []
    for number in players:
        try:
            make(agent.agent, game_of(number), mode)
        except CheckpointError:
            if agent.source != "checkpoint":
                raise
            continue
        able.append(number)
    if not able:
        counts = ", ".join(map(str, players))
        raise EvaluationError(f"{agent.name}: plays the suite's game for none of {counts} players")
    return able


def default_folder(agent: AgentIdentity, mode: Mode, deals: int | None) -> Path:
    """A folder named by what is measured, so that the same command goes on where it stopped."""
    short = "" if deals is None else f"-{deals}deals"
    return Path("runs") / "suite" / f"v{SUITE_VERSION}-{agent.digest[:12]}-{mode}{short}"


def suite_matches(
    agent: AgentIdentity, players: Sequence[int], folder: Path, mode: Mode, deals: int | None
) -> dict[tuple[int, str], SuiteMatch]:
    """What has to be played, by number of players and rung.

    Args:
        agent: who is measured.
        players: numbers of players.
        folder: of the measurement.
        mode: see ``registry.Mode``.
        deals: deals of every match in place of the suite's own, which makes it unofficial.
    """
    return {
        (number, rung.spec): SuiteMatch(
            agent, identify(rung.spec), number, deals or rung.deals[number], folder, mode
        )
        for number in players
        for rung in rungs_of(number)
    }


def play_matches(
    matches: Sequence[SuiteMatch], *, workers: Workers, records: bool, report: Report
) -> None:
    """Plays what is missing of some matches."""
    total = sum(match.tournament.units for match in matches)

    def tell(name: str) -> None:
        report(sum(len(other.tournament.finished) for other in matches), total, name)

    for match in matches:

        def watch(_: Tournament, name: str = match.name) -> None:
            tell(name)

        tell(match.name)
        match.play(workers=workers, records=records, watch=watch)


def finish_suite(
    agent: AgentIdentity, matches: dict[tuple[int, str], SuiteMatch], folder: Path
) -> tuple[Card, Path]:
    """The card of matches that are all played, and the result file, written into the folder."""
    card = make_card(agent, {key: match.tournament for key, match in matches.items()})
    write_result(folder / RESULT_FILE, card, matches)
    return card, folder / RESULT_FILE


def play_ladder(
    folder: Path, *, deals: int | None, workers: Workers, report: Report
) -> dict[int, Ladder]:
    """Plays the rungs against each other; see ``ladder``."""
    matches = {players: ladder_matches(players, folder, deals) for players in PLAYERS}
    everything = [match for some in matches.values() for match in some]
    play_matches(everything, workers=workers, records=False, report=report)
    return {players: rate_ladder(players, some) for players, some in matches.items()}
