"""An arboretum under fingers, and the table on a phone."""

import pytest
from playwright.sync_api import Page, expect

from integrations.studio.conftest import NewContext
from integrations.studio.serving import Studio
from integrations.studio.tabletop import begin, click_decision, my_turn, prefer, settle, state_of
from integrations.studio.touch import Fingers, Point

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

_SHOWN = """
(() => {
  const box = document.querySelector(".arboretum-stage svg").viewBox.baseVal;
  return [box.x, box.y, box.width, box.height];
})()
"""


@pytest.fixture
def phone(new_browser: NewContext, studio: Studio) -> Page:
    """A table on a phone, with two cards drawn."""
    page = new_browser(**PHONE).new_page()
    prefer(page, ("Ada",))
    begin(page, studio)
    for _ in range(2):
        click_decision(page)
    page.evaluate("scrollTo(0, 0)")
    return page


def shown(page: Page) -> list[float]:
    """What of the own arboretum is shown: left, top, width and height in the picture's units."""
    box: list[float] = page.evaluate(_SHOWN)
    return box


def middle(page: Page) -> Point:
    """The middle of the own arboretum, in pixels."""
    box = page.locator(".arboretum-stage").first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, 1.0), (0.7, 0.7)])
def test_two_fingers_zoom_and_move(phone: Page, way: Point) -> None:
    (x, y), (dx, dy) = middle(phone), way

    def off(reach: float, aside: float = 0.0) -> Point:
        return x + dx * reach + aside, y + dy * reach

    whole = shown(phone)
    fingers = Fingers(phone)
    fingers.move((off(-30), off(-60)), (off(30), off(60)))
    near = shown(phone)
    # Twice as far apart: twice as near, and the middle between the fingers stays the middle.
    assert near[2] == pytest.approx(whole[2] / 2, rel=0.02)
    assert near[3] == pytest.approx(whole[3] / 2, rel=0.02)
    for axis in (0, 1):
        centre = near[axis] + near[axis + 2] / 2
        assert centre == pytest.approx(whole[axis] + whole[axis + 2] / 2, abs=near[2] / 40)
    # Side by side they take the picture along; the page stays where it is.
    fingers.move((off(-30), off(-30, 40)), (off(30), off(30, 40)))
    moved = shown(phone)
    assert moved[2:] == pytest.approx(near[2:])
    assert moved[0] < near[0] - near[2] / 20 and moved[1] == pytest.approx(near[1], abs=1)
    assert phone.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    # Together again: all of it.
    fingers.move((off(-90), off(-20)), (off(90), off(20)))
    assert shown(phone) == pytest.approx(whole)


def test_one_finger_moves_what_is_zoomed_and_a_tap_plants(phone: Page) -> None:
    x, y = middle(phone)
    phone.get_by_role("button", name="Zoom in").first.tap()
    phone.evaluate("scrollTo(0, 0)")
    near = shown(phone)
    Fingers(phone).move(((x, y), (x + 25, y + 15)))
    moved = shown(phone)
    assert moved[2:] == near[2:]
    assert moved[0] < near[0] and moved[1] < near[1]
    state = state_of(phone)  # a drag that ends on a cell plants nothing there
    phone.get_by_role("button", name="Show all").first.tap()
    phone.locator(".hand-card.legal").first.tap()
    phone.evaluate("scrollTo(0, 0)")
    assert state_of(phone) == state
    spot = phone.locator("g.cell .spot").first.bounding_box()
    assert spot is not None
    phone.touchscreen.tap(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    settle(phone, state)
    expect(phone.locator(".arboretum").first.locator("g.card")).to_have_count(1)


def test_one_finger_scrolls_the_page_over_what_is_not_zoomed(phone: Page) -> None:
    x, y = middle(phone)
    whole = shown(phone)
    Fingers(phone).move(((x, y + 60), (x, y - 60)))
    phone.wait_for_function("scrollY > 20")
    assert shown(phone) == whole


def test_the_mouse_drags_what_is_zoomed(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",))
    begin(page, studio)
    for _ in range(2):
        click_decision(page)
    page.locator(".hand-card.legal").first.click()
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").first.click()
    near, state = shown(page), state_of(page)
    x, y = middle(page)
    page.mouse.move(x, y)  # upon the lit cell
    page.mouse.down()
    page.mouse.move(x - 40, y - 30, steps=4)
    page.mouse.up()
    moved = shown(page)
    assert moved[0] > near[0] and moved[1] > near[1] and moved[2:] == near[2:]
    assert state_of(page) == state
    expect(page.locator(".notice")).to_have_count(0)


def test_a_phone_shows_what_a_turn_needs(phone: Page, studio: Studio) -> None:
    """Where to draw from is in sight above the hand, and every button of the row below it."""
    page = phone
    while my_turn(page) and page.locator(".dock").get_attribute("data-phase") != "draw_first":
        click_decision(page)
    page.evaluate("scrollTo(0, 0)")
    dock = page.locator(".dock").bounding_box()
    assert dock is not None and dock["y"] + dock["height"] <= 740
    piles = [pile.bounding_box() for pile in page.locator(".pile-button").all()]
    assert len(piles) == 3
    assert all(pile and pile["y"] + pile["height"] <= dock["y"] for pile in piles)
    buttons = [button.bounding_box() for button in page.locator(".table-actions > *").all()]
    assert len(buttons) == 5
    assert all(b and b["x"] >= 0 and b["x"] + b["width"] <= 360 for b in buttons)
