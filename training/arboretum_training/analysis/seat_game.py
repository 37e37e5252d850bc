"""One seat's whole game, analysed: what ``arboretum analyse`` prints and draws."""

from dataclasses import dataclass
from typing import Any, Final

from arboretum_training.analysis.luck import Split, split
from arboretum_training.analysis.moments import Moments, moments
from arboretum_training.analysis.story import Course, story
from arboretum_training.analysis.told import Told, told
from arboretum_training.research.likelihood import Likelihood
from arboretum_training.research.playouts import Playouts
from arboretum_training.research.progress import Tick, silent

_SPLIT: Final = 0.25  # of the time, for luck and decisions


@dataclass(frozen=True)
class SeatGame:
    """See the module.

    Attributes:
        split: luck and decisions.
        moments: where holding or planting decided.
        told: what every move told the next seat; () where the record does not say who held what.
    """

    split: Split
    moments: Moments
    told: tuple[Told, ...]

    def to_json(self) -> dict[str, Any]:
        """For the command."""
        return {
            **self.split.to_json(),
            "moments": self.moments.to_json(),
            "told": [each.to_json() for each in self.told],
        }


def seat_game(
    game: Course, seat: int, playouts: Playouts, likelihood: Likelihood, tick: Tick = silent
) -> SeatGame:
    """Analyses one seat's game.

    Args:
        game: the game.
        seat: absolute.
        playouts: the reference agent, and how many worlds.
        likelihood: how others think that the seat plays.
        tick: told about progress.

    Raises:
        RecordError: the record does not say which cards the seat held.
    """
    seen = story(game, seat)
    parts = split(seen, playouts, lambda share: tick(_SPLIT * share))
    held = moments(seen, playouts, lambda share: tick(_SPLIT + (1 - _SPLIT) * share))
    return SeatGame(parts, held, () if game.unknown else tuple(told(game, seen, likelihood)))
