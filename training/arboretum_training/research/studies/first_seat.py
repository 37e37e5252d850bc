"""Is it better to begin, and who presses on? Seats and draws of agents at tables of their own."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.statistics import bootstrap_interval, win_rate_interval
from arboretum_training.research.studies.study import Row, Setting, Study
from arboretum_training.research.studies.tables import games_among_equals, study_of_agents
from arboretum_training.research.tempo import tempo

SEED: Final = 84
TENTHS: Final = 10
_DECK: Final = 0


def study(setting: Setting) -> Study:
    """A row is an agent with a number of players."""
    return study_of_agents("first_seat", setting, measure, SEED)


def measure(players: int, agent: str, deals: int) -> Row:
    """An agent at tables of its own.

    Returns:
        [P] lists by absolute seat: ``win_rate`` with ``win_low`` and ``win_high``, mean ``points``,
        ``turns`` and ``closed``, the share of the games whose last deck card the seat drew. Means
        of ``game_turns`` with interval. [10] ``deck_share``: of the draws in each tenth of a game's
        turns, the share that came from the deck; and ``winner_deck`` and ``others_deck``, the
        share of all draws, with the interval of their difference over games.
    """
    games = games_among_equals(agent, GameConfig(num_players=players), deals, SEED)
    scores, drawn = games.scores, tempo(games)
    shares = scores.win_shares
    intervals = [win_rate_interval(shares[:, seat], 1) for seat in range(players)]
    turns_of_seat = drawn.draws.sum(axis=2) / 2
    length = bootstrap_interval(drawn.turns, SEED)
    of_deck = drawn.draws[:, :, _DECK] / np.maximum(drawn.draws.sum(axis=2), 1)  # [B, P]
    winners = (of_deck * shares).sum(axis=1)
    losing = np.where(scores.winners, 0.0, 1.0)
    some_lost = losing.sum(axis=1) > 0
    others = (of_deck * losing).sum(axis=1)[some_lost] / losing.sum(axis=1)[some_lost]
    gap = bootstrap_interval(winners[some_lost] - others, SEED)
    assert length is not None and gap is not None  # there are several games
    return {
        "players": players,
        "agent": agent,
        "win_rate": shares.mean(axis=0).tolist(),
        "win_low": [interval.low for interval in intervals],
        "win_high": [interval.high for interval in intervals],
        "points": scores.points.mean(axis=0).tolist(),
        "turns": turns_of_seat.mean(axis=0).tolist(),
        "closed": (np.bincount(drawn.closer, minlength=players) / len(games)).tolist(),
        "game_turns": float(drawn.turns.mean()),
        "game_turns_low": length.low,
        "game_turns_high": length.high,
        "deck_share": _deck_share_by_tenth(drawn.source, drawn.turns),
        "winner_deck": float(winners[some_lost].mean()),
        "others_deck": float(others.mean()),
        "deck_gap_low": gap.low,
        "deck_gap_high": gap.high,
    }


def _deck_share_by_tenth(source: NDArray[np.int8], turns: NDArray[np.int64]) -> list[float]:
    """[10] share of draws from the deck in each tenth of a game."""
    turn, draw, game = np.nonzero(source >= 0)
    tenth = turn * TENTHS // turns[game]
    of_deck = source[turn, draw, game] == _DECK
    drawn = np.bincount(tenth, minlength=TENTHS)
    shares = np.bincount(tenth, of_deck, minlength=TENTHS) / np.maximum(drawn, 1)
    return [float(share) for share in shares]
