"""Every view, by day and by night, through axe: nothing serious; and nothing wider than a phone."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from integrations.studio.conftest import NewContext
from integrations.studio.serving import Studio
from integrations.studio.tabletop import begin, click_decision, my_turn, prefer
from integrations.studio.test_replay import open_game

AXE = Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"
"""Where scripts/integrations.py puts the npm package."""


def faults(page: Page) -> list[str]:
    """What axe finds serious or critical: rule and elements."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    report: dict[str, Any] = page.evaluate("() => axe.run(document)")
    assert report["passes"], "axe has not looked"
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in report["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:3]
    ]


def too_wide(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def look_everywhere(page: Page, studio: Studio) -> dict[str, list[str]]:
    """The faults of every view that the navigation names, of a table and of a replay."""
    prefer(page, ("Ada",), agents=2)
    found = {}
    page.goto(f"{studio.address}#/play")
    page.locator(".setup").wait_for()
    links = page.locator("[data-view]")
    for view in links.evaluate_all("links => links.map(link => link.dataset.view)"):
        page.goto(f"{studio.address}#/{view}")
        page.locator(f".view-{view} h1").first.wait_for(state="attached")
        page.wait_for_load_state("networkidle")
        found[view] = faults(page)
        assert too_wide(page) <= 0, view
    begin(page, studio)
    for _ in range(6):
        assert my_turn(page)
        click_decision(page)
    assert my_turn(page)
    found["table"] = faults(page)
    assert too_wide(page) <= 0, "table"
    open_game(page, studio)
    found["score sheet"] = faults(page)
    page.keyboard.press("?")
    found["shortcuts"] = faults(page)
    page.keyboard.press("Escape")
    assert too_wide(page) <= 0, "replay"
    return found


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1440)])
def test_nothing_serious(scheme: str, width: int, new_browser: NewContext, studio: Studio) -> None:
    # Colours fade in and out; what axe sees half-way is no fault.
    context = new_browser(
        viewport={"width": width, "height": 844},
        color_scheme=scheme,
        reduced_motion="reduce",
        bypass_csp=True,  # axe itself is injected
    )
    found = look_everywhere(context.new_page(), studio)
    bad = {view: each for view, each in found.items() if each}
    assert not bad, json.dumps(bad, indent=1)
