"""A game noted from one chair in the browser: begun, checked, kept, advised on, scored."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arboretum_env.records.files import load_record
from integrations.studio.serving import Studio
from integrations.studio.views import pick


def choose(page: Page, words: str) -> None:
    page.locator(".chair-task").get_by_role("button", name=words).click()


@pytest.fixture
def begun(page: Page, studio: Studio) -> Page:
    page.goto(f"{studio.address}#/pad/chair")
    page.get_by_role("button", name="Seat 2", exact=True).click()
    page.get_by_role("button", name="Add").click()
    pick(page, "C1", "C2", "D3", "D4", "J5", "V6", "G8")
    page.get_by_role("button", name="Begin to note").click()
    expect(page.locator(".chair-words")).to_have_text("Seat 1 draws a first card.")
    return page


def test_a_turn_each(begun: Page, tmp_path: Path) -> None:
    page = begun
    words = page.locator(".chair-words")
    choose(page, "From the deck")
    expect(words).to_have_text("Seat 1 draws a second card.")
    choose(page, "From the deck")
    choose(page, "Choose the card")
    assert page.locator('dialog [data-card="C1"]').count() == 0  # it is in our own hand
    pick(page, "L1")
    page.locator('.arboretum[data-seat="0"] g.cell').click()
    expect(words).to_have_text("Seat 1 discards: which card?")
    choose(page, "Choose the card")
    pick(page, "L2")
    expect(words).to_have_text("You draw a first card.")
    page.get_by_role("button", name="Ask", exact=True).click()
    advised = page.locator("[aria-labelledby='chair-advice'] strong")
    expect(advised).to_have_text(re.compile(r"^(d|p0\(L2\))$"))
    page.get_by_role("button", name="Show the rights").click()
    expect(page.locator(".table tbody tr")).to_have_count(6)
    choose(page, "From the deck")
    pick(page, "L8")
    choose(page, "From Seat 1's pile")
    expect(words).to_have_text("You plant: which card?")
    page.locator('.chair-task [data-card="D3"]').click()
    page.locator('.arboretum[data-seat="1"] g.cell').click()
    expect(words).to_have_text("You discard: which card?")
    page.locator('.chair-task [data-card="C1"]').click()
    expect(words).to_have_text("Seat 1 draws a first card.")
    page.reload()
    expect(page.locator(".chair-log li")).to_have_text(
        ["Seat 1: ?  ?  L1@0,0  xL2", "You: d(L8)  p0(L2)  D3@0,0  xC1"]
    )
    page.get_by_role("button", name="Strike out the last").click()
    expect(words).to_have_text("You discard: which card?")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save").click()
    saved = tmp_path / "game.arb"
    saving.value.save_as(saved)
    record = load_record(saved)
    assert (record.num_decisions, record.has_unknown_cards) == (9, True)
    page.get_by_role("button", name="To the score pad").click()
    expect(page.locator("g.card[data-card='L1']")).to_be_visible()
    expect(page.locator('.pad-player[data-seat="1"] .pad-held')).to_have_count(8)
