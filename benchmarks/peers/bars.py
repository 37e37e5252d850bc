"""How many times faster than its peers Arboretum means to be, and whether it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.peers.contest import Result


@dataclass(frozen=True)
class Bar:
    """One comparison.

    Attributes:
        ours: key of our contestant.
        peers: keys of theirs; the fastest of them counts.
        times: how many times faster ours has to be; None for information only.
    """

    ours: str
    peers: tuple[str, ...]
    times: float | None


BARS: Final = (
    Bar("arboretum-batch", ("openspiel-gin-rummy",), 60),
    Bar("arboretum-batch", ("openspiel-crazy-eights",), 10),
    Bar("arboretum-batch", ("pgx-sparrow-mahjong", "pgx-bridge-bidding"), 20),
    Bar("arboretum-batch", ("rlcard-gin-rummy",), 100),
    Bar("arboretum-env", ("hanabi-env",), 4),
    Bar("arboretum-env", ("connect-four-env",), 1.3),
    Bar("arboretum-raw-env", ("connect-four-raw-env",), 2),
    Bar("arboretum-batch", ("openspiel-hearts",), None),
    Bar("arboretum-batch", ("openspiel-euchre",), None),
    Bar("arboretum-env", ("leduc-env",), None),
)


@dataclass(frozen=True)
class Verdict:
    """How a comparison came out.

    Attributes:
        ours: key of our contestant.
        peer: key of the fastest of theirs.
        ratio: of the rates as of an undisturbed machine.
        median_ratio: of the median rounds.
        times: the bar, or None.
    """

    ours: str
    peer: str
    ratio: float
    median_ratio: float
    times: float | None

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None where there is none."""
        return None if self.times is None else self.ratio >= self.times


def judge(results: Sequence[Result], bars: Sequence[Bar] = BARS) -> list[Verdict]:
    """Compares what was measured; comparisons with one side missing are left out."""
    by_key: Mapping[str, Result] = {result.key: result for result in results if result.seconds}
    verdicts = []
    for bar in bars:
        present = [by_key[key] for key in bar.peers if key in by_key]
        if bar.ours not in by_key or not present:
            continue
        ours, peer = by_key[bar.ours], max(present, key=lambda result: result.best)
        verdicts.append(
            Verdict(ours.key, peer.key, ours.best / peer.best, ours.median / peer.median, bar.times)
        )
    return verdicts
