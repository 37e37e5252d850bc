"""``arboretum play``: a game in the terminal, against agents or other people."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

import tyro
from tyro.conf import Positional

from arboretum_agents.terminal import Terminal
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_env.records.files import load_record
from arboretum_lab.cli.input_files import naming
from arboretum_lab.cli.program import program
from arboretum_lab.play.session import Session
from arboretum_lab.play.table import Table, check_new

_EXIT_INTERRUPTED: Final = 130


@dataclass(frozen=True)
class Command:
    """Plays a game in the terminal: you against agents, several people at one screen, any mix.

    `help` at the prompt lists moves and commands. The end of the input and Ctrl-C save the game.
    """

    seats: Annotated[Positional[tuple[str, ...]], tyro.conf.arg(metavar="A B ...")] = ()
    """Who plays, seat by seat: human, or human:name=Ann; a name that `arboretum agents` lists; a
    run or checkpoint folder. Default: human planner. The last one takes the seats that are left."""

    players: int | None = None
    """Seats at the table, 2 to 4. Default: as many as are named, at least 2."""

    seat: int = 0
    """Where the first one named sits; the others follow in turn order."""

    seed: int | None = None
    """Of the deal and of the agents' randomness. Default: a random one."""

    save: Path | None = None
    """Where the game is saved, .arb or .json. Default: a new arboretum-N.arb, once it is left."""

    resume: Path | None = None
    """Goes on with a saved game, in the same file; seats that are named replace those in it."""

    species: str | None = None
    """Species in play: their letters, or how many. Default: as the rules say for the players."""

    ranks: int = 8
    """Ranks of every species, 3 to 8 (fewer: a reduced game)."""

    hand_size: int = 7
    """Cards in hand, 1 to 7 (fewer: a reduced game)."""

    starting_discards: bool = False
    """Every player but the first begins with one face-up card (the 2015/16 printing)."""

    keep_eights: bool = False
    """A held 1 does not cancel an opponent's held 8."""

    rights: Literal["highest", "all"] = "highest"
    """Who may score a species; "all" switches hand-blocking off."""


def run(command: Command) -> int:
    """Plays until the game ends or is left, and saves it then.

    Raises:
        ConfigError: options that fit no game, or a name for the saved game that is taken.
        ArboretumError: no such agent, or a file that is no game to go on with.
    """
    if command.save is not None and command.save != command.resume:
        check_new(command.save)
    terminal = Terminal()
    session = make_session(command)
    table = Table(session, terminal, save_path(command))
    code = 0
    try:
        if table.play():
            if command.save is not None or command.resume is not None:
                session.save(table.path)
                terminal.say(f"\nsaved: {table.path}")
            return code
    except EOFError:
        terminal.say()
    except KeyboardInterrupt:
        terminal.say()
        code = _EXIT_INTERRUPTED
    except BaseException:  # whatever it was, the game is not lost
        session.save(table.path)
        raise
    session.save(table.path)
    terminal.say(f"saved: {table.path} (it holds the whole deal: do not look)")
    terminal.say(f"go on with: {program()} play --resume {shlex.quote(str(table.path))}")
    return code


def make_session(command: Command) -> Session:
    """The game that the options describe.

    Raises:
        ConfigError: seats that do not fit the table.
        ArboretumError: no such agent, or a file that is no game to go on with.
    """
    if command.resume is not None:
        with naming(command.resume):
            record = load_record(command.resume)
            seats = command.seats and seat_specs(command, record.config.num_players)
            return Session.resume(record, seats)
    players = command.players if command.players is not None else max(2, len(command.seats))
    config = GameConfig(
        num_players=players,
        num_ranks=command.ranks,
        hand_size=command.hand_size,
        starting_discards=command.starting_discards,
        cancel_eights=not command.keep_eights,
        rights=command.rights,
        species=command.species,
    )
    if command.seed is not None and command.seed < 0:
        raise ConfigError(f"--seed {command.seed}: expected 0 or more")
    return Session.begin(config, seat_specs(command, players), command.seed)


def seat_specs(command: Command, players: int) -> tuple[str, ...]:
    """Who sits where.

    Raises:
        ConfigError: more are named than there are seats, or there is no such seat.

    >>> seat_specs(Command(seats=("human", "greedy"), seat=1), 3)
    ('greedy', 'human', 'greedy')
    """
    named = command.seats or ("human", "planner")
    if len(named) > players:
        raise ConfigError(f"{len(named)} seats named: expected at most {players}")
    if not 0 <= command.seat < players:
        raise ConfigError(f"--seat {command.seat}: expected 0..{players - 1}")
    following = named if len(named) > 1 else (*named, "planner")
    order = (*following, *(following[-1:] * (players - len(following))))
    return tuple(order[(seat - command.seat) % players] for seat in range(players))


def save_path(command: Command) -> Path:
    """Where the game is saved: as asked for, where it came from, or under a new name here."""
    given = command.save or command.resume
    if given is not None:
        return given
    number = 1
    while (path := Path(f"arboretum-{number}.arb")).exists():
        number += 1
    return path
