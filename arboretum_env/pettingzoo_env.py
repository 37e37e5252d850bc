"""Arboretum as a PettingZoo AEC environment; ``docs/environment.md`` is its page.

A thin adapter over a batch of one game: the rules, masks and observations are the engine's.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from arboretum_env.actions import checked_action_id, num_actions
from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig, check_choice
from arboretum_env.engine.deal import deal
from arboretum_env.engine.layout import MOVER, PHASE
from arboretum_env.engine.memory import pointer
from arboretum_env.engine.moves import (
    apply_action,
    apply_one,
    is_legal,
    legal_action_mask,
    write_mask,
)
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ActionError, ConfigError, ViewError
from arboretum_env.exact_deal import deal_from_options
from arboretum_env.full_information import full_information
from arboretum_env.observation import (
    OBSERVATION_LAYOUT,
    observation_length,
    observation_slices,
    write_observation,
)
from arboretum_env.phase import Phase
from arboretum_env.rewards import ILLEGAL_REWARD, REWARD_KINDS, RewardKind, final_rewards
from arboretum_env.seeding import Purpose, checked_seed, random_seed, root_from_seed

MaskPlace = Literal["observation", "info"]
RenderMode = Literal["ansi", "rgb_array", "human"]

MASK_PLACES: Final = ("observation", "info")
METADATA: Final[dict[str, Any]] = {
    "name": "arboretum_v0",
    "render_modes": list(get_args(RenderMode)),
    "render_fps": 2,
    "is_parallelizable": False,
}

_GAME_OVER: Final = int(Phase.GAME_OVER)
_ILLEGAL: Final = -1
_OVER: Final = -2


@kernel
def _advance(game, action, next_mask):  # type: ignore[no-untyped-def]
    """Takes a legal action and writes the next mask; returns the next mover, _ILLEGAL or _OVER."""
    row = pointer(game, 0)
    if not is_legal(row, action):
        return _ILLEGAL
    apply_one(row, action)
    write_mask(row, pointer(next_mask, 0))
    return _OVER if row[PHASE] == _GAME_OVER else np.int64(row[MOVER])


@kernel
def _look(game, seat, observation, mask):  # type: ignore[no-untyped-def]
    """Writes what a seat sees, and its mask: all zeros for an idle seat."""
    row = pointer(game, 0)
    write_observation(row, seat, pointer(observation, 0))
    if row[MOVER] == seat:
        write_mask(row, pointer(mask, 0))
    else:
        for action in range(mask.size):
            mask[action] = 0


class ArboretumAEC(AECEnv[str, Any, Any]):
    """One game, seat by seat. Made by ``raw_env`` and ``env``.

    Attributes:
        config: the game's options.
        possible_agents: ``player_0`` ... in seat order.
        state_space: what ``state()`` returns.
    """

    metadata = METADATA

    def __init__(
        self,
        config: GameConfig,
        reward: RewardKind = "win",
        mask_in: MaskPlace = "observation",
        render_mode: RenderMode | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        check_choice("reward", reward, REWARD_KINDS)
        check_choice("mask_in", mask_in, MASK_PLACES)
        check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.config = config
        self.reward_kind: RewardKind = reward
        self.mask_in: MaskPlace = mask_in
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(config.num_players)]
        self.agents: list[str] = []
        self.action_spaces = {
            agent: ActionSpace(num_actions(config)) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: observation_space(config, mask_in) for agent in self.possible_agents
        }
        self.state_space = observation_box(config)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._num_actions = num_actions(config)
        self._length = observation_length(config)
        self._game: GameState | None = None
        self._root: int | None = None
        self._next_game = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same space object for every call with the same agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same space object for every call with the same agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deals a new game.

        Args:
            seed: begins the stream of deals of this seed with its game 0. Without one the stream
                goes on with its next game; the first stream of an unseeded object is random.
            options: an exact deal, see ``arboretum_env.exact_deal``; it takes no game from the
                stream.

        Raises:
            DealError: a bad seed or a bad deal. Nothing was changed.
        """
        game = deal_from_options(self.config, options)
        root, next_game = self._root, self._next_game
        if seed is not None:
            root, next_game = root_from_seed(checked_seed(seed), Purpose.USER), 0
        elif root is None:
            root = root_from_seed(random_seed(), Purpose.USER)
        if game is None:
            game = deal(self.config, root, [next_game])
            next_game += 1
        self._game, self._root, self._next_game = game, root, next_game

        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        # PettingZoo's bookkeeping of dead seats, which a reset in their midst would leave behind.
        self._skip_agent_selection = None  # type: ignore[assignment]
        self.agent_selection = self.possible_agents[int(game.mover[0])]
        first_mask = self._no_mask()
        legal_action_mask(game, first_mask.view(np.bool_)[None])
        self.infos = {agent: _info(self._no_mask()) for agent in self.agents}
        self.infos[self.agent_selection] = _info(first_mask)
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Takes the action of ``agent_selection``: a flat action id, None for a seat that is out.

        Raises:
            ActionError: no integer of the action space. Nothing was changed.
            IllegalActionError: the rules forbid the action. Nothing was changed.
        """
        if not self.agents:
            raise ActionError(f"action {action!r}: no game is going on, call reset() first")
        game = self._running_game()
        agent = self.agent_selection
        if self._is_out(agent):
            if action is not None:
                raise ActionError(f"action {action!r}: {agent} is out of the game, expected None")
            self._was_dead_step(None)
            return
        action_id = checked_action_id(action, self._num_actions)
        mask = self._no_mask()
        mover = _advance(game.raw, action_id, mask)
        if mover == _ILLEGAL:
            apply_action(game, np.array([action_id]))  # raises, and says why
        # Rewards come at the end only: until then all of them are zero, and so are their sums.
        self.infos[agent] = _info(self._no_mask())
        if mover == _OVER:
            self._finish(game)
        else:
            self.agent_selection = self.possible_agents[mover]
            self.infos[self.agent_selection] = _info(mask)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Any:
        """What a seat sees now, also after its end, as fresh arrays.

        Returns:
            ``{"observation": [L] int8, "action_mask": [A] int8}``, or with ``mask_in="info"`` the
            observation alone. The mask of an idle seat is all zeros.
        """
        if agent not in self._seats:
            raise ViewError(f"agent {agent!r}: expected one of {', '.join(self.possible_agents)}")
        observation = np.empty(self._length, np.int8)
        mask = np.empty(self._num_actions, np.int8)
        _look(self._running_game().raw, self._seats[agent], observation, mask)
        if self.mask_in == "info":
            return observation
        if self._is_out(agent):  # also when a wrapper ended the game
            mask[:] = 0
        return {"observation": observation, "action_mask": mask}

    def state(self) -> NDArray[np.int8]:
        """[L] int8, the whole truth (``arboretum_env.full_information``); not for players."""
        vector: NDArray[np.int8] = full_information(self._running_game())[0]
        return vector

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as a spectator sees it: no hidden card while the game goes on, all at its end.

        Returns:
            Text for ``ansi``, [height, width, 3] uint8 for ``rgb_array``, None otherwise.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: make the environment with one")
            return None
        from arboretum_env.drawing.frame import table_frame  # lazily: a training loop never draws

        return table_frame(self._running_game(), self.render_mode)

    def close(self) -> None:
        """Releases nothing: there are no windows or files."""

    def _running_game(self) -> GameState:
        if self._game is None:
            raise ViewError("no game has been dealt: call reset() first")
        return self._game

    def _no_mask(self) -> NDArray[np.int8]:
        # Fresh each time: masks are handed out, and whoever got one may keep it.
        return np.zeros(self._num_actions, np.int8)

    def _is_out(self, agent: str) -> bool:
        return self.terminations.get(agent, True) or self.truncations.get(agent, True)

    def _finish(self, game: GameState) -> None:
        scores = score(game)
        rewards = final_rewards(scores, self.reward_kind)[0]
        for agent, reward in zip(self.agents, rewards, strict=True):
            self.rewards[agent] = float(reward)
            self.terminations[agent] = True
        self._accumulate_rewards()
        self._deads_step_first()
        # All hands are public now.
        seats = range(self.config.num_players)
        result = {
            "hands": tuple(
                tuple(self.config.card_text(card) for card in game.hand(0, seat)) for seat in seats
            ),
            "scores": tuple(int(points) for points in scores.points[0]),
            "winners": tuple(seat for seat in seats if scores.winners[0, seat]),
        }
        for agent in self.agents:
            self.infos[agent].update(result)

    def _deads_step_first(self) -> str:
        # Every end comes through here, also one that PettingZoo's TerminateIllegalWrapper makes:
        # from now on nobody has a legal action.
        for agent in self.agents:
            self.infos[agent] = _info(self._no_mask())
        return str(super()._deads_step_first())


class ActionSpace(spaces.Discrete):
    """Flat action ids. True and False, which Python takes for 1 and 0, are none."""

    def contains(self, x: Any) -> bool:
        """Whether x is an integer 0..n - 1."""
        return not isinstance(x, bool) and super().contains(x)


def _info(mask: NDArray[np.int8]) -> dict[str, Any]:
    """An info with a mask that cannot be written into: infos stay in place until the next step."""
    mask.setflags(write=False)
    return {"action_mask": mask}


def observation_box(config: GameConfig) -> spaces.Box:
    """[L] int8 with the bounds of ``OBSERVATION_LAYOUT``."""
    low = np.empty(observation_length(config), np.int8)
    high = np.empty_like(low)
    for piece in OBSERVATION_LAYOUT:
        at = observation_slices(config)[piece.name]
        low[at], high[at] = piece.low, piece.high
    return spaces.Box(low, high, dtype=np.int8)


def observation_space(config: GameConfig, mask_in: MaskPlace = "observation") -> spaces.Space[Any]:
    """A new space of what ``observe`` returns."""
    if mask_in == "info":
        return observation_box(config)
    mask = spaces.Box(0, 1, (num_actions(config),), np.int8)
    return spaces.Dict({"observation": observation_box(config), "action_mask": mask})


def chosen_config(
    num_players: int,
    starting_discards: bool,
    species: str | int | None,
    config: GameConfig | None,
) -> GameConfig:
    """The game that an environment's arguments describe: the first three, or the last alone.

    Raises:
        ConfigError: the options do not describe a playable game, or contradict each other.
    """
    if config is None:
        return GameConfig(
            num_players=num_players, starting_discards=starting_discards, species=species
        )
    if (num_players, starting_discards, species) != (2, False, None):
        raise ConfigError(
            "config and num_players, starting_discards or species: expected one or the other"
        )
    return config


def raw_env(
    num_players: int = 2,
    starting_discards: bool = False,
    species: str | int | None = None,
    reward: RewardKind = "win",
    mask_in: MaskPlace = "observation",
    render_mode: RenderMode | None = None,
    config: GameConfig | None = None,
) -> ArboretumAEC:
    """The environment without wrappers: an illegal action raises and changes nothing.

    Args:
        num_players: 2, 3 or 4.
        starting_discards: play with the starting discards of the 2015/16 printing.
        species: letters of the species in play, or how many; default 6 / 8 / 10.
        reward: see ``arboretum_env.rewards``.
        mask_in: where the action mask is: in the dict observation and the infos, or, with
            ``"info"``, in the infos alone; then the observation is a bare array, which generic
            wrappers can stack and flatten.
        render_mode: what ``render()`` makes; ``"human"`` prints the text by itself.
        config: all options of the game, instead of the first three arguments.

    Raises:
        ConfigError: the options do not describe a playable game, or contradict each other.
    """
    config = chosen_config(num_players, starting_discards, species, config)
    return ArboretumAEC(config, reward, mask_in, render_mode)


def env(
    num_players: int = 2,
    starting_discards: bool = False,
    species: str | int | None = None,
    reward: RewardKind = "win",
    mask_in: MaskPlace = "observation",
    render_mode: RenderMode | None = None,
    config: GameConfig | None = None,
) -> AECEnv[str, Any, Any]:
    """``raw_env`` in PettingZoo's classic wrappers.

    An illegal action ends the game, with a reward of -1 for whoever took it and 0 for the others;
    one outside the action space, and calls out of order, raise an ``AssertionError``.

    Args:
        num_players: see ``raw_env``, as for all others.
        starting_discards: see ``raw_env``.
        species: see ``raw_env``.
        reward: see ``raw_env``.
        mask_in: see ``raw_env``.
        render_mode: see ``raw_env``.
        config: see ``raw_env``.
    """
    raw = raw_env(num_players, starting_discards, species, reward, mask_in, render_mode, config)
    terminating = TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(terminating))
