"""A studio in a process of its own, which a test can end and start again on the same folder."""

import subprocess
import sys
from pathlib import Path

_PATIENCE = 60


class Studio:
    """One data folder, served on one port.

    Args:
        folder: for the games.
        options: more of ``arboretum serve``.

    Attributes:
        address: of the page, ``http://127.0.0.1:PORT/``.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        self._folder, self._options = folder, options
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def address(self) -> str:
        """Of the page."""
        return f"http://127.0.0.1:{self._port}/"

    def start(self) -> None:
        """Serves; on the same port as before."""
        command = [sys.executable, "-m", "arboretum_lab", "serve", "--port", str(self._port)]
        command += ["--data", str(self._folder), *self._options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        assert said.startswith("studio: http://127.0.0.1:"), said
        self._port = int(said.split("http://127.0.0.1:")[1].split("/")[0])

    def stop(self) -> None:
        """Ends the process, as Ctrl-C does."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(_PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def kill(self) -> None:
        """Ends the process without a warning."""
        assert self._process is not None
        self._process.kill()
        self.stop()
