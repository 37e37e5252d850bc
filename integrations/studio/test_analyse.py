"""Analyse in a browser: a small game of which everything is known, and a game under way."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from integrations.studio.conftest import NewContext
from integrations.studio.serving import Studio
from integrations.studio.tabletop import begin, click_decision, my_turn, prefer
from integrations.studio.test_accessibility import faults, too_wide
from integrations.studio.test_replay import open_game
from tests.analysis.games import LAST_DISCARD, THROWN_AWAY


def quick(page: Page, agent: str = "planner") -> None:
    """Few worlds, and an agent that is quickly asked."""
    chosen = json.dumps(json.dumps({"agent": agent, "reference": "planner", "worlds": "32"}))
    page.context.add_init_script(
        "if (location.protocol === 'http:' && !localStorage['arboretum.analysis'])"
        f"  localStorage['arboretum.analysis'] = {chosen};"
    )


def analyse_record(page: Page, studio: Studio, where: str) -> None:
    """Opens the small game and goes to an address of its analysis."""
    quick(page)
    page.goto(f"{studio.address}#/replay")
    page.locator("#record-text").fill(THROWN_AWAY)
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator(".replay[data-shown]").wait_for()
    page.goto(f"{studio.address}#/analyse/record/{where}")
    done(page)


def done(page: Page) -> None:
    """Waits until the analysis is there."""
    page.locator("#analysis-part .panel").first.wait_for()
    expect(page.locator(".analysis-progress")).to_have_count(0)


def test_a_game_its_chart_and_its_swings(page: Page, studio: Studio) -> None:
    analyse_record(page, studio, "0")
    ledger = page.locator(".ledger")
    expect(ledger).to_contain_text("Now")
    expect(ledger.locator("dd").last).to_contain_text("+1.0")
    expect(ledger.locator("dd").last).to_contain_text("exact")
    row = page.locator(".swings tbody tr", has_text="discard C8")
    expect(row).to_contain_text("−2.0")
    expect(row).to_contain_text("mistake")
    slider = page.get_by_role("slider", name="Position in the game")
    slider.focus()
    page.keyboard.press("End")
    expect(page.locator(".chart-readout")).to_contain_text("After 35 decisions")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".chart-readout")).to_contain_text(f"After {LAST_DISCARD} decisions")
    page.get_by_role("button", name="Chance to win").click()
    expect(page.locator(".chart-text").first).to_contain_text("%")
    page.get_by_role("button", name="Look at the position before: discard C8").click()
    expect(page.get_by_label("After decisions")).to_have_value(str(LAST_DISCARD))
    page.get_by_label("Seen by").select_option("open")
    page.keyboard.press("g")
    done(page)


def test_a_position_has_its_numbers_on_the_cards(page: Page, studio: Studio) -> None:
    analyse_record(page, studio, f"0/{LAST_DISCARD}")
    hand = page.get_by_role("group", name="Hand of Seat 0")
    expect(hand.locator("figure", has_text="100 %")).to_have_attribute(
        "title", re.compile("^Dogwood 7: 100 % to be discarded")
    )
    right = page.locator(".rights tbody tr").first
    expect(right).to_contain_text("100 %")
    expect(right).to_contain_text("C2 C3")
    expect(page.locator(".heat-cell[data-sure]")).to_have_count(1)
    denied = page.locator(".denied tbody tr").first
    expect(denied).to_contain_text("+2.0 exact")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_label("After decisions")).to_have_value(str(LAST_DISCARD - 1))
    done(page)
    expect(page.get_by_role("heading", name="Turn 7: Seat 0 chooses a cell")).to_be_visible()
    expect(page.locator(".chance-spot").first).to_be_visible()


def test_a_mistake_by_keyboard(page: Page, studio: Studio) -> None:
    """What was played is not in the page before the try."""
    analyse_record(page, studio, "0/0")
    page.keyboard.press("m")
    page.locator(".retry").wait_for()
    while (ahead := page.get_by_role("button", name="Next")).is_enabled():
        ahead.press("Enter")
    expect(page.locator(".retry h2")).to_contain_text("turn 7, discard")
    expect(page.locator(".verdict")).to_have_count(0)
    page.get_by_role("button", name="Discard Dogwood 7").press("Enter")
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("Better than what was played.")
    expect(verdict).to_contain_text("xC8")
    expect(verdict).to_contain_text("planner plays xD7.")
    page.get_by_role("button", name="Discard Cassia 8").press("Enter")
    expect(verdict).to_contain_text("That is what was played.")


def test_a_game_under_way_shows_its_own_seat_alone(page: Page, studio: Studio) -> None:
    quick(page)
    prefer(page, ("Ada",))
    begin(page, studio)
    for _ in range(3):
        assert my_turn(page)
        click_decision(page)
    assert my_turn(page)
    game = page.url.split("#/play/")[1].split("/")[0]
    page.goto(f"{studio.address}#/analyse")
    page.locator(f'.analysis-games a[href="#/analyse/game/{game}/0"]').click()
    done(page)
    expect(page.get_by_label("Seen by").locator("option")).to_have_count(1)
    page.keyboard.press("p")
    done(page)
    expect(page.get_by_role("heading", name=re.compile("Turn 1: Ada chooses"))).to_be_visible()


def test_an_analysis_can_be_stopped(page: Page, studio: Studio) -> None:
    quick(page)
    open_game(page, studio)
    page.goto(f"{studio.address}#/analyse/record/0/150")
    done(page)
    page.get_by_label("Worlds").select_option("1024")
    page.get_by_role("button", name="The game").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped.")).to_be_visible()


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1280)])
def test_nothing_serious(scheme: str, width: int, new_browser: NewContext, studio: Studio) -> None:
    context = new_browser(
        viewport={"width": width, "height": 844},
        color_scheme=scheme,
        reduced_motion="reduce",
        bypass_csp=True,  # axe itself is injected
    )
    page = context.new_page()
    analyse_record(page, studio, "0")
    for key in ("g", "p", "m"):
        page.keyboard.press(key)
        done(page)
        assert faults(page) == [], key
        assert too_wide(page) <= 0, key
