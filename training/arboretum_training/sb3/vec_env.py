"""Many games at once as a Stable-Baselines3 ``VecEnv``; ``docs/sb3.md`` is its page.

All games step in one call, and the opponents' moves are batched over them. Row by row it is
``Arboretum-v0`` with the seed ``seed + row`` (``arboretum_agents.gymnasium_env``).
"""

import copy
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from arboretum_agents.gymnasium_env import result_of
from arboretum_agents.learner_batch import SeatRule
from arboretum_agents.learner_games import Ended, IllegalRule, LearnerGames
from arboretum_agents.opponents import Opponents
from arboretum_env.actions import num_actions
from arboretum_env.config import GameConfig, check_choice
from arboretum_env.drawing.frame import table_frame
from arboretum_env.errors import ActionError, ConfigError, ViewError
from arboretum_env.pettingzoo_env import chosen_config, observation_space
from arboretum_env.rewards import RewardKind
from arboretum_env.seeding import Purpose, checked_seed

RENDER_MODES: Final = ("ansi", "rgb_array")

Rows = int | Iterable[int] | None
"""Which of the B games, in Stable-Baselines3's way; None: all."""

Info = dict[str, Any]


class OneGame:
    """One of the games of an ``ArboretumVecEnv``: what ``get_attr`` and ``env_method`` speak to.

    Attributes:
        row: which one.
        config: the game's options.
        render_mode: what ``render`` makes.
    """

    def __init__(self, environment: "ArboretumVecEnv", row: int) -> None:
        self._environment = environment
        self.row = row
        self.config = environment.config
        self.render_mode = environment.render_mode

    def action_masks(self) -> NDArray[np.bool_]:
        """[A] bool, the legal actions, under the name that sb3-contrib looks for."""
        mask: NDArray[np.bool_] = self._environment.action_masks([self.row])[0]
        return mask

    def set_opponents(self, opponents: Opponents) -> None:
        """Changes this game's opponents, from the next game on."""
        self._environment.set_opponents(opponents, [self.row])

    def render(self) -> Any:
        """The table as a spectator sees it, see ``arboretum_env.drawing.frame``."""
        return self._environment.frame(self.row)


class ArboretumVecEnv(VecEnv):
    """B games for a learner, each with opponents; a game that ends is followed by the next one.

    Observations are [B, L] int8; the legal actions come from ``action_masks``, where sb3-contrib
    looks for them. Infos hold what ``Arboretum-v0``'s do but the masks, and at an end
    ``terminal_observation``; no game is ever cut short, so ``TimeLimit.truncated`` is False.

    Args:
        num_envs: B, the number of games.
        num_players: 2, 3 or 4.
        starting_discards: play with the starting discards of the 2015/16 printing.
        species: letters of the species in play, or how many; default 6 / 8 / 10.
        reward: what the learner gets at the end, see ``arboretum_env.rewards``.
        render_mode: ``"ansi"`` or ``"rgb_array"``.
        config: all options of the game, instead of the three before ``reward``.
        opponents: a spec or an agent for all other seats, or P - 1 of them in turn order from the
            learner.
        seat: the learner's seat, or ``"rotate"``: game ``i`` of seed ``s`` from ``(s + i) mod P``.
        illegal_action: see ``arboretum_agents.learner_games.IllegalRule``.
        purpose: keeps the deals of training, evaluation and other use apart.

    Attributes:
        config: the game's options.

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
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        config: GameConfig | None = None,
        opponents: Opponents = "random",
        seat: SeatRule = "rotate",
        illegal_action: IllegalRule = "lose",
        purpose: Purpose = Purpose.USER,
    ) -> None:
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.config = chosen_config(num_players, starting_discards, species, config)
        self.render_mode: str | None = render_mode
        self._games = LearnerGames(
            self.config,
            opponents,
            num_games=num_envs,
            seat=seat,
            reward=reward,
            illegal_action=illegal_action,
            purpose=purpose,
        )
        self._actions: Any = None
        self.num_envs = num_envs  # the parent asks get_attr for the render mode before it sets it
        super().__init__(
            num_envs,
            observation_space(self.config, "info"),
            spaces.Discrete(num_actions(self.config)),
        )

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds for the next ``reset``: ``seed + row`` for every row, or none.

        Without one the rows' streams go on, and the first streams are random.

        Raises:
            DealError: a bad seed. Nothing was changed.
        """
        # The parent would draw a missing seed from numpy's global generator.
        first = None if seed is None else checked_seed(seed)
        self._seeds = [None if first is None else first + row for row in range(self.num_envs)]
        return self._seeds

    def reset(self) -> NDArray[np.int8]:
        """Begins new games in all rows, with what ``seed`` and ``set_options`` asked for.

        ``set_options`` takes an exact deal (``arboretum_env.exact_deal``), the same for all rows.

        Returns:
            [B, L] int8 observations.

        Raises:
            ConfigError: options that differ from row to row.
            DealError: a bad deal.
            ActionError: an opponent failed. In every case nothing was changed.
        """
        first, *others = self._options
        if any(options != first for options in others):
            raise ConfigError("options that differ from row to row: expected the same for all")
        self._games.reset(self._seeds, options=first or None)
        self._reset_seeds()
        self._reset_options()
        self._actions = None
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._games.observe()

    def step_async(self, actions: Any) -> None:
        """Takes note of [B] actions for ``step_wait``."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[Info]]:
        """Takes the learner's decisions, lets the opponents move, begins the next games.

        Returns:
            [B, L] int8 observations, [B] float32 rewards, [B] bool ends, B infos.

        Raises:
            ActionError: not B integers of the action space, no ``step_async`` before, or an
                opponent failed.
            IllegalActionError: an illegal action, with ``illegal_action="raise"``. In every case
                nothing was changed.
        """
        actions, self._actions = self._actions, None
        if actions is None:
            raise ActionError("step_wait() without actions: expected step_async() before it")
        before = copy.copy(self._games)  # what it holds is replaced, never changed
        try:
            return self._step(actions)
        except BaseException:
            self._games = before
            raise

    def action_masks(self, rows: Rows = None) -> NDArray[np.bool_]:
        """[N, A] bool, the legal actions of all or some rows."""
        return self._games.legal_action_mask(None if rows is None else self._rows(rows))

    def set_opponents(self, opponents: Opponents, rows: Rows = None) -> None:
        """Changes the opponents of all or some rows, each from its next game on.

        Raises:
            ConfigError, ArboretumError: as for the constructor. Nothing was changed.
            ViewError: rows that do not exist.
        """
        self._games.set_opponents(opponents, None if rows is None else self._rows(rows))

    def frame(self, row: int) -> Any:
        """The picture of one row in the render mode; None without one."""
        if self.render_mode is None:
            return None
        mode = cast(Literal["ansi", "rgb_array"], self.render_mode)
        return table_frame(self._games.state, mode, row)

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """A picture of every row, with ``render_mode="rgb_array"``."""
        if self.render_mode != "rgb_array":
            return [None] * self.num_envs
        return [self.frame(row) for row in range(self.num_envs)]

    def close(self) -> None:
        """There is nothing to close."""

    def get_attr(self, attr_name: str, indices: Rows = None) -> list[Any]:
        """An attribute or method of ``OneGame`` for all or some rows."""
        return [getattr(OneGame(self, int(row)), attr_name) for row in self._rows(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Rows = None) -> None:
        """Refused: games have nothing to set, but see ``set_opponents``."""
        raise AttributeError(f"{attr_name}: games have no attribute that can be set")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Rows = None, **method_kwargs: Any
    ) -> list[Any]:
        """Calls a method of ``OneGame`` for all or some rows."""
        rows = self._rows(indices)
        # sb3-contrib asks for the masks of all rows at every step: one call instead of B.
        if method_name == "action_masks" and not method_args and not method_kwargs:
            return list(self.action_masks(rows))
        games = [OneGame(self, int(row)) for row in rows]
        return [getattr(game, method_name)(*method_args, **method_kwargs) for game in games]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Rows = None
    ) -> list[bool]:
        """False for every row: wrappers go around all games together."""
        return [False] * len(self._rows(indices))

    def _step(
        self, actions: Any
    ) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[Info]]:
        ended = self._games.step(actions)
        infos: list[Info] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        for row in np.flatnonzero(self._games.illegal):
            infos[row]["illegal_action"] = True
        rewards = np.zeros(self.num_envs, np.float32)
        dones = np.zeros(self.num_envs, np.bool_)
        if len(ended.rows):
            rewards[ended.rows], dones[ended.rows] = ended.reward, True
            self._note_ends(ended, infos)
            self._games.reset(rows=ended.rows)
        return self._games.observe(), rewards, dones, infos

    def _note_ends(self, ended: Ended, infos: list[Info]) -> None:
        finals = self._games.observe(ended.rows)
        for index, row in enumerate(ended.rows):
            infos[row].update(result_of(ended, index), terminal_observation=finals[index])
            self.reset_infos[row] = {}

    def _rows(self, rows: Rows) -> NDArray[np.int64]:
        if rows is None:
            return np.arange(self.num_envs)
        chosen = np.atleast_1d(rows if isinstance(rows, int) else list(rows))
        fits = chosen.ndim == 1 and (chosen.dtype.kind in "iu" or not chosen.size)
        if not fits or (chosen.size and not 0 <= chosen.min() <= chosen.max() < self.num_envs):
            raise ViewError(f"rows {rows!r}: expected integers 0..{self.num_envs - 1}")
        return chosen.astype(np.int64)
