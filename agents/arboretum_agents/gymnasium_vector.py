"""``Arboretum-v0`` for many games at once: a native gymnasium ``VectorEnv``.

All games step in one call, and the opponents' moves are batched over them. Row by row it is the
single environment (``arboretum_agents.gymnasium_env``) with the seed ``seed + row``.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from arboretum_agents.gymnasium_env import result_of, seen
from arboretum_agents.learner_batch import SeatRule
from arboretum_agents.learner_games import Ended, IllegalRule, LearnerGames
from arboretum_agents.opponents import Opponents
from arboretum_env.actions import checked_action_ids, num_actions
from arboretum_env.config import GameConfig, check_choice
from arboretum_env.drawing.frame import table_frame
from arboretum_env.errors import ActionError, ConfigError, ViewError
from arboretum_env.pettingzoo_env import (
    MASK_PLACES,
    MaskPlace,
    RenderMode,
    chosen_config,
    observation_space,
)
from arboretum_env.rewards import RewardKind
from arboretum_env.seeding import Purpose

VECTOR_RENDER_MODES: Final = ("ansi", "rgb_array")


class ArboretumVectorEnv(VectorEnv[Any, Any, Any]):
    """B games for a learner, each with opponents.

    Args:
        num_envs: B, the number of games.
        num_players: see ``ArboretumEnv``, as for all others but the last.
        starting_discards: see ``ArboretumEnv``.
        species: see ``ArboretumEnv``.
        reward: see ``ArboretumEnv``.
        mask_in: see ``ArboretumEnv``.
        render_mode: ``"ansi"`` or ``"rgb_array"``: ``render()`` makes one frame a game.
        config: see ``ArboretumEnv``.
        opponents: see ``ArboretumEnv``.
        seat: see ``ArboretumEnv``.
        illegal_action: see ``ArboretumEnv``.
        autoreset_mode: when the next game begins after an end: with the next step, which then
            ignores the row's action (gymnasium's default); in the same step, with the end in
            ``infos["final_obs"]`` and ``infos["final_info"]``; or only by ``reset`` with
            ``options={"reset_mask": ...}``. An ``AutoresetMode`` or its value, e.g. ``"SameStep"``.
        purpose: keeps the deals of training, evaluation and other use apart.

    Raises:
        ConfigError: options that do not exist, contradict each other or do not fit the game.
        ArboretumError: a spec that makes no agent.
    """

    def __init__(
        self,
        num_envs: int = 1,
        num_players: int = 2,
        starting_discards: bool = False,
        species: str | int | None = None,
        reward: RewardKind = "win",
        mask_in: MaskPlace = "observation",
        render_mode: RenderMode | None = None,
        config: GameConfig | None = None,
        opponents: Opponents = "random",
        seat: SeatRule = "rotate",
        illegal_action: IllegalRule = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        purpose: Purpose = Purpose.USER,
    ) -> None:
        check_choice("mask_in", mask_in, MASK_PLACES)
        check_choice("render_mode", render_mode, (None, *VECTOR_RENDER_MODES))
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {
            "render_modes": list(VECTOR_RENDER_MODES),
            "render_fps": 2,
            "autoreset_mode": self.autoreset_mode,
        }
        self.config = chosen_config(num_players, starting_discards, species, config)
        self.mask_in: MaskPlace = mask_in
        self.render_mode: RenderMode | None = render_mode
        self._games = LearnerGames(
            self.config,
            opponents,
            num_games=num_envs,
            seat=seat,
            reward=reward,
            illegal_action=illegal_action,
            purpose=purpose,
        )
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.config, mask_in)
        self.single_action_space = spaces.Discrete(num_actions(self.config))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begins new games in all rows, or in those of a mask.

        Args:
            seed: row ``i`` begins the stream of seed ``seed + i``, or of the i-th of B seeds.
                Without one the streams go on.
            options: an exact deal for every row (``arboretum_env.exact_deal``), and
                ``reset_mask``: [B] bool, the rows to begin anew; the others stand as they are.

        Returns:
            All rows' observations and infos.

        Raises:
            DealError: a bad seed or a bad deal. Nothing was changed.
            ViewError: a reset mask that is none. Nothing was changed.
            ActionError: an opponent failed. Nothing was changed.
        """
        rows = None
        if isinstance(options, Mapping) and "reset_mask" in options:
            rows = self._masked_rows(options["reset_mask"])
            options = {key: value for key, value in options.items() if key != "reset_mask"}
        self._games.reset(seed, rows=rows, options=options)
        # The generator that gymnasium expects; no randomness of the games comes from it.
        if seed is not None and not isinstance(seed, Sequence | np.ndarray):
            super().reset(seed=int(seed))
        return self._observations(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Takes one decision of the learner in every game, then lets the opponents move.

        Args:
            actions: [B] flat action ids; that of a row whose next game begins now is ignored.

        Returns:
            Observations, [B] rewards, [B] whether the game has ended, [B] False, and infos: the
            action masks, and of ended games what ``ArboretumEnv.step`` says, with gymnasium's
            ``_key`` masks; in mode ``SAME_STEP`` in ``final_info``, beside ``final_obs``.

        Raises:
            ActionError: not B integers of the action space, a row whose game is over in mode
                ``DISABLED``, or an opponent failed. Nothing was changed.
            IllegalActionError: an illegal action, with ``illegal_action="raise"``. Nothing was
                changed.
        """
        before = copy.copy(self._games)  # what it holds is replaced, never changed
        try:
            return self._step(actions)
        except BaseException:
            self._games = before
            raise

    def set_opponents(
        self, opponents: Opponents, rows: NDArray[np.integer[Any]] | None = None
    ) -> None:
        """Changes the opponents of all or some rows, each from its next game on.

        Raises:
            ConfigError, ArboretumError: as for the constructor. Nothing was changed.
            ViewError: rows that do not exist.
        """
        self._games.set_opponents(opponents, rows)

    def action_masks(self) -> NDArray[np.bool_]:
        """[B, A] bool, the legal actions."""
        return self._games.legal_action_mask()

    def render(self) -> tuple[Any, ...] | None:
        """One frame a game, as ``ArboretumEnv.render`` draws it; None without a render mode."""
        mode = self.render_mode
        if mode is None:
            return None
        return tuple(table_frame(self._games.state, mode, row) for row in range(self.num_envs))

    def _step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        waiting = np.flatnonzero(self._games.over)
        ended = self._games.step(self._without(waiting, actions))
        illegal = np.flatnonzero(self._games.illegal)
        if len(waiting):
            self._games.reset(rows=waiting)
        rewards = np.zeros(self.num_envs, np.float64)
        terminations = np.zeros(self.num_envs, np.bool_)
        rewards[ended.rows], terminations[ended.rows] = ended.reward, True
        same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        infos: dict[str, Any] = {}
        if same_step:
            infos = self._final_infos(ended, illegal)
            if len(ended.rows):
                self._games.reset(rows=ended.rows)
            illegal = illegal[~terminations[illegal]]
        infos.update(self._infos())
        for row in illegal:
            infos = self._add_info(infos, {"illegal_action": True}, int(row))
        for index, row in enumerate(() if same_step else ended.rows):
            infos = self._add_info(infos, result_of(ended, index), int(row))
        return self._observations(), rewards, terminations, np.zeros_like(terminations), infos

    def _without(self, waiting: NDArray[np.int64], actions: Any) -> Any:
        """The actions, with -1 for rows whose next game begins now."""
        if not len(waiting):
            return actions
        if self.autoreset_mode is AutoresetMode.DISABLED:
            raise ActionError(
                f"the game of row {int(waiting[0])} is over: call reset with a reset_mask first"
            )
        chosen = checked_action_ids(actions, self.num_envs).copy()
        chosen[waiting] = -1
        return chosen

    def _final_infos(self, ended: Ended, illegal: NDArray[np.int64]) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        finals = seen(self._games, self.mask_in, ended.rows)
        masks = self._games.legal_action_mask(ended.rows).view(np.int8)
        for index, row in enumerate(ended.rows):
            info = {"action_mask": masks[index], **result_of(ended, index)}
            if row in illegal:
                info["illegal_action"] = True
            infos = self._add_info(
                infos, {"final_obs": finals[index], "final_info": info}, int(row)
            )
        return infos

    def _observations(self) -> Any:
        observations = self._games.observe()
        if self.mask_in == "info":
            return observations
        masks = self._games.legal_action_mask().view(np.int8)
        return {"observation": observations, "action_mask": masks}

    def _infos(self) -> dict[str, Any]:
        masks = self._games.legal_action_mask().view(np.int8)
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _masked_rows(self, mask: Any) -> NDArray[np.int64]:
        array = np.asarray(mask)
        if array.shape != (self.num_envs,) or array.dtype != np.bool_ or not array.any():
            raise ViewError(
                f"reset_mask of shape {array.shape} and dtype {array.dtype}: expected "
                f"[{self.num_envs}] bool with a True"
            )
        return np.flatnonzero(array)


def _autoreset_mode(given: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(given)
    except ValueError:
        choices = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise ConfigError(f"autoreset_mode {given!r}: expected one of {choices}") from None
