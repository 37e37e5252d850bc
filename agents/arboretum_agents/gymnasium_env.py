"""``Arboretum-v0``: one learner against agents, as a gymnasium environment.

``docs/environment.md`` has its page. A thin adapter over ``LearnerGames`` with one game.
"""

from collections.abc import Mapping
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arboretum_agents.learner_batch import SeatRule
from arboretum_agents.learner_games import Ended, IllegalRule, LearnerGames
from arboretum_agents.opponents import Opponents
from arboretum_env.actions import checked_action_id, num_actions
from arboretum_env.config import GameConfig, check_choice
from arboretum_env.drawing.frame import table_frame
from arboretum_env.errors import ActionError
from arboretum_env.pettingzoo_env import (
    MASK_PLACES,
    MaskPlace,
    RenderMode,
    chosen_config,
    observation_space,
)
from arboretum_env.rewards import RewardKind

METADATA: Final[dict[str, Any]] = {
    "render_modes": ["ansi", "rgb_array", "human"],
    "render_fps": 2,
}


class ArboretumEnv(gymnasium.Env[Any, Any]):
    """One game after another for a learner, whose opponents move inside ``step``.

    Args:
        num_players: 2, 3 or 4.
        starting_discards: play with the starting discards of the 2015/16 printing.
        species: letters of the species in play, or how many; default 6 / 8 / 10.
        reward: what the learner gets at the end, see ``arboretum_env.rewards``.
        mask_in: where the action mask is: in the dict observation and the info, or, with
            ``"info"``, in the info alone; then the observation is a bare array.
        render_mode: what ``render()`` makes; ``"human"`` prints the text by itself.
        config: all options of the game, instead of the first three arguments.
        opponents: a spec or an agent for all other seats, or P - 1 of them in turn order from the
            learner.
        seat: the learner's seat, or ``"rotate"``: game ``i`` of seed ``s`` from ``(s + i) mod P``.
        illegal_action: what an illegal action does: ``"lose"`` ends the game with a reward of -1,
            ``"random"`` plays a random legal action in its stead, ``"raise"`` raises and changes
            nothing.

    Attributes:
        config: the game's options.

    Raises:
        ConfigError: options that do not exist, contradict each other or do not fit the game.
        ArboretumError: a spec that makes no agent.
    """

    metadata = METADATA

    def __init__(
        self,
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
    ) -> None:
        check_choice("mask_in", mask_in, MASK_PLACES)
        check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.config = chosen_config(num_players, starting_discards, species, config)
        self.mask_in: MaskPlace = mask_in
        self.render_mode: RenderMode | None = render_mode
        self.observation_space = observation_space(self.config, mask_in)
        self.action_space = spaces.Discrete(num_actions(self.config))
        self._games = LearnerGames(
            self.config, opponents, seat=seat, reward=reward, illegal_action=illegal_action
        )

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins a game; opponents who are before the learner move.

        Args:
            seed: begins the stream of games of this seed. Without one the stream goes on with its
                next game; the first stream of an unseeded object is random.
            options: an exact deal, see ``arboretum_env.exact_deal``.

        Returns:
            The learner's observation and its info, which holds the action mask.

        Raises:
            DealError: a bad seed or a bad deal. Nothing was changed.
            ActionError: an opponent failed. Nothing was changed.
        """
        self._games.reset(seed, options=options)
        # The generator that gymnasium expects; no randomness of the game comes from it.
        super().reset(seed=None if seed is None else int(seed))
        if self.render_mode == "human":
            self.render()
        return seen(self._games, self.mask_in)[0], self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes the learner's decision, then lets the opponents move.

        Args:
            action: a flat action id.

        Returns:
            Observation, reward, whether the game has ended, False, and an info with the action
            mask. At the end it also has ``seat``, ``turns`` and, of a game that was played to its
            end, ``scores`` and ``winners``. ``illegal_action`` is True after an illegal action.

        Raises:
            ActionError: no integer of the action space, no game under way, or an opponent failed.
                Nothing was changed.
            IllegalActionError: an illegal action, with ``illegal_action="raise"``. Nothing was
                changed.
        """
        action_id = checked_action_id(action, num_actions(self.config))
        if self._games.over[0]:
            raise ActionError(f"action {action_id}: the game is over, call reset()")
        ended = self._games.step(np.array([action_id]))
        if self.render_mode == "human":
            self.render()
        info = self._info()
        if self._games.illegal[0]:
            info["illegal_action"] = True
        if not len(ended.rows):
            return seen(self._games, self.mask_in)[0], 0.0, False, False, info
        info.update(result_of(ended, 0))
        return seen(self._games, self.mask_in)[0], float(ended.reward[0]), True, False, info

    def set_opponents(self, opponents: Opponents) -> None:
        """Changes the opponents, from the next game on.

        Raises:
            ConfigError, ArboretumError: as for the constructor. Nothing was changed.
        """
        self._games.set_opponents(opponents)

    def action_masks(self) -> NDArray[np.bool_]:
        """[A] bool, the legal actions, under the name that sb3-contrib looks for."""
        mask: NDArray[np.bool_] = self._games.legal_action_mask()[0]
        return mask

    def render(self) -> Any:
        """The table as a spectator sees it: no hidden card while the game goes on, all at its end.

        Returns:
            Text for ``ansi``, [height, width, 3] uint8 for ``rgb_array``, None otherwise.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: make the environment with one")
            return None
        return table_frame(self._games.state, self.render_mode)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._games.legal_action_mask()[0].view(np.int8)}


def seen(
    games: LearnerGames, mask_in: MaskPlace, rows: NDArray[np.int64] | None = None
) -> list[Any]:
    """The learner's observation of each of some games, as fresh arrays."""
    observations = games.observe(rows)
    if mask_in == "info":
        return list(observations)
    masks = games.legal_action_mask(rows).view(np.int8)
    return [
        {"observation": observation, "action_mask": mask}
        for observation, mask in zip(observations, masks, strict=True)
    ]


def result_of(ended: Ended, index: int) -> dict[str, Any]:
    """How a game ended, for infos: scores and winners only if it was played to its end."""
    result: dict[str, Any] = {"seat": int(ended.seat[index]), "turns": int(ended.turns[index])}
    if not ended.broken_off[index]:
        result["scores"] = tuple(int(points) for points in ended.points[index])
        result["winners"] = tuple(int(seat) for seat in np.flatnonzero(ended.winners[index]))
    return result
