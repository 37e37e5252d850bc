"""The options that say which game is played, alike for every command that plays one."""

from dataclasses import dataclass
from typing import Literal

from arboretum_env.config import GameConfig


@dataclass(frozen=True)
class GameOptions:
    """The game, besides its number of players."""

    species: str | None = None
    """Species in play: their letters, or how many. Default: as the rules say for the players."""

    ranks: int = 8
    """Ranks of every species, 3 to 8 (fewer: a reduced game)."""

    hand_size: int = 7
    """Cards in hand, 1 to 7 (fewer: a reduced game)."""

    starting_discards: bool = False
    """Every player but the first begins with one face-up card (the 2015/16 printing)."""

    keep_eights: bool = False
    """A held 1 does not cancel an opponent's held 8 (research switch)."""

    rights: Literal["highest", "all"] = "highest"
    """Who may score a species; "all" switches hand-blocking off (research switch)."""

    def config(self, players: int) -> GameConfig:
        """The game for so many players.

        Raises:
            ConfigError: options that fit no game.
        """
        return GameConfig(
            num_players=players,
            num_ranks=self.ranks,
            hand_size=self.hand_size,
            starting_discards=self.starting_discards,
            cancel_eights=not self.keep_eights,
            rights=self.rights,
            species=self.species,
        )
