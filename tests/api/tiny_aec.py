"""A tiny card game as an AEC environment that has nothing to do with Arboretum.

It is here to show that ``aec_conformance`` takes any environment: three seats hold three of twelve
cards each, hidden, and play them one by one; the highest sum of the last two cards played wins.
"""

import copy
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv

SEATS, CARDS, HAND = 3, 12, 3
STOCK, PLAYED = -1, SEATS  # places: nobody's, 0..2 in a hand, PLAYED + seat on the table


class TinyAEC(AECEnv[str, Any, Any]):
    """The game. An illegal action raises ``ValueError`` and changes nothing."""

    metadata = {"name": "tiny_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012
    render_mode = None

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = [f"seat_{seat}" for seat in range(SEATS)]
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(CARDS) for agent in self.possible_agents}
        sight = {
            "observation": spaces.Box(-1, CARDS, (2 * CARDS,), np.int8),
            "action_mask": spaces.Box(0, 1, (CARDS,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(sight) for agent in self.possible_agents}
        self._entropy: int | None = None
        self._game = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        if seed is not None:
            self._entropy, self._game = seed, 0
        elif self._entropy is None:
            self._entropy = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        shuffled = np.random.default_rng((self._entropy, self._game)).permutation(CARDS)
        self._game += 1
        self.place = np.full(CARDS, STOCK, np.int8)
        for seat in range(SEATS):
            self.place[shuffled[seat * HAND : (seat + 1) * HAND]] = seat
        self.when = np.full(CARDS, -1, np.int8)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self.agent_selection = self.agents[0]

    def legal(self, agent: str) -> NDArray[np.int8]:
        """The cards that a seat may play now."""
        idle = agent != self.agent_selection or self.terminations.get(agent, True)
        own = self.place == self.possible_agents.index(agent)
        return np.zeros(CARDS, np.int8) if idle else own.astype(np.int8)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if not self.agents or self.terminations[agent]:
            if not self.agents or action is not None:
                raise ValueError(f"action {action!r}: expected None of a seat that is out")
            self._was_dead_step(None)
            return
        if type(action) not in (int, np.int64, np.int32) or not 0 <= action < CARDS:
            raise ValueError(f"action {action!r}: expected a card 0..{CARDS - 1}")
        if not self.legal(agent)[action]:
            raise ValueError(f"action {action}: {agent} does not hold this card")
        seat = self.possible_agents.index(agent)
        self._cumulative_rewards[agent] = 0.0
        self.when[action] = self.when.max() + 1
        self.place[action] = PLAYED + seat
        self.agent_selection = self.possible_agents[(seat + 1) % SEATS]
        if self.when.max() == SEATS * HAND - 1:
            self.finish()
            self._accumulate_rewards()
            self._deads_step_first()

    def finish(self) -> None:
        """Pays the winners."""
        totals = []
        for seat in range(SEATS):
            mine = np.flatnonzero(self.place == PLAYED + seat)
            totals.append(sum(sorted(mine, key=lambda card: self.when[card])[-2:]))
        best = [total == max(totals) for total in totals]
        for agent, won in zip(self.agents, best, strict=True):
            self.rewards[agent] = SEATS * won / sum(best) - 1.0
            self.terminations[agent] = True

    def observe(self, agent: str) -> Any:
        seat = self.possible_agents.index(agent)
        hidden = (self.place < SEATS) & (self.place != seat)
        shown = np.concatenate([np.where(hidden, np.int8(STOCK), self.place), self.when])
        return {"observation": shown, "action_mask": self.legal(agent)}


def redraw(env: Any, agent: str, key: int) -> Any:
    """A copy in which the cards that a seat cannot see are dealt anew."""
    twin = copy.deepcopy(env)
    seat = twin.possible_agents.index(agent)
    hidden = np.flatnonzero((twin.place < SEATS) & (twin.place != seat))
    twin.place[hidden] = np.random.default_rng(key).permutation(twin.place[hidden])
    return twin


def reveals(env: Any, agent: str, action: int) -> bool:
    """Whether an action shows a seat something new: a card that another one plays."""
    return bool(agent != env.agent_selection)
