"""The browser, the studio, and what no page may ever do."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from integrations.studio.serving import Studio

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)

PATIENCE = 60_000
"""Milliseconds; a machine may have other work."""

_WATCH = """
addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium, which talks to nobody but the studio."""
    assert CHROMIUM is not None, "these tests need chromium (Debian: apt-get install chromium)"
    quiet = ["disable-background-networking", "disable-component-update", "disable-sync"]
    quiet += ["headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run"]
    quiet += ["disable-dev-shm-usage"]
    arguments = [f"--{flag}" for flag in quiet]
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": arguments}


expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio that the tests share; each has a browser, and so games, of its own."""
    serving = Studio(tmp_path_factory.mktemp("studio"))
    yield serving
    serving.stop()


@pytest.fixture
def own_studio(tmp_path: Path) -> Iterator[Studio]:
    """A studio that a test may end and start again."""
    serving = Studio(tmp_path / "games")
    yield serving
    serving.stop()


@pytest.fixture
def lan_studio(tmp_path: Path) -> Iterator[Studio]:
    """A studio that lets guests in."""
    serving = Studio(tmp_path / "games", "--lan")
    yield serving
    serving.stop()


NewContext = Callable[..., BrowserContext]


@pytest.fixture
def expected() -> set[str]:
    """What the console may say in a test: parts of a message, such as `409`."""
    return set()


@pytest.fixture
def new_browser(browser: Browser, expected: set[str]) -> Iterator[NewContext]:
    """Makes browsers (contexts of their own), and watches every page in them.

    At the end of the test nothing may have been thrown, refused by the policy or complained of.
    """
    heard: list[str] = []
    contexts: list[BrowserContext] = []

    def watch(page: Page) -> None:
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: heard.append(f"thrown: {error}"))
        page.on(
            "console",
            lambda message: (
                heard.append(message.text) if message.type in ("error", "warning") else None
            ),
        )

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **options})
        context.add_init_script(_WATCH)
        context.on("page", watch)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    strange = [text for text in heard if not any(part in text for part in expected)]
    assert strange == []


@pytest.fixture
def page(new_browser: NewContext) -> Page:
    """A page of a browser of its own."""
    return new_browser().new_page()
