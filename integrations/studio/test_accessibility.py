"""Every view on a phone, a tablet and a desk, by day and by night: axe, width, motion and keys."""

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from integrations.studio.conftest import NewContext
from integrations.studio.serving import Studio
from integrations.studio.views import VIEWS

AXE = Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"
"""Where scripts/integrations.py puts the npm package."""

LOOKS: Final = ((390, "light"), (820, "dark"), (1440, "light"), (1440, "dark"))

OUTSIDE: Final = {"curtain": {"409"}}
"""What the console says of answers that are as they should be: nobody's hand is shown yet."""

_TO_REACH: Final = """
() => {
  const within = document.querySelector("dialog[open]") ?? document;
  const fields = "select, textarea, summary, input:not([type=radio])";
  const kinds = `a[href], button, ${fields}, [tabindex='0']`;
  return [...within.querySelectorAll(kinds)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => !each.disabled && each.tabIndex >= 0)
    .map((each, number) => ((each.dataset.reach = String(number)), each.outerHTML.slice(0, 160)));
}
"""
"""Numbers what has to be reached by the tab key; returns the elements in words."""

_REACHED: Final = """
() => {
  const here = document.activeElement;
  const drawn = (each) => each && getComputedStyle(each).outlineStyle !== "none";
  const near = [here, here.closest("label"), here.nextElementSibling, here.querySelector("use")];
  const spot = here.querySelector(".spot, .pad-spot");
  return { number: here.dataset.reach ?? null, seen: near.some(drawn) || spot !== null };
}
"""

_MOVING: Final = """
() => [...document.querySelectorAll("body *")]
  .filter((each) => {
    const { animationName, transitionDuration } = getComputedStyle(each);
    const lasts = transitionDuration.split(",").some((duration) => parseFloat(duration) > 0);
    return animationName !== "none" || lasts;
  })
  .map((each) => each.outerHTML.slice(0, 80))
"""
"""What would move, now or when it changes."""


def faults(page: Page) -> list[str]:
    """What axe finds serious or critical, with targets of 24 pixels: rule and elements."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    report: dict[str, Any] = page.evaluate(
        "() => axe.run(document, { rules: { 'target-size': { enabled: true } } })"
    )
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


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_serious(
    name: str, new_browser: NewContext, studio: Studio, expected: set[str]
) -> None:
    expected |= OUTSIDE.get(name, set())
    context = new_browser(
        reduced_motion="reduce",  # and then nothing moves
        bypass_csp=True,  # axe itself is injected
    )
    page = context.new_page()
    VIEWS[name](page, studio)
    found: dict[str, Any] = {}
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        look = f"{name} {width} {scheme}"
        page.evaluate("scrollTo(0, 0)")  # what has scrolled below the header is no small target
        found[f"{look}: axe"] = faults(page)
        found[f"{look}: pixels too wide"] = max(0, too_wide(page))
        found[f"{look}: moves"] = page.evaluate(_MOVING)
    bad = {what: each for what, each in found.items() if each}
    assert not bad, json.dumps(bad, indent=1)


@pytest.mark.parametrize("name", VIEWS)
def test_the_tab_key_reaches_everything_and_shows_where_it_is(
    name: str, page: Page, studio: Studio, expected: set[str]
) -> None:
    expected |= OUTSIDE.get(name, set())
    VIEWS[name](page, studio)
    wanted: list[str] = page.evaluate(_TO_REACH)
    assert wanted
    reached: set[str | None] = set()
    unseen: set[str] = set()
    for _ in range(2 * len(wanted) + 10):
        page.keyboard.press("Tab")
        here = page.evaluate(_REACHED)
        reached.add(here["number"])
        if here["number"] is not None and not here["seen"]:
            unseen.add(wanted[int(here["number"])])
        if len(reached - {None}) == len(wanted):
            break
    missed = [each for number, each in enumerate(wanted) if str(number) not in reached]
    assert (missed, sorted(unseen)) == ([], [])
