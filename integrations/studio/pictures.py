"""Takes the pictures of the studio that the documents show, in a real browser.

They are taken anew where the looks change, in the environment of the studio's browser tests::

    make test-integrations ENVIRONMENTS=studio             # builds the environment, once
    .venvs/studio/bin/python -m integrations.studio.pictures [NAME ...]

Without names all are taken. The games are played by fixed deals against ``greedy``.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from integrations.studio.conftest import CHROMIUM
from integrations.studio.serving import Studio
from integrations.studio.tabletop import begin, click_decision, my_turn, phase, prefer
from integrations.studio.test_chair import pick

CHECKOUT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = CHECKOUT / "docs" / "studio"
RECORDS: Final = CHECKOUT / "tests" / "data" / "games"
BOARD: Final = """\
Species CDJVLM
Player
Hand C1 C4 L5 D4 J5 D7 L6
J2 V3 C6
.  D8 J6
M6 C8 C7
Player
Hand V4 J1 J3 M4 M8 L1 L8
.  V2 V6 .
L2 D3 V7 V8
.  .  V1 M7
"""
WIDE: Final = (1280, 860)
DESK: Final = (1440, 900)
PHONE: Final = (390, 844)
DEAL: Final = 7

Shot = Callable[[Page, Studio], None]


def play_to(page: Page, studio: Studio, agents: int, decisions: int) -> None:
    """A game against some agents, so many of the person's decisions on."""
    prefer(page, ("You",), agents=agents)
    begin(page, studio, DEAL)
    for _ in range(decisions):
        assert my_turn(page)
        click_decision(page)
    assert my_turn(page)


def start(page: Page, studio: Studio) -> None:
    """The form for a new game."""
    page.goto(f"{studio.address}#/play")
    page.locator(".setup").wait_for()


def deal(page: Page, studio: Studio) -> None:
    """The same with some cards chosen."""
    start(page, studio)
    page.get_by_text("Species and cards").click()
    page.get_by_role("group", name="Dealt to seat 1").get_by_role("button", name="Add").click()
    pick(page, "C1", "C8", "V3", "V5")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start the game").scroll_into_view_if_needed()


def table(page: Page, studio: Studio) -> None:
    """A card is to be planted; the ghost shows where."""
    play_to(page, studio, agents=2, decisions=26)
    assert phase(page) == "play"
    page.locator(".hand-card.legal").nth(3).click()
    page.locator("g.cell .spot").nth(2).hover(force=True)


def table_phone(page: Page, studio: Studio) -> None:
    """A card is to be drawn."""
    play_to(page, studio, agents=1, decisions=16)
    assert phase(page) == "draw_first"
    page.evaluate("scrollTo(0, 0)")


def open_record(page: Page, studio: Studio) -> None:
    """A recorded game in Replay."""
    page.goto(f"{studio.address}#/replay")
    page.locator("#record-text").fill((RECORDS / "anu_game_1.arb").read_text(encoding="utf-8"))
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator(".replay[data-shown]").wait_for()


def replay(page: Page, studio: Studio) -> None:
    """A game walked half through."""
    open_record(page, studio)
    page.get_by_role("slider", name="Position").fill("98")
    page.locator('.replay[data-shown="98 open"]').wait_for()


def analyse(page: Page, studio: Studio) -> None:
    """The value of a whole game."""
    open_record(page, studio)
    page.goto(f"{studio.address}#/analyse/record/0")
    page.locator("#analysis-part .panel").first.wait_for()


def analyse_position(page: Page, studio: Studio) -> None:
    """What an agent would do in a position."""
    open_record(page, studio)
    page.goto(f"{studio.address}#/analyse/record/0/152")
    page.locator("#analysis-part .panel").first.wait_for()
    page.locator("#analysis-part").evaluate("part => scrollTo(0, part.offsetTop - 70)")


def pad(page: Page, studio: Studio) -> None:
    """Two boards with their points."""
    page.goto(f"{studio.address}#/pad")
    page.get_by_role("button", name="Open").click()
    page.get_by_role("dialog").locator("textarea").fill(BOARD)
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    page.locator(".pad-player g.card").first.wait_for()


def chair(page: Page, studio: Studio) -> None:
    """A game that was noted half through."""
    page.goto(f"{studio.address}#/pad/chair")
    page.get_by_role("button", name="Open a record").click()
    text = (RECORDS / "one_chair.arb").read_text(encoding="utf-8")
    page.get_by_role("dialog").locator("textarea").fill(text)
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    page.locator(".chair-words").wait_for()


def lesson(page: Page, studio: Studio) -> None:
    """A path to be tapped."""
    page.goto(f"{studio.address}#/learn/best")
    page.locator(".learn-board g.card").first.wait_for()


def puzzle(page: Page, studio: Studio) -> None:
    """One that has been tried."""
    page.goto(f"{studio.address}#/learn/puzzles")
    page.locator(".puzzle-row", has_text="What to discard?").first.click()
    page.locator(".hand-card.legal").first.click()
    page.locator(".learn-options").wait_for()


PICTURES: Final[dict[str, tuple[Shot, tuple[int, int], bool]]] = {
    "start-phone": (start, PHONE, False),
    "deal": (deal, WIDE, False),
    "table": (table, DESK, False),
    "table-phone": (table_phone, PHONE, False),
    "replay": (replay, DESK, False),
    "analyse": (analyse, WIDE, False),
    "analyse-phone": (analyse, PHONE, False),
    "analyse-position": (analyse_position, WIDE, True),
    "pad": (pad, WIDE, False),
    "pad-phone": (pad, PHONE, False),
    "chair": (chair, WIDE, True),
    "lesson": (lesson, (1280, 800), False),
    "puzzle": (puzzle, (1280, 1250), False),
}
"""By name: what is shown, the window in pixels, and whether it is dark."""


def take(browser: Browser, studio: Studio, name: str) -> None:
    """Takes one picture in a browser of its own."""
    shot, (width, height), dark = PICTURES[name]
    options: dict[str, Any] = {"viewport": {"width": width, "height": height}}
    if (width, height) == PHONE:
        options |= {"has_touch": True, "is_mobile": True}
    context = browser.new_context(color_scheme="dark" if dark else "light", **options)
    page = context.new_page()
    page.set_default_timeout(600_000)  # an analysis takes its time
    shot(page, studio)
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(600)  # motion has come to rest
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def main(arguments: list[str]) -> None:
    """Takes the named pictures, or all."""
    parser = argparse.ArgumentParser(description="Takes the pictures of the studio in docs/studio.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}")
    names = parser.parse_args(arguments).names
    if unknown := [name for name in names if name not in PICTURES]:
        parser.error(f"no picture {', '.join(unknown)}: expected some of {', '.join(PICTURES)}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        studio = Studio(Path(folder))
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        try:
            for name in names or PICTURES:
                take(browser, studio, name)
                sys.stdout.write(f"{FOLDER.relative_to(CHECKOUT) / name}.png\n")
        finally:
            browser.close()
            studio.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
