"""Means of numbers that come in piece by piece."""

from collections.abc import Mapping


class RunningMeans:
    """Weighted means by name.

    >>> means = RunningMeans()
    >>> means.add({"loss": 1.0}, 3)
    >>> means.add({"loss": 5.0, "rare": 2.0}, 1)
    >>> means.result()
    {'loss': 2.0, 'rare': 2.0}
    """

    def __init__(self) -> None:
        self._sums: dict[str, float] = {}
        self._weights: dict[str, float] = {}

    def add(self, values: Mapping[str, float], weight: float) -> None:
        """Takes in one piece; a name that is not in all pieces has the mean of those it is in."""
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, 0.0) + weight * value
            self._weights[name] = self._weights.get(name, 0.0) + weight

    def result(self) -> dict[str, float]:
        """The means so far; names that never had any weight are left out."""
        return {
            name: total / self._weights[name]
            for name, total in self._sums.items()
            if self._weights[name]
        }
