"""The score pad on a phone: published boards tapped in card by card, kept, saved, printed."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from arboretum_env.records.board_files import load_board
from integrations.studio.conftest import NewContext
from integrations.studio.serving import Studio
from tests import cases

PHONE = {"width": 390, "height": 844}
BOARDS = [case for case in cases.scored_examples("full_board") if case["status"] == "published"]


def from_the_middle(arboretum: dict[tuple[int, int], str]) -> list[tuple[int, int, str]]:
    """The cards in an order in which each has a neighbour, the first at 0,0."""
    left = dict(arboretum)
    if not left:
        return []
    (x0, y0), card = next(iter(left.items()))
    del left[x0, y0]
    order, reached = [(0, 0, card)], [(x0, y0)]
    for x, y in reached:
        for cell in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if cell in left:
                order.append((cell[0] - x0, cell[1] - y0, left.pop(cell)))
                reached.append(cell)
    assert not left
    return order


def enter(page: Page, case: dict[str, Any]) -> None:
    """Taps a published board in."""
    for seat, player in enumerate(case["layout"]):
        part = page.locator(f'.pad-player[data-seat="{seat}"]')
        for x, y, card in from_the_middle(cases.arboretum(case["layout"][player])):
            part.locator(f'[data-spot="{x},{y}"]').click()
            page.locator(f'dialog [data-card="{card}"]').click()
            expect(part.locator(f'g.card[data-card="{card}"]')).to_be_attached()
        hand = cases.cards(case["hands"][player])
        if hand:
            part.get_by_role("button", name="Add").click()
            for card in hand:
                page.locator(f'dialog [data-card="{card}"]').click()
            if len(hand) < 7:
                page.keyboard.press("Escape")


@pytest.mark.parametrize("case", BOARDS, ids=[case["id"] for case in BOARDS])
def test_a_published_board_tapped_in_on_a_phone(
    case: dict[str, Any], new_browser: NewContext, studio: Studio
) -> None:
    page = new_browser(viewport=PHONE, has_touch=True).new_page()
    page.goto(f"{studio.address}#/pad")
    enter(page, case)
    totals = [str(points) for points in case["expected"]["totals"].values()]
    expect(page.locator(".pad-score")).to_have_text(totals)
    assert page.locator(".pad-wrong").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_kept_saved_opened_and_printed(
    page: Page, studio: Studio, tmp_path: Path, expected: set[str]
) -> None:
    expected.add("422")  # what is no board
    page.goto(f"{studio.address}#/pad")
    case = next(case for case in BOARDS if case["id"] == "chauzer-rights-needed")
    enter(page, case)
    totals = [str(points) for points in case["expected"]["totals"].values()]
    page.get_by_label("Name of player 1").fill("Ann")
    page.reload()
    expect(page.locator(".pad-score")).to_have_text(totals)
    expect(page.locator(".sheet-player h3").first).to_have_text("Ann")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save").click()
    saved = tmp_path / "BOARD.json"
    saving.value.save_as(saved)
    assert [str(points) for points in load_board(saved).score().scores] == totals
    page.get_by_role("button", name="Clear").first.click()
    page.locator("dialog").get_by_role("button", name="Clear").click()
    expect(page.locator(".pad-score")).to_have_text(["0", "0"])
    page.get_by_role("button", name="Open").click()
    page.locator("dialog textarea").fill("nonsense")
    page.locator("dialog").get_by_role("button", name="Open").click()
    expect(page.locator("dialog .field-error")).to_contain_text("expected")
    page.locator("dialog textarea").fill(saved.read_text("utf-8"))
    page.locator("dialog").get_by_role("button", name="Open").click()
    expect(page.locator(".pad-score")).to_have_text(totals)
    page.emulate_media(media="print")
    expect(page.locator(".pad-cell").first).to_be_hidden()
    expect(page.locator(".shell-header")).to_be_hidden()
    expect(page.locator(".sheet-score").first).to_be_visible()


def test_by_keyboard(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.address}#/pad")
    page.locator('.pad-player[data-seat="0"] [data-spot="0,0"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('dialog [data-card="C1"]')).to_be_focused()
    page.keyboard.press("Enter")
    first = page.locator('.pad-player[data-seat="0"] g.card[data-card="C1"]')
    expect(first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".pad-score").first).to_have_text("3")  # C1 C3: two cards, and the 1
    board = json.loads(page.evaluate("localStorage.getItem('arboretum.pad')"))["board"]
    assert board["players"][0]["arboretum"] == [[0, 0, "C1"], [1, 0, "C3"]]
    expect(page.locator('.pad-player[data-seat="0"] .pad-remarks')).to_contain_text("0 of 7")
