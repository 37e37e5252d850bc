"""Plays at the table of a page, by mouse or by keys, as a person would."""

import json
from typing import Any

from playwright.sync_api import Page

from integrations.studio.serving import Studio

OPPONENT = "greedy"


def prefer(page: Page, people: tuple[str, ...], agents: int = 1, **options: Any) -> None:
    """Fills the form as if it had been used before: who plays, and quick opponents."""
    seats = [{"spec": "human", "name": name} for name in people]
    seats += [{"spec": OPPONENT, "name": ""}] * agents
    kept = {"players": len(seats), "seats": seats, "practice": False, "starting_discards": False}
    text = json.dumps(json.dumps({**kept, **options}))
    page.context.add_init_script(
        "if (location.protocol === 'http:' && !localStorage['arboretum.setup'])"
        f"  localStorage['arboretum.setup'] = {text};"
    )


def begin(page: Page, studio: Studio, seed: int = 7) -> None:
    """Fills the form and starts."""
    page.goto(f"{studio.address}#/play")
    page.get_by_label("Deal", exact=True).fill(str(seed))
    page.get_by_role("button", name="Start the game").click()
    page.locator(".table-view[data-state]").wait_for()


def state_of(page: Page) -> str:
    """The number of the state that the page shows."""
    return page.locator(".table-view").get_attribute("data-state") or ""


def my_turn(page: Page) -> bool:
    """Waits until it is the person's turn, or the game is over (False)."""
    page.locator(".status[data-mine], .sheet").first.wait_for()
    return page.locator(".sheet").count() == 0


def phase(page: Page) -> str:
    """What the page asks for."""
    return page.locator(".dock").get_attribute("data-phase") or ""


def settle(page: Page, before: str) -> None:
    """Waits until something has happened."""
    page.wait_for_function(
        "before => document.querySelector('.table-view')?.dataset.state !== before", arg=before
    )


def click_decision(page: Page) -> None:
    """One decision by mouse: the deck if it can be drawn from, the first card, some cell."""
    before, at = state_of(page), phase(page)
    if at.startswith("draw"):
        page.locator(".pile.legal .pile-button").first.click()
    elif at == "play":
        page.locator(".hand-card.legal").first.click()
        cells = page.locator("g.cell .spot")
        cells.nth(cells.count() // 2).click()
    else:
        assert at == "discard", at
        page.locator(".hand-card.legal").last.click()
    settle(page, before)


def press_decision(page: Page) -> None:
    """One decision by keys; the focus goes where the decision is by itself."""
    before, at = state_of(page), phase(page)
    keys = {
        "draw_first": ["d"],
        "draw_second": ["p", "Enter"],
        "play": ["ArrowRight", "ArrowLeft", "Enter", "ArrowRight", "Enter"],
        "discard": ["End", "Enter"],
    }[at]
    for key in keys:
        page.keyboard.press(key)
    settle(page, before)
