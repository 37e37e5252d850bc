"""Luck and decisions: where the value of a seat's game came from and went.

Let ``V`` be a seat's expected margin at one of its decisions if the reference agent played on in
every seat, and ``Q`` the same after the move that the seat made. From one decision to the next,

    V(next) - V = (Q - V) + (V(next) - Q)

The first part is the seat's: what its move gained or, mostly, lost against the reference's play.
The second is luck, since its mean is 0 for whoever believes what the worlds are drawn from: of the
card that a draw from the deck brought, or of what the rivals did and showed until the seat was to
move again. Where neither happened nothing was learned, and it is 0. Values lie on a grid on which
sums are exact (``figure.GRID``), so that the parts sum to the swing to the last bit, and the swings
to the way from the first value to the final margin.

Source: the telescoping sum is that of advantage-sum estimators (Zinkevich et al., Optimal Unbiased
Estimators for Evaluating Agent Performance, AAAI 2006).
"""

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from arboretum_env.phase import Phase
from arboretum_training.analysis.story import Step, Story
from arboretum_training.research.figure import Figure, combined, mean_figure
from arboretum_training.research.playouts import Outcomes, Playouts
from arboretum_training.research.progress import Tick, silent

Luck = Literal["draw", "rivals", "none"]
"""What the seat learned between two decisions: the card of a deck draw, what rivals did, nothing"""

MISTAKE: Final = 0.25  # points; less is not worth anybody's second thought


@dataclass(frozen=True)
class Swing:
    """From one decision of a seat to its next, or to where the game stands.

    Attributes:
        step: the decision.
        before: V, in points of margin.
        win_chance: the seat's chance to win at V.
        decision: Q - V; negative for a loss. With the interval of the difference, whose two sides
            share their worlds.
        luck: V(next) - Q.
        kind: what the luck is of.
        after: V(next).

    Intervals of ``luck`` and ``swing`` take the two positions' estimates as independent.
    """

    step: Step
    before: Figure
    win_chance: Figure
    decision: Figure
    luck: Figure
    kind: Luck
    after: Figure

    @property
    def swing(self) -> Figure:
        """V(next) - V."""
        return combined(self.after.value - self.before.value, self.after, self.before)

    @property
    def is_mistake(self) -> bool:
        """Whether the move lost for sure: more than its interval, and enough to matter."""
        high = self.decision.interval[1] if self.decision.interval else self.decision.value
        return high < 0 and self.decision.value <= -MISTAKE

    def to_json(self) -> dict[str, Any]:
        """The swing as the page and the command show it."""
        return {
            "at": self.step.at,
            "turn": self.step.view.turn,
            "phase": self.step.view.phase.name.lower(),
            "move": self.step.move,
            "margin": self.before.to_json(),
            "win_chance": self.win_chance.to_json(),
            "decision": self.decision.to_json(),
            "luck": self.luck.to_json(),
            "luck_of": self.kind,
            "after": self.after.to_json(),
            "swing": self.swing.to_json(),
            "mistake": self.is_mistake,
        }


@dataclass(frozen=True)
class Split:
    """A seat's whole game.

    Attributes:
        seat: whose.
        swings: one a decision.
        last: its expected margin where the game stands; exact at the end.
        last_win_chance: likewise its chance to win.
    """

    seat: int
    swings: tuple[Swing, ...]
    last: Figure
    last_win_chance: Figure

    def total(self, kind: Literal["decision"] | Luck) -> Figure:
        """Points over the whole game: by the seat's decisions, or by one kind of luck."""
        if kind == "decision":
            parts = [swing.decision for swing in self.swings]
        else:
            parts = [swing.luck for swing in self.swings if swing.kind == kind]
        return combined(sum(part.value for part in parts), *parts)

    def to_json(self) -> dict[str, Any]:
        """The split as the page and the command show it."""
        start = self.swings[0].before if self.swings else self.last
        return {
            "seat": self.seat,
            "start": start.to_json(),
            "last": self.last.to_json(),
            "last_win_chance": self.last_win_chance.to_json(),
            "decisions": self.total("decision").to_json(),
            "draws": self.total("draw").to_json(),
            "rivals": self.total("rivals").to_json(),
            "swings": [swing.to_json() for swing in self.swings],
        }


def split(story: Story, playouts: Playouts, tick: Tick = silent) -> Split:
    """Splits a seat's game into luck and decisions.

    Args:
        story: the game as the seat saw it.
        playouts: the reference agent and how many worlds.
        tick: told about progress after every decision.
    """
    values, chances, decisions = [], [], []
    for number, step in enumerate(story.steps):
        worlds = playouts.worlds(step.view)
        here = playouts.outcomes(worlds)
        values.append(here.margin(story.seat))
        chances.append(here.win_chance(story.seat))
        chosen = playouts.outcomes(worlds, step.actions)
        decisions.append(difference(chosen, here, story.seat))
        tick((number + 1) / (len(story.steps) + 1))
    end = playouts.outcomes(playouts.worlds(story.last))
    values.append(end.margin(story.seat))
    swings = tuple(
        Swing(
            step,
            values[number],
            chances[number],
            decisions[number],
            _luck(step, values[number], decisions[number], values[number + 1]),
            _luck_after(step),
            values[number + 1],
        )
        for number, step in enumerate(story.steps)
    )
    tick(1.0)
    return Split(story.seat, swings, values[-1], end.win_chance(story.seat))


def difference(first: Outcomes, second: Outcomes, seat: int) -> Figure:
    """How much more margin a seat has in the first outcomes, world by world.

    Raises:
        ValueError: outcomes of different numbers of worlds.
    """
    if first.points.shape != second.points.shape:
        raise ValueError(f"{len(first.points)} worlds and {len(second.points)}: expected as many")
    gaps = first.margins[:, seat] - second.margins[:, seat]
    gap = mean_figure(gaps, enumerated=first.enumerated and second.enumerated)
    # The two means as they stand elsewhere, each rounded to the grid for itself.
    return replace(gap, value=first.margin(seat).value - second.margin(seat).value)


def _luck(step: Step, before: Figure, decision: Figure, after: Figure) -> Figure:
    value = after.value - (before.value + decision.value)
    if _luck_after(step) == "none":
        return Figure(value, "exact")  # the same worlds before and after: 0, not an estimate of 0
    return combined(value, after, before)


def _luck_after(step: Step) -> Luck:
    if step.view.phase is Phase.DISCARD:
        return "rivals"
    return "draw" if step.move == "d" else "none"
