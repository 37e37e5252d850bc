"""Options of a command that say which game is played."""

import pytest

from arboretum_env.config import GameConfig
from arboretum_lab.cli.arguments import parse_command
from arboretum_lab.cli.commands import COMMANDS
from arboretum_lab.cli.game_options import GameOptions

PLAYING = ("evaluate", "tournament", "exploit", "play")
OPTIONS = ("--species", "CDJ", "--ranks", "5", "--hand-size", "3", "--rights", "all")
SWITCHES = ("--starting-discards", "--keep-eights")


def test_the_default_is_the_rulebook() -> None:
    for players in (2, 3, 4):
        assert GameOptions().config(players) == GameConfig(num_players=players)
    assert GameOptions(species="7").config(2).species == "CDJVLGM"


@pytest.mark.parametrize("name", PLAYING)
def test_every_command_that_plays_takes_all_of_them(name: str) -> None:
    module = next(entry for entry in COMMANDS if entry.name == name).load()
    agents = ["greedy"] if name == "exploit" else ["greedy", "random"]
    assert parse_command(module, name, [*agents, *OPTIONS, *SWITCHES]).game.config(3) == GameConfig(
        num_players=3,
        species="CDJ",
        num_ranks=5,
        hand_size=3,
        starting_discards=True,
        cancel_eights=False,
        rights="all",
    )
