"""A headless Chromium that opens a page with a policy, and the server that the page lives on."""

import json
import queue
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

HERE = Path(__file__).parent
ORT = Path(sys.prefix) / "node_modules" / "onnxruntime-web" / "dist"
"""Where scripts/integrations.py puts the npm package."""

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)

_TYPES: Final = {
    ".html": "text/html",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".onnx": "application/octet-stream",
    ".wasm": "application/wasm",
}


def open_page(files: dict[str, bytes], folder: Path, patience: float) -> dict[str, Any]:
    """Opens ``page.html`` in Chromium and waits for its report.

    Args:
        files: what the page finds beside it, by name.
        folder: empty, for the browser's profile.
        patience: seconds after which the browser is taken for stuck.

    Returns:
        The report.
    """
    assert CHROMIUM is not None, "this test needs chromium (Debian: apt-get install chromium)"
    reports: queue.Queue[bytes] = queue.Queue()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(files, reports))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    arguments = [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", f"--user-data-dir={folder}",
        f"http://127.0.0.1:{server.server_port}/page.html",
    ]  # fmt: skip
    log = folder.with_suffix(".log")
    try:
        with (
            log.open("wb") as output,
            subprocess.Popen([CHROMIUM, *arguments], stdout=output, stderr=output) as browser,
        ):
            try:
                report = reports.get(timeout=patience)
            except queue.Empty:
                said = log.read_text(errors="replace")[-2000:]
                raise AssertionError(f"no report from the page; Chromium said: {said}") from None
            finally:
                browser.terminate()
    finally:
        server.shutdown()
        server.server_close()
    found: dict[str, Any] = json.loads(report)
    return found


def _handler(
    files: dict[str, bytes], reports: "queue.Queue[bytes]"
) -> type[BaseHTTPRequestHandler]:
    """Serves the page, the runtime and ``files``; puts what is posted into ``reports``."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.partition("?")[0].removeprefix("/")
            content = files.get(name)
            if content is None:
                folder = ORT if name.startswith("ort/") else HERE
                path = folder / Path(name).name
                content = path.read_bytes() if path.suffix in _TYPES and path.is_file() else None
            self.send_response(200 if content is not None else 404)
            self.send_header("Content-Type", _TYPES.get(Path(name).suffix, "text/plain"))
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def do_POST(self) -> None:
            reports.put(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    return Handler
