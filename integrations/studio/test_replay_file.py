"""The page of a recorded game, opened from a file: keys, moves, themes, and its policy."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arboretum_env.drawing.replay_page import replay_page
from arboretum_env.records.files import load_record

GAME = Path(__file__).parents[2] / "tests" / "data" / "games" / "anu_game_1.arb"


@pytest.fixture
def opened(page: Page, tmp_path: Path) -> Page:
    """The page of a golden game, at its beginning."""
    file = tmp_path / "game.html"
    file.write_text(replay_page(load_record(GAME)), encoding="utf-8")
    page.goto(file.as_uri())
    expect(page.locator("#status")).to_have_text("Turn 1: seat 0 draws the first card, deck 34")
    return page


def test_keys_walk_through_the_game(opened: Page) -> None:
    for key, at, status in (
        ("ArrowRight", 1, "Turn 1: seat 0 draws the second card, deck 33"),
        ("]", 5, "Turn 2: seat 1 draws the first card, deck 32"),
        ("]", 10, "Turn 3: seat 0 draws the first card, deck 31"),
        ("ArrowLeft", 9, "Turn 2: seat 1 discards, deck 31"),
        ("[", 5, "Turn 2: seat 1 draws the first card, deck 32"),
        ("End", 165, "Game over after 33 turns: 6-16, seat 1 wins"),
        ("ArrowRight", 165, "Game over after 33 turns: 6-16, seat 1 wins"),
        ("[", 160, "Turn 33: seat 0 draws the first card, deck 1"),
        ("Home", 0, "Turn 1: seat 0 draws the first card, deck 34"),
    ):
        opened.keyboard.press(key)
        expect(opened.locator("#status")).to_have_text(status)
        assert opened.url.endswith(f"#{at}")


def test_moves_buttons_and_the_slider_lead_to_positions(opened: Page) -> None:
    opened.get_by_role("button", name="D6@0,-1").click()
    expect(opened.locator("#status")).to_have_text("Turn 3: seat 0 discards, deck 30")
    expect(opened.locator("[aria-current]")).to_have_text("D6@0,-1")
    board = opened.locator("#seat-0 svg.board")
    expect(board).to_have_attribute("aria-label", "Arboretum of seat 0, Student A: 2 cards")
    expect(opened.locator("#seat-0 .card.last")).to_have_attribute("data-card", "D6")
    opened.get_by_role("button", name="Last position").click()
    expect(opened.locator("#seat-1 .note")).to_have_text("16 points, wins")
    expect(opened.locator("#seat-1 table.sheet tfoot td").last).to_have_text("16")
    opened.get_by_label("Position", exact=True).fill("15")
    expect(opened.locator("#status")).to_have_text("Turn 4: seat 1 draws the first card, deck 30")
    opened.reload()
    expect(opened.locator("#status")).to_have_text("Turn 4: seat 1 draws the first card, deck 30")


def test_light_dark_small_and_still(opened: Page) -> None:
    body = opened.locator("body")
    expect(body).to_have_css("background-color", "rgb(246, 243, 234)")
    opened.get_by_role("button", name="Light or dark").click()
    expect(body).to_have_css("background-color", "rgb(25, 27, 24)")
    opened.reload()
    opened.emulate_media(color_scheme="dark", reduced_motion="reduce")
    expect(body).to_have_css("background-color", "rgb(25, 27, 24)")
    opened.keyboard.press("End")
    expect(opened.locator(".ring").first).to_have_css("animation-name", "none")
    opened.set_viewport_size({"width": 360, "height": 740})
    assert opened.evaluate("document.documentElement.scrollWidth") == 360


def test_no_other_script_runs(opened: Page, expected: set[str]) -> None:
    expected |= {"policy", "Content Security Policy"}
    opened.evaluate(
        "const other = document.createElement('script');"
        "other.textContent = 'window.ran = true'; document.body.append(other)"
    )
    assert opened.evaluate("window.ran === undefined")
