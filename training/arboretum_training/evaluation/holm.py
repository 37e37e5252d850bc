"""Several comparisons at once: Holm's adjustment of p-values."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values that may be compared with one level although there are several of them.

    The smallest of m p-values is multiplied by m, the next by m - 1 and so on, and none may be
    smaller than one before it. Calling a comparison significant where its adjusted p-value is at
    most alpha makes a false call in at most a share alpha of all tables, whatever the comparisons
    have to do with each other.

    Source: Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6 (1979).

    Args:
        p_values: one a comparison, each 0..1.

    Returns:
        The adjusted p-values, in the order given.

    Raises:
        ValueError: something that is no p-value.

    >>> [round(p, 6) for p in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda k: p_values[k])):
        p = float(p_values[index])
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"p-value {p}: expected 0..1")
        largest = max(largest, min(1.0, (len(p_values) - rank) * p))
        adjusted[index] = largest
    return adjusted
