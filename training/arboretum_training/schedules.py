"""How a coefficient changes over a run."""


def linear(start: float, end: float, progress: float) -> float:
    """Value on the straight line from ``start`` to ``end``.

    A pure function of the progress, which is a counter of the run: a resumed run goes on where it
    was, with no state of its own to save or to forget (docs/promises.md, fault 19).

    Args:
        start: value at progress 0.
        end: value at progress 1.
        progress: share of the budget that is used; beyond 0..1 the nearer end holds, since the
            last iteration of a run ends a little after its budget.

    >>> linear(0.01, 0.006, 0.5)
    0.008
    """
    share = min(max(progress, 0.0), 1.0)
    return start + (end - start) * share
