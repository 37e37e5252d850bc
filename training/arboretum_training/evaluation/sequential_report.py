"""How a sequential test ended, as JSON and as text.

The Elo estimate is that of the games played. A test that stops when the evidence is strong stops
more often at a lucky moment than at an unlucky one, so the estimate leans away from the middle of
the two hypotheses and its interval is not corrected for the stopping: the verdict is the result.
"""

from typing import Any

from arboretum_training.evaluation.sequential import SequentialResult
from arboretum_training.evaluation.sprt import elo_of
from arboretum_training.evaluation.summary import Summary


def sequential_json(ended: SequentialResult, summary: Summary) -> dict[str, Any]:
    """The part ``sprt`` of a report; an Elo is null where nothing or everything was won."""
    elo, low, high = _elos(summary)
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


def sequential_text(ended: SequentialResult, summary: Summary) -> str:
    """Three lines: the evidence, what follows from it, and the estimate."""
    settings, first = ended.settings, next(iter(summary.agents))
    meaning = {
        "H1": f"H1 accepted: the lead of {first} is more than {settings.elo0:+g} Elo",
        "H0": f"H0 accepted: the lead of {first} is less than {settings.elo1:+g} Elo",
        "undecided": f"undecided after {summary.deals} deals",
    }[ended.verdict]
    elo, low, high = (_elo_text(value) for value in _elos(summary))
    return (
        f"LLR {ended.llr:+.2f}, bounds {settings.bounds.low:+.2f} and {settings.bounds.high:+.2f}\n"
        f"{meaning}{' (interrupted)' if ended.interrupted else ''}\n"
        f"Elo of {first}: {elo} ({low}..{high}), not corrected for the stopping"
    )


def _elos(summary: Summary) -> tuple[float | None, float | None, float | None]:
    """The first agent's Elo and the ends of its interval; it holds one seat."""
    first = next(iter(summary.agents.values()))
    low, high = first.win_rate_ci95
    return (
        elo_of(first.win_rate, summary.players),
        elo_of(low, summary.players),
        elo_of(high, summary.players),
    )


def _elo_text(elo: float | None) -> str:
    return "unbounded" if elo is None else f"{elo:+.1f}"
