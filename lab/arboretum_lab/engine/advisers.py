"""Agents for requests: made from a spec once, lent to one thread at a time."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from arboretum_agents.advice import Advice, advise
from arboretum_agents.human import is_human
from arboretum_agents.registry import (
    describe_options,
    find_entry,
    is_path,
    make_agent,
    parse_spec,
)
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.errors import ActionError, ArboretumError, ViewError
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView
from arboretum_env.view_json import view_from_json
from arboretum_lab.engine.requests import MoveRequest, RequestError

DEFAULT_AGENT: Final = "planner"
_MOST_IDLE: Final = 16

Key = tuple[str, str, GameConfig]


class Advisers:
    """Agents that are at hand; safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: OrderedDict[Key, list[Agent]] = OrderedDict()

    def advise(self, request: MoveRequest) -> Advice:
        """What the agent of a request would do.

        Raises:
            RequestError: of kind ``view`` or ``agent``.
        """
        try:
            view = view_from_json(request.view)
        except ViewError as error:
            raise RequestError("view", str(error)) from error
        if view.mover != view.seat or view.phase is Phase.GAME_OVER:
            raise RequestError("view", f"view: seat {view.seat} is not to move")
        try:
            return self._ask(request, view)
        except (ArboretumError, OSError) as error:
            raise RequestError("agent", str(error)) from error

    def _ask(self, request: MoveRequest, view: PlayerView) -> Advice:
        with self._lent((agent_spec(request), request.mode, view.config)) as agent:
            agent.reset(np.array([request.game], np.uint64), request.seed)
            return advise(
                agent,
                view,
                request.game,
                probabilities=request.probabilities,
                explained=request.explain,
            )

    @contextmanager
    def _lent(self, key: Key) -> Iterator[Agent]:
        spec, mode, config = key
        with self._lock:
            waiting = self._idle.get(key)
            agent = waiting.pop() if waiting else None
        if agent is None:
            agent = make_agent(spec, config, mode="greedy" if mode == "greedy" else "sample")
        yield agent
        # Not given back after an error: nobody knows in what state it was left.
        with self._lock:
            self._idle.setdefault(key, []).append(agent)
            self._idle.move_to_end(key)
            while len(self._idle) > _MOST_IDLE:
                self._idle.popitem(last=False)


def agent_spec(request: MoveRequest) -> str:
    """The spec that a request means, its level and budget put in.

    Raises:
        ActionError, AgentSpecError: an agent and a level, or an agent without such a budget.
    """
    spec = request.agent if request.agent is not None else DEFAULT_AGENT
    if request.level is not None:
        if request.agent is not None:
            raise ActionError("agent and level: expected one of them")
        spec = f"levels:{request.level}"
    if is_human(spec):
        raise ActionError("agent 'human': a person at the engine's terminal cannot be asked")
    budget = request.budget.model_dump(exclude_none=True)
    if not budget:
        return spec
    known = {} if is_path(spec) else describe_options(find_entry(parse_spec(spec)))
    for name, value in budget.items():
        if name not in known:
            raise ActionError(f"budget: agent {spec!r} has no option {name!r}")
        spec += f"{',' if ':' in spec else ':'}{name}={value}"
    return spec
