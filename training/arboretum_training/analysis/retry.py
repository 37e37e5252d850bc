"""Trying a decision again: what another move would have been worth."""

from dataclasses import dataclass
from typing import Any

from arboretum_env.errors import IllegalActionError
from arboretum_env.notation import legal_moves
from arboretum_training.analysis.luck import Split, Swing, difference
from arboretum_training.analysis.moves import move_chances
from arboretum_training.analysis.story import Step
from arboretum_training.research.figure import Figure
from arboretum_training.research.playouts import Playouts


@dataclass(frozen=True)
class Attempt:
    """An answer to a position, measured against the reference agent's play.

    Attributes:
        tried: the answer, in notation.
        gap: what it gains, or mostly loses, against the reference's play, in points of margin.
        played: what was played in the game.
        played_gap: likewise.
        better: what it is worth more than the move of the game, world by world.
        reference: what the reference agent would play.
        explanation: that move in words.
    """

    tried: str
    gap: Figure
    played: str
    played_gap: Figure
    better: Figure
    reference: str
    explanation: str

    def to_json(self) -> dict[str, Any]:
        """For the page."""
        return {
            "tried": self.tried,
            "gap": self.gap.to_json(),
            "played": self.played,
            "played_gap": self.played_gap.to_json(),
            "better": self.better.to_json(),
            "reference": self.reference,
            "explanation": self.explanation,
        }


def mistakes(found: Split) -> list[Swing]:
    """Decisions that lost more than their interval, the worst first."""
    lost = [swing for swing in found.swings if swing.is_mistake]
    return sorted(lost, key=lambda swing: swing.decision.value)


def attempt(step: Step, move: str, playouts: Playouts) -> Attempt:
    """Plays another move than the game did.

    Args:
        step: the decision of the game.
        move: the answer, in notation.
        playouts: the reference agent and how many worlds.

    Raises:
        IllegalActionError: no legal move there.
    """
    moves = legal_moves(step.view)
    if move not in moves:
        raise IllegalActionError(f"move {move[:40]!r}: not legal there")
    seat, worlds = step.view.seat, playouts.worlds(step.view)
    here = playouts.outcomes(worlds)
    tried = playouts.outcomes(worlds, moves[move])
    played = playouts.outcomes(worlds, step.actions)
    advice = move_chances(playouts.agent, step.view, seed=playouts.seed)
    return Attempt(
        tried=move,
        gap=difference(tried, here, seat),
        played=step.move,
        played_gap=difference(played, here, seat),
        better=difference(tried, played, seat),
        reference=advice.best,
        explanation=advice.explanation,
    )
