"""``arboretum play``: a game in the terminal, against agents or other people."""

import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

import tyro
from tyro.conf import Positional

from arboretum_agents.terminal import Terminal
from arboretum_env.errors import ConfigError
from arboretum_env.records.files import load_record
from arboretum_lab.cli.game_options import GameOptions
from arboretum_lab.cli.input_files import naming
from arboretum_lab.cli.program import program
from arboretum_lab.play.keeping import check_new, keep, like_ctrl_c
from arboretum_lab.play.session import Session
from arboretum_lab.play.table import Table

_EXIT_INTERRUPTED: Final = 130


@dataclass(frozen=True)
class Command:
    """Plays a game in the terminal: you against agents, several people at one screen, any mix.

    `help` at the prompt lists moves and commands. The end of the input, Ctrl-C and a terminal that
    is closed save the game.
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

    game: Annotated[GameOptions, tyro.conf.arg(name="")] = field(default_factory=GameOptions)
    """Which game."""


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
    table = Table(session, terminal, command.save or command.resume)
    code, finished = 0, False
    with like_ctrl_c():
        try:
            finished = table.play()
        except EOFError:
            pass
        except KeyboardInterrupt:
            code = _EXIT_INTERRUPTED
        except BaseException:  # whatever it was, the game is not lost
            print(kept_text(session, table.path), file=sys.stderr)
            raise
        if not finished:
            terminal.say(f"\n{kept_text(session, table.path)}")
        elif command.save is not None or command.resume is not None:
            path, why = keep(session, table.path)
            terminal.say("\n" + "\n".join(filter(None, [why, f"saved: {path}"])))
    return code


def kept_text(session: Session, path: Path) -> str:
    """Saves a game that is left, before anything is said; then, how to go on with it."""
    path, why = keep(session, path)
    lines = [
        why,
        f"saved: {path} (it holds the whole deal: do not look)",
        f"go on with: {program()} play --resume {shlex.quote(str(path))}",
    ]
    return "\n".join(filter(None, lines))


def make_session(command: Command) -> Session:
    """The game that the options describe.

    Raises:
        ConfigError: seats that do not fit the table.
        ArboretumError: no such agent, or a file that is no game to go on with.
    """
    if command.resume is not None:
        if command.seed is not None or command.game != GameOptions():
            raise ConfigError("--resume: expected no --seed and no kind of game, it has its own")
        with naming(command.resume):
            record = load_record(command.resume)
            if command.players not in (None, record.config.num_players):
                raise ConfigError(
                    f"--players {command.players}: expected {record.config.num_players}, as it is"
                )
            seats = command.seats and seat_specs(command, record.config.num_players)
            return Session.resume(record, seats)
    players = command.players if command.players is not None else max(2, len(command.seats))
    config = command.game.config(players)
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
