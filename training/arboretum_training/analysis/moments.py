"""Where holding or planting decided: the moments of a seat's game, in points of margin.

At every decision in which a card leaves the hand, two questions are put, both ex ante, by the
worlds of what the seat saw, and with common random numbers:

* *Planted* and *let go*: what the card that left is worth more than the best of the others in its
  place. The others are planted by the reference agent on the cell that it likes. Which of them is
  best is judged by the same worlds, so the gap is a little too small where the seat chose well, and
  a little too large where it did not.
* *Held*: before each discard, the deny value of every card in hand
  (``research.counterfactual``): what the seat's margin would lose if the card were somewhere unseen
  instead. Of a card that is held for many turns its largest is the moment.

A moment *decided* if its interval does not hold 0 and it is worth at least ``DECIDED`` points. Of a
card that was held only gains count: the exchange also takes an unseen card from where it is, which
late in a game is mostly a rival's hand, so that a loss is the rival's card more than the own.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from arboretum_env.actions import Action, encode
from arboretum_env.phase import Phase
from arboretum_training.analysis.luck import difference
from arboretum_training.analysis.story import Step, Story
from arboretum_training.research.counterfactual import Denied, denied_values
from arboretum_training.research.figure import Figure
from arboretum_training.research.playouts import Outcomes, Playouts
from arboretum_training.research.progress import Tick, silent

Kind = Literal["planted", "let go", "held"]
DECIDED: Final = 1.0  # points of margin


@dataclass(frozen=True)
class Moment:
    """One card at one decision.

    Attributes:
        step: the decision.
        kind: see the module.
        card: the card that was planted, let go or held.
        other: the best of the others in its place; None of a card that was held.
        margin: what the seat's margin gains by it; negative for a loss.
        rivals: of a card that was held, the points that it denied the rivals.
        own: of a card that was held, the points of its own that the seat owed to it.
    """

    step: Step
    kind: Kind
    card: int
    other: int | None
    margin: Figure
    rivals: Figure | None = None
    own: Figure | None = None

    @property
    def decided(self) -> bool:
        """Whether it mattered for sure, and enough."""
        low, high = self.margin.interval or (self.margin.value,) * 2
        gained = low > 0 and self.margin.value >= DECIDED
        lost = high < 0 and self.margin.value <= -DECIDED
        return gained or (lost and self.kind != "held")

    def to_json(self) -> dict[str, Any]:
        """For the page and the command."""
        text = self.step.view.config.card_text
        return {
            "at": self.step.at,
            "turn": self.step.view.turn,
            "move": self.step.move,
            "kind": self.kind,
            "card": text(self.card),
            "other": None if self.other is None else text(self.other),
            "margin": self.margin.to_json(),
            "rivals": None if self.rivals is None else self.rivals.to_json(),
            "own": None if self.own is None else self.own.to_json(),
            "decided": self.decided,
        }


@dataclass(frozen=True)
class Moments:
    """A seat's game by its cards.

    Attributes:
        seat: whose.
        departures: one a plant and a discard that left a choice, in order.
        holdings: before every discard, the deny values of the hand.
    """

    seat: int
    departures: tuple[Moment, ...]
    holdings: tuple[tuple[Step, tuple[Denied, ...]], ...]

    @property
    def held(self) -> tuple[Moment, ...]:
        """Every card that the seat held before some discard, at its largest."""
        largest: dict[int, Moment] = {}
        for step, hand in self.holdings:
            for denied in hand:
                moment = Moment(
                    step, "held", denied.card, None, _negative(denied.margin), denied.rivals,
                    _negative(denied.own),
                )  # fmt: skip
                before = largest.get(denied.card)
                if before is None or moment.margin.value > before.margin.value:
                    largest[denied.card] = moment
        return tuple(largest.values())

    @property
    def decisive(self) -> tuple[Moment, ...]:
        """The moments that decided, in the order of the game."""
        every = [*self.departures, *self.held]
        return tuple(sorted((m for m in every if m.decided), key=lambda m: (m.step.at, m.card)))

    def to_json(self) -> dict[str, Any]:
        """For the page and the command."""
        return {
            "seat": self.seat,
            "decisive": [moment.to_json() for moment in self.decisive],
            "departures": [moment.to_json() for moment in self.departures],
            "holdings": [
                {
                    "at": step.at,
                    "turn": step.view.turn,
                    "cards": [denied.to_json(step.view) for denied in hand],
                }
                for step, hand in self.holdings
            ],
        }


def moments(story: Story, playouts: Playouts, tick: Tick = silent) -> Moments:
    """Looks at every plant and discard of a seat.

    Args:
        story: the game as the seat saw it.
        playouts: the reference agent, and how many worlds.
        tick: told about progress.
    """
    steps = [step for step in story.steps if step.view.phase in (Phase.PLAY, Phase.DISCARD)]
    departures, holdings = [], []
    for number, step in enumerate(steps):
        departure = _departure(step, playouts)
        if departure is not None:
            departures.append(departure)
        if step.view.phase is Phase.DISCARD:
            holdings.append((step, tuple(denied_values(step.view, playouts))))
        tick((number + 1) / len(steps))
    return Moments(story.seat, tuple(departures), tuple(holdings))


def _departure(step: Step, playouts: Playouts) -> Moment | None:
    """What the card that left is worth more than the best of the others; None without others."""
    view = step.view
    kind: Literal["play_card", "discard_card"] = (
        "play_card" if view.phase is Phase.PLAY else "discard_card"
    )
    ids = {card: encode(view.config, Action(kind, card)) for card in view.hand}
    [gone] = [card for card, action in ids.items() if action == step.actions[0]]
    worlds = playouts.worlds(view)
    chosen = playouts.outcomes(worlds, step.actions)
    found: list[tuple[float, int, Outcomes]] = []
    for card, action in ids.items():
        if card != gone:
            # The reference agent goes on from there: it also places a card that is chosen.
            outcomes = playouts.outcomes(worlds, (action,))
            found.append((outcomes.margin(view.seat).value, -card, outcomes))
    if not found:
        return None
    _, other, best = max(found, key=lambda each: each[:2])
    label: Kind = "planted" if view.phase is Phase.PLAY else "let go"
    return Moment(step, label, gone, -other, difference(chosen, best, view.seat))


def _negative(figure: Figure) -> Figure:
    interval = figure.interval and (-figure.interval[1], -figure.interval[0])
    return Figure(-figure.value, figure.source, figure.n, interval)
