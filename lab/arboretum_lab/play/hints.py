"""What any agent would do in a person's place, from what the person sees."""

from typing import Final

import numpy as np

from arboretum_agents.advice import Advice, advise
from arboretum_agents.human import is_human
from arboretum_agents.registry import list_agents, make_agent
from arboretum_env.errors import ConfigError
from arboretum_env.view import PlayerView

DEFAULT_HINT: Final = "planner"
_SHOWN: Final = 5
_LEAST: Final = 0.005  # rounds to 1 %


def hint(view: PlayerView, spec: str) -> str:
    """The agent's move in words, and its likeliest moves where it has probabilities.

    Raises:
        ConfigError: a person gives no hints.
        ArboretumError: no such agent, or it failed.
    """
    spec = spec or DEFAULT_HINT
    return hint_text(spec, advice_of(view, spec))


def advice_of(view: PlayerView, spec: str) -> Advice:
    """What an agent would do in the place of the view's seat.

    Raises:
        ConfigError: a person gives no hints.
        ArboretumError: no such agent, or it failed.
    """
    if is_human(spec):
        raise ConfigError("a person gives no hints: name an agent")
    agent = make_agent(spec, view.config)
    agent.reset(np.zeros(1, np.uint64), 0)
    return advise(agent, view)


def hint_text(spec: str, advice: Advice) -> str:
    """Lines for the screen."""
    lines = [f"{spec} would play {advice.move}", f"  {advice.explanation}"]
    if advice.probabilities is not None:
        ranked = sorted(advice.probabilities.items(), key=lambda item: -item[1])
        shown = [f"{move} {100 * chance:.0f} %" for move, chance in ranked if chance >= _LEAST]
        lines.append(f"  likely: {', '.join(shown[:_SHOWN])}")
    return "\n".join(lines)


def hint_words() -> list[str]:
    """Names that complete ``hint``."""
    return sorted({entry.name for entry in list_agents() if not entry.outside})
