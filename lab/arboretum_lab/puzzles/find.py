"""Finds puzzles in recorded games, and throws those out whose answer does not stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from arboretum_agents.advice import advise
from arboretum_agents.registry import make_agent
from arboretum_agents.search.agent import ROLLOUTS, SearchAgent
from arboretum_env.notation import legal_moves
from arboretum_env.phase import Phase
from arboretum_env.records.record import GameRecord
from arboretum_env.records.scoresheet import ScoreSheet, state_sheet
from arboretum_env.view import PlayerView
from arboretum_env.view_json import view_to_json
from arboretum_lab.puzzles.games import decisions, final_state
from arboretum_lab.puzzles.measure import Measured, estimate, measure
from arboretum_lab.puzzles.puzzle import MovePuzzle, Option, RightPuzzle, Source
from arboretum_lab.puzzles.searched import RUNS, Lead, search_lead

RECHECK: Final = 10
"""How many times the worlds an answer is checked with, none of them those it was found with."""

LEAST_GAP: Final = 0.03
"""What the best choice has to be worth more than the second, however sure that it is better."""

LEAST_WINS: Final = 0.15
"""Of the sampled games by the best choice: a game that is lost anyway asks for nothing."""

GLANCE: Final = 5
"""A first glance, with so many times fewer worlds, spares the work on what is not clear at all."""

LEAST_CHOICES: Final = 4
BOTS: Final = ("greedy", "planner")

_PHASES: Final = {"discard": Phase.DISCARD, "plant": Phase.PLACE}


@dataclass(frozen=True)
class Candidate:
    """A decision of a recorded game that a puzzle may be made of."""

    kind: Literal["discard", "plant"]
    view: PlayerView
    source: Source


def right_puzzles(record: GameRecord, source: Source, name: str) -> Iterator[RightPuzzle]:
    """Rights at the end of a game that simply adding up ranks would get wrong, or that are shared.

    Args:
        record: a finished game.
        source: where it comes from.
        name: what the puzzles' ids begin with.
    """
    config = record.config
    state = final_state(record)
    sheet = state_sheet(state)
    seats = range(config.num_players)
    board = {
        "species": config.species,
        "players": [
            {
                "hand": [config.card_text(card) for card in state.hand(0, seat)],
                "arboretum": [
                    [x, y, config.card_text(card)] for x, y, card in state.arboretum(0, seat)
                ],
            }
            for seat in seats
        ],
    }
    for index, letter in enumerate(config.species):
        if is_tricky(sheet, index):
            answer = [seat for seat in seats if sheet.players[seat].rows[index].right]
            yield RightPuzzle(
                id=f"{name}-{letter}", source=source, board=board, species=letter, answer=answer
            )


def is_tricky(sheet: ScoreSheet, index: int) -> bool:
    """Whether a path is at stake, and the right not simply that of the largest sum of ranks."""
    rows = [player.rows[index] for player in sheet.players]
    if not any(row.best_path for row in rows):
        return False
    sums = [sum(row.held) for row in rows]
    naive = [total == max(sums) for total in sums]
    return naive != [row.right for row in rows] or (sum(naive) > 1 and max(sums) > 0)


def candidates(
    record: GameRecord, source: Source, kind: Literal["discard", "plant"]
) -> list[Candidate]:
    """The decisions of a kind that have choices enough; none of the first and last turns."""
    turns = len(record.turns)
    found = []
    for view, _ in decisions(record):
        if view.phase is _PHASES[kind] and turns // 3 <= view.turn < turns - 2:
            if len(legal_moves(view)) >= LEAST_CHOICES:
                at = source.model_copy(update={"turn": view.turn})
                found.append(Candidate(kind, view, at))
    return found


def move_puzzle(
    candidate: Candidate, agent: SearchAgent, worlds: int, rng: np.random.Generator
) -> MovePuzzle | None:
    """The puzzle of a decision, or None where its answer is not clear.

    It is clear where the best choice is worth more than the second beyond the 95 % interval of the
    difference, in games played on by the policy and in searches (``searched``), and stays so, with
    the same best choice, in ``RECHECK`` times as many new worlds and simulations.

    Args:
        candidate: the decision.
        agent: see ``measure``.
        worlds: for finding it, and simulations of each search.
        rng: draws the worlds.
    """
    moves = legal_moves(candidate.view)
    actions = [ids[0] for ids in moves.values()]
    glance = measure(agent, candidate.view, actions, max(worlds // GLANCE, 2), rng)
    if glance.gap.mean < LEAST_GAP:
        return None
    first = measure(agent, candidate.view, actions, worlds, rng)
    if not is_clear(first):
        return None
    best = actions[first.ranking[0]]
    if agreed_lead(candidate, best, worlds) is None:
        return None
    second = measure(agent, candidate.view, actions, worlds * RECHECK, rng)
    if not is_clear(second) or second.ranking[0] != first.ranking[0]:
        return None
    lead = agreed_lead(candidate, best, worlds * RECHECK)
    if lead is None or lead.gap.mean < LEAST_GAP:
        return None
    source = candidate.source
    return MovePuzzle(
        kind=candidate.kind,
        id=f"{candidate.kind}-{candidate.view.config.num_players}p-{source.seed}-{source.game}"
        f"-{source.turn}",
        source=source,
        view=view_to_json(candidate.view),
        options=_options(list(moves), second),
        worlds=second.worlds,
        gap=_short(second.gap.mean),
        gap_half=_short(second.gap.half),
        first_worlds=first.worlds,
        first_gap=_short(first.gap.mean),
        first_gap_half=_short(first.gap.half),
        policy=ROLLOUTS,
        searches=RUNS,
        simulations=worlds * RECHECK,
        search_gap=_short(lead.gap.mean),
        search_gap_half=_short(lead.gap.half),
        others=_choices_of(source.agents[0], candidate.view),
    )


def is_clear(measured: Measured) -> bool:
    """Whether the best choice is better than the second beyond doubt, by enough, and wins most."""
    wins = measured.wins.mean(axis=1)
    sure = measured.gap.low > 0 and measured.gap.mean >= LEAST_GAP
    return sure and bool(wins[measured.ranking[0]] == wins.max() >= LEAST_WINS)


def agreed_lead(candidate: Candidate, action: int, simulations: int) -> Lead | None:
    """The lead of an action in searches, if it is the best there beyond doubt."""
    agent = SearchAgent(candidate.view.config, simulations=simulations)
    agent.reset(np.zeros(1, np.uint64), candidate.source.seed)
    lead = search_lead(agent, candidate.view)
    return lead if lead.action == action and lead.clear else None


def _options(moves: Sequence[str], measured: Measured) -> list[Option]:
    options = []
    for k in measured.ranking:
        worth, wins = estimate(measured.worths[k]), estimate(measured.wins[k])
        options.append(
            Option(
                move=moves[k],
                worth=_short(worth.mean),
                worth_half=_short(worth.half),
                wins=_short(wins.mean),
                wins_half=_short(wins.half),
            )
        )
    return options


def _choices_of(spec: str, view: PlayerView) -> dict[str, str]:
    """What the agent of the game, at its best, and some bots would do."""
    choices = {}
    for name in (spec, *BOTS):
        agent = make_agent(name, view.config, mode="greedy")
        agent.reset(np.zeros(1, np.uint64), 0)
        choices[name] = advise(agent, view, probabilities=False, explained=False).move
    return choices


def _short(number: float) -> float:
    return round(number, 4)
