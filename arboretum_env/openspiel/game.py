"""The game itself: what OpenSpiel wants to know before anybody plays, and its parameters."""

from collections.abc import Mapping
from typing import Any, Final, cast

import pyspiel

from arboretum_env.actions import num_actions
from arboretum_env.config import GameConfig, check_choice
from arboretum_env.engine.paths import END_BONUS, MIN_CARDS, PURE_MINIMUM, START_BONUS
from arboretum_env.openspiel.observer import ArboretumObserver
from arboretum_env.openspiel.state import ArboretumState
from arboretum_env.openspiel.table import Table
from arboretum_env.phase import DECISIONS_PER_TURN
from arboretum_env.rewards import MARGIN_UNIT, REWARD_KINDS, RewardKind

PARAMETERS: Final[dict[str, int | bool | str]] = {
    "players": 2,
    "species": 0,  # how many are in play; 0 is the rules' number for the players
    "ranks": 8,
    "hand_size": 7,
    "starting_discards": False,
    "cancel_eights": True,
    "rights": "highest",
    "reward": "win",
}
"""Name -> default. All but the last are options of ``GameConfig``."""

GAME_TYPE: Final = pyspiel.GameType(
    short_name="python_arboretum",
    long_name="Arboretum",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=PARAMETERS,
)


def config_of(parameters: Mapping[str, Any]) -> GameConfig:
    """The game's options from OpenSpiel's parameters; missing ones have their default.

    Raises:
        ConfigError: they do not describe a playable game.
    """
    given = PARAMETERS | dict(parameters)
    return GameConfig(
        num_players=given["players"],
        species=given["species"] or None,
        num_ranks=given["ranks"],
        hand_size=given["hand_size"],
        starting_discards=given["starting_discards"],
        cancel_eights=given["cancel_eights"],
        rights=given["rights"],
    )


def parameters_of(config: GameConfig, reward: RewardKind = "win") -> dict[str, int | bool | str]:
    """OpenSpiel's parameters of a game, the inverse of ``config_of`` but for species' letters."""
    return {
        "players": config.num_players,
        "species": config.num_species,
        "ranks": config.num_ranks,
        "hand_size": config.hand_size,
        "starting_discards": config.starting_discards,
        "cancel_eights": config.cancel_eights,
        "rights": config.rights,
        "reward": reward,
    }


def game_of(config: GameConfig, reward: RewardKind = "win") -> pyspiel.Game:
    """The OpenSpiel game of some options.

    >>> game_of(GameConfig(species=2, num_ranks=3, hand_size=1)).max_game_length()
    15
    """
    chosen = parameters_of(config, reward)
    return pyspiel.load_game(
        GAME_TYPE.short_name,
        {name: value for name, value in chosen.items() if value != PARAMETERS[name]},
    )


def return_bounds(config: GameConfig, reward: RewardKind) -> tuple[float, float]:
    """Bounds of what a seat can win; those of ``margin`` are wide, every species at its best."""
    win = (-1.0 / (config.num_players - 1), 1.0)
    longest = min(config.num_ranks, config.max_plants)
    best = (2 if longest >= PURE_MINIMUM else 1) * longest + START_BONUS + END_BONUS
    points = config.num_species * best if longest >= MIN_CARDS else 1
    margin = (-points / MARGIN_UNIT, points / MARGIN_UNIT)
    match reward:
        case "win":
            return win
        case "margin":
            return margin
        case "mixed":
            return (win[0] + margin[0]) / 2, (win[1] + margin[1]) / 2


class ArboretumGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """Arboretum with the options that OpenSpiel's parameters name.

    Attributes:
        config: the game's options.
        reward: what a finished game is worth (``arboretum_env.rewards``).
        undealt: the table that every game begins with.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.config = config_of(params or {})
        self.reward = cast(RewardKind, (params or {}).get("reward", PARAMETERS["reward"]))
        check_choice("reward", self.reward, REWARD_KINDS)
        self.undealt = Table.undealt(self.config)
        low, high = return_bounds(self.config, self.reward)
        info = pyspiel.GameInfo(
            num_distinct_actions=num_actions(self.config),
            max_chance_outcomes=self.config.num_cards,
            num_players=self.config.num_players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0,
            max_game_length=DECISIONS_PER_TURN * self.config.max_turns,
        )
        super().__init__(GAME_TYPE, info, dict(params or {}))

    def new_initial_state(self) -> ArboretumState:
        """The state before the first card is dealt."""
        return ArboretumState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Every card is dealt or drawn by chance once."""
        return self.config.num_cards

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> ArboretumObserver:
        """An observer; by default, of what is true now and known to the seat."""
        return ArboretumObserver(
            self.config, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params
        )


pyspiel.register_game(GAME_TYPE, ArboretumGame)
