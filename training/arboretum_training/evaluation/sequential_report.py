"""How a sequential test ended, as JSON and as text.

The Elo estimate is that of the games played. A test that stops when the evidence is strong stops
more often at a lucky moment than at an unlucky one, so the estimate leans away from the middle of
the two hypotheses and its interval is not corrected for the stopping: the verdict is the result.
"""

from typing import Any

from arboretum_training.evaluation.deal_values import win_shares_of
from arboretum_training.evaluation.sequential import SequentialResult
from arboretum_training.evaluation.sprt import elo_of
from arboretum_training.evaluation.statistics import bootstrap_interval


def sequential_json(ended: SequentialResult) -> dict[str, Any]:
    """The part ``sprt`` of a report; an Elo is null where nothing or everything was won."""
    elo, low, high = _elos(ended)
    settings = ended.settings
    return {
        "elo0": settings.elo0,
        "elo1": settings.elo1,
        "alpha": settings.alpha,
        "beta": settings.beta,
        "llr": ended.llr,
        "bounds": list(settings.bounds),
        "verdict": ended.verdict,
        "interrupted": ended.interrupted,
        "elo": elo,
        "elo_ci95": [low, high],
    }


def sequential_text(ended: SequentialResult) -> str:
    """Three lines: the evidence, what follows from it, and the estimate."""
    settings, first = ended.settings, ended.result.names[0]
    meaning = {
        "H1": f"H1 accepted: the lead of {first} is more than {settings.elo0:+g} Elo",
        "H0": f"H0 accepted: the lead of {first} is less than {settings.elo1:+g} Elo",
        "undecided": f"undecided after {ended.result.deals} deals",
    }[ended.verdict]
    elo, low, high = (_elo_text(value) for value in _elos(ended))
    return (
        f"LLR {ended.llr:+.2f}, bounds {settings.bounds.low:+.2f} and {settings.bounds.high:+.2f}\n"
        f"{meaning}{' (interrupted)' if ended.interrupted else ''}\n"
        f"Elo of {first}: {elo} ({low}..{high}), not corrected for the stopping"
    )


def _elos(ended: SequentialResult) -> tuple[float | None, float | None, float | None]:
    """The first agent's Elo and the ends of its interval, the paired bootstrap of its wins."""
    result = ended.result
    shares = win_shares_of(result.games, 0, result.deals)
    low, high = bootstrap_interval(shares, result.seed) or (0.0, 1.0)
    return (
        elo_of(float(shares.mean()), result.config.num_players),
        elo_of(low, result.config.num_players),
        elo_of(high, result.config.num_players),
    )


def _elo_text(elo: float | None) -> str:
    return "unbounded" if elo is None else f"{elo:+.1f}"
