"""``arboretum serve``: the studio, a page in a browser to play, watch and understand."""

import logging
import sys
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import tyro

from arboretum_env.errors import ConfigError

_MOST_PORTS: Final = 65_535


@dataclass(frozen=True)
class Command:
    """Serves the studio to the browsers of this machine, until Ctrl-C.

    Every game is kept on disk after each decision: a reload or a restart loses none.
    """

    port: int = 8000
    """Where it listens, on this machine alone unless --lan; 0: any free port."""

    open: bool = False
    """Opens the page in a browser."""

    lan: bool = False
    """Lets other devices of the network in, too; each guest joins with a link of its own."""

    data: Path | None = None
    """Folder for games. Default: $XDG_DATA_HOME/arboretum-lab/studio."""

    agent: Annotated[tuple[str, ...], tyro.conf.arg(metavar="SPEC ...")] = ()
    """More agents to play with, such as a run or checkpoint folder."""

    bot_seconds: float = 30.0
    """How long an agent may think about one decision; its first may take 300."""


def run(command: Command) -> int:
    """Serves until it is interrupted.

    Raises:
        ConfigError: the port is taken or none, or the folder cannot be used.
        AgentSpecError: an agent that there is not.
    """
    from arboretum_lab.studio.app import create_app
    from arboretum_lab.studio.opponents import check_named_at_start
    from arboretum_lab.studio.server import lan_address, listen, serve
    from arboretum_lab.studio.settings import Limits, Settings, default_data_folder

    if not 0 <= command.port <= _MOST_PORTS:
        raise ConfigError(f"--port {command.port}: expected 0..{_MOST_PORTS}")
    if not 0 < command.bot_seconds <= 3600:
        raise ConfigError(f"--bot-seconds {command.bot_seconds:g}: expected more than 0, to 3600")
    check_named_at_start(command.agent)
    logging.basicConfig(format="arboretum: %(message)s", stream=sys.stderr, level=logging.WARNING)
    logging.getLogger("arboretum.studio").setLevel(logging.INFO)
    with listen(command.port, lan=command.lan) as listener:
        port = int(listener.getsockname()[1])
        address = f"http://127.0.0.1:{port}/"
        settings = Settings(
            data=command.data or default_data_folder(),
            lan=command.lan,
            network=f"http://{lan_address()}:{port}/" if command.lan else "",
            agents=command.agent,
            limits=Limits(bot_seconds=command.bot_seconds),
        )
        app = create_app(settings)  # before anything is promised: the folder may be of no use
        print(f"studio: {address} (Ctrl-C ends it)")
        if command.lan:
            print(f"network: {settings.network} (for everybody who can reach it)")
        print(f"games: {settings.data}", flush=True)
        if command.open and not webbrowser.open(address):
            print(f"no browser could be opened here: open {address} in one", flush=True)
        serve(app, listener)
    return 0
