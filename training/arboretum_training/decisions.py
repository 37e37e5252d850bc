"""Decisions of a policy, with whatever is needed to judge and to repeat them.

``B`` decisions of one kind, ``M`` placements of all of them, ``P`` players.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

KINDS: Final = ("draw", "play", "discard")
PHASES: Final = ("draw_first", "draw_second", "placement", "discard")
"""What is decided in a turn, in order; the first two are of the kind ``draw``."""


@dataclass
class Decisions:
    """Decisions of one kind, whatever is needed to judge and to repeat them.

    Attributes:
        kind: ``draw``, ``play`` or ``discard``.
        arrays: name -> array over the decisions [B, ...]:

            - ``species`` [B, S, F], ``scalars`` [B, G]: the network's inputs.
            - ``truth_species`` [B, S, Ft], ``truth_scalars`` [B, P - 1]: ``privileged.Truth``.
            - ``chosen`` [B] int64: index of the choice among the head's outputs.
            - ``log_prob``, ``value`` [B] float32: of the policy that decided.
            - ``trajectory`` [B] int64: which seat of which game, see ``Collector``.
            - ``time`` [B] int64: rises with time within a trajectory.
            - ``legal`` [B, K] bool and ``tops`` [B, P]: for draws and discards (tops: draws only).
            - ``count`` [B] int64: for plays, how many placements there were.
        placements: for plays, name -> array over the placements [M, ...] of all decisions in
            order: ``card``, ``gain``, ``features``.
    """

    kind: str
    arrays: dict[str, NDArray[np.generic]]
    placements: dict[str, NDArray[np.generic]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.arrays["chosen"])

    def select(self, rows: NDArray[np.int64]) -> "Decisions":
        """The decisions of some rows, in their order, with their placements."""
        arrays = _taken(self.arrays, rows)
        if not self.placements:
            return Decisions(self.kind, arrays)
        count = self.arrays["count"].astype(np.int64)
        start = np.cumsum(count) - count
        lengths = count[rows]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        index = np.repeat(start[rows], lengths) + within
        return Decisions(self.kind, arrays, _taken(self.placements, index))

    @classmethod
    def concatenate(cls, parts: list["Decisions"]) -> "Decisions":
        """All decisions of parts of one kind, in order."""
        return cls(
            parts[0].kind,
            {n: np.concatenate([part.arrays[n] for part in parts]) for n in parts[0].arrays},
            {
                n: np.concatenate([part.placements[n] for part in parts])
                for n in parts[0].placements
            },
        )


def _taken(
    arrays: dict[str, NDArray[np.generic]], rows: NDArray[np.int64]
) -> dict[str, NDArray[np.generic]]:
    """Some rows of each array; ``take`` copies short ones several times as fast as an index."""
    return {name: array.take(rows, axis=0) for name, array in arrays.items()}
