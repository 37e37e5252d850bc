"""A sequential test: it looks after every work unit, and stops as soon as the evidence suffices.

Two hypotheses about the first agent's strength, in Elo points against the second one, are weighed
by the logarithm of their likelihood ratio (LLR). Wald's bounds say when it is enough: log(beta /
(1 - alpha)) for the lower strength, log((1 - beta) / alpha) for the higher one. Then H1 is accepted
with probability at most about alpha where the strength is elo0 or less, and H0 with at most about
beta where it is elo1 or more. Looking every 64 deals overshoots the bounds a little, which makes
both errors rarer.

The unit is the deal: its value is the share of the wins that the first agent took over all seat
rotations (for two players 0, 1/4, 1/2, 3/4 or 1: the *pentanomial* model of chess engine testing).
How these values are distributed is not assumed: each hypothesis gets the most likely distribution
with the mean that it asks for, so that games of one deal may depend on each other in any way.

Source: Wald, Sequential tests of statistical hypotheses (1945); Li, Liu and Ying, Generalized
sequential probability ratio test for separate families of hypotheses (2014); Van den Bergh's note
on multinomial distributions with a given expectation (hardy.uhasselt.be/Fishtest,
support_MLE_multinomial.pdf), proposition 1.1, which is the test of Stockfish's fishtest and an
instance of Owen's empirical likelihood (1988).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from math import log
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.statistics import Interval

Verdict = Literal["H0", "H1", "undecided"]

MAX_ELO: Final = 1_000.0
_PRIOR: Final = 1e-3  # fishtest's count of a value that was never seen; keeps both ends possible
_ALIKE: Final = 1e-9


def expected_share(elo: float, players: int) -> float:
    """Share of the wins that is expected of one seat which is ``elo`` stronger than all others.

    With two players this is Elo's formula; with more, Plackett and Luce's on the same scale.

    >>> expected_share(0, 4), round(expected_share(400, 2), 4)
    (0.25, 0.9091)
    """
    strength: float = 10.0 ** (elo / 400.0)
    return strength / (strength + players - 1)


def elo_of(share: float, players: int) -> float | None:
    """``expected_share`` the other way round; None where nothing or everything was won.

    >>> elo_of(0.25, 4), elo_of(1.0, 2)
    (0.0, None)
    """
    if not 0.0 < share < 1.0:
        return None
    return 400.0 * float(np.log10(share * (players - 1) / (1.0 - share)))


@dataclass(frozen=True)
class SprtSettings:
    """What is to be told apart, and how often the answer may be wrong.

    Attributes:
        elo0: strength under H0.
        elo1: strength under H1; higher.
        alpha: how often H1 may be accepted although H0 holds.
        beta: how often H0 may be accepted although H1 holds.

    Raises:
        EvaluationError: hypotheses in the wrong order or out of range, or no error rates.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= MAX_ELO:
                raise EvaluationError(
                    f"sprt {name}={getattr(self, name):g}: expected {-MAX_ELO:g} to {MAX_ELO:g}"
                )
        if not self.elo0 < self.elo1:
            raise EvaluationError(
                f"sprt elo0={self.elo0:g} elo1={self.elo1:g}: expected elo0 < elo1"
            )
        for name in ("alpha", "beta"):
            if not 0.0 < getattr(self, name) < 0.5:
                raise EvaluationError(
                    f"sprt {name}={getattr(self, name):g}: expected more than 0 and less than 0.5"
                )

    @property
    def bounds(self) -> Interval:
        """The LLRs at which H0 and H1 are accepted."""
        return Interval(log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha))


def parse_sprt(words: Sequence[str]) -> SprtSettings:
    """Settings from words like ``elo0=0 elo1=10 alpha=0.05``.

    Raises:
        EvaluationError: a word that is no setting, one missing or given twice, or no number.
    """
    known = [field.name for field in fields(SprtSettings)]
    values: dict[str, float] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if name not in known or not equals:
            raise EvaluationError(f"sprt {word}: expected {'=... '.join(known)}=...")
        if name in values:
            raise EvaluationError(f"sprt {word}: {name} is given twice")
        try:
            values[name] = float(text)
        except ValueError:
            raise EvaluationError(f"sprt {word}: expected a number") from None
    missing = [name for name in ("elo0", "elo1") if name not in values]
    if missing:
        raise EvaluationError(f"sprt: {' and '.join(missing)} missing, expected elo0=... elo1=...")
    return SprtSettings(**values)


class SequentialTest:
    """The evidence so far.

    Args:
        settings: see ``SprtSettings``.
        players: seats at the table; the first agent holds one.
    """

    def __init__(self, settings: SprtSettings, players: int) -> None:
        self.settings = settings
        self._shares = [expected_share(elo, players) for elo in (settings.elo0, settings.elo1)]
        self._counts: Counter[int] = Counter()
        self.llr = 0.0

    def add(self, deal_shares: Iterable[float]) -> Verdict:
        """Weighs some more deals.

        Args:
            deal_shares: one number a deal, the mean share of the win of the first agent, 0..1.

        Returns:
            The verdict by now. Whoever goes on after it was H0 or H1 has another test than Wald's.
        """
        self._counts.update(round(share / _ALIKE) for share in deal_shares)
        values = np.array(sorted(self._counts), np.float64)
        counts = np.array([self._counts[int(value)] for value in values], np.float64)
        self.llr = log_likelihood_ratio(values * _ALIKE, counts, *self._shares)
        low, high = self.settings.bounds
        return "H1" if self.llr >= high else "H0" if self.llr <= low else "undecided"


def log_likelihood_ratio(
    values: ArrayLike, counts: ArrayLike, share0: float, share1: float
) -> float:
    """How much likelier a mean of ``share1`` makes what was seen than one of ``share0`` does.

    Args:
        values: [V] what a deal can be worth, 0..1.
        counts: [V] how many deals were.
        share0, share1: the two means, both more than 0 and less than 1.

    Returns:
        The logarithm of the ratio of the two greatest likelihoods.
    """
    ends = np.concatenate([np.asarray(values, np.float64), [0.0, 1.0]])
    weights = np.concatenate([np.asarray(counts, np.float64), [_PRIOR, _PRIOR]])
    total = weights.sum()
    tilted0 = _tilt(ends, weights / total, share0) * (ends - share0)
    tilted1 = _tilt(ends, weights / total, share1) * (ends - share1)
    return float(weights @ (np.log1p(tilted0) - np.log1p(tilted1)))


def _tilt(values: NDArray[np.float64], shares: NDArray[np.float64], mean: float) -> float:
    """The multiplier t with which ``shares / (1 + t (values - mean))`` has the given mean.

    That is the likeliest distribution with this mean (Van den Bergh, proposition 1.1; Owen 1988).
    """
    from scipy import optimize  # not above: evaluations without this test start sooner

    away = values - mean
    # All weights stay positive for t between -1 / max and -1 / min; at both ends the mean diverges.
    low, high = -1.0 / away.max(), -1.0 / away.min()
    edge = 1e-12 * (high - low)
    root = optimize.brentq(
        lambda t: float(shares @ (away / (1.0 + t * away))), low + edge, high - edge, xtol=1e-14
    )
    return float(root)
