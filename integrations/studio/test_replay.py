"""Replays in a browser: opening, keys, seats, playing on, and files that are no records."""

from pathlib import Path

from playwright.sync_api import Page, expect

from arboretum_env.records.arb_reader import read_arb
from integrations.studio.serving import Studio

GAME = Path(__file__).parents[2] / "tests" / "data" / "games" / "anu_game_1.arb"


def open_game(page: Page, studio: Studio) -> None:
    """Opens the recorded game from its file; it is shown at its end."""
    page.goto(f"{studio.address}#/replay")
    page.locator("#record-file").set_input_files(GAME)
    page.locator(".replay[data-shown]").wait_for()


def at(page: Page, shown: str) -> None:
    """Waits until a position is shown: ``12 open``, ``12 0``."""
    page.locator(f'.replay[data-shown="{shown}"]').wait_for()


def test_keys_walk_through_a_game(page: Page, studio: Studio) -> None:
    record = read_arb(GAME.read_text(encoding="utf-8"))
    last = record.num_decisions
    open_game(page, studio)
    at(page, f"{last} open")
    assert record.result is not None
    scores = page.locator(".sheet-score").all_inner_texts()
    assert scores == [str(score) for score in record.result]
    for key, number in (
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("]", 5),
        ("]", 10),
        ("[", 5),
        ("End", last),
    ):
        page.keyboard.press(key)
        at(page, f"{number} open")
    # The address has the position: a reload comes back to it.
    page.keyboard.press("Home")
    page.keyboard.press("]")
    at(page, "5 open")
    page.reload()
    at(page, "5 open")
    page.locator(".moves-end").nth(2).click()
    at(page, "15 open")
    expect(page.locator(".moves-token[aria-current]")).to_have_attribute("data-at", "15")


def test_one_seat_sees_backs(page: Page, studio: Studio) -> None:
    open_game(page, studio)
    page.keyboard.press("Home")
    at(page, "0 open")
    backs = page.locator('.replay-hand use[href="#card-back"]')
    expect(backs).to_have_count(0)
    page.keyboard.press("v")
    at(page, "0 0")
    expect(backs).to_have_count(7)


def test_play_on_from_a_position(page: Page, studio: Studio) -> None:
    open_game(page, studio)
    page.keyboard.press("Home")
    page.keyboard.press("]")
    at(page, "5 open")
    page.keyboard.press("x")
    dialog = page.get_by_role("dialog")
    dialog.locator("select").first.select_option("greedy")
    dialog.locator("select").last.select_option("human")
    dialog.get_by_role("button", name="Play").click()
    page.locator(".table-view[data-state]").wait_for()
    expect(page.locator(".status-who")).to_have_text("Your turn")
    expect(page.locator(".status")).to_contain_text("Practice")
    expect(page.locator(".status-turn")).to_contain_text("Turn 2")


def test_exports(page: Page, studio: Studio) -> None:
    open_game(page, studio)
    page.get_by_role("button", name="Export").click()
    starts = {".arb": "[Arboretum", "JSON": "{", "SVG": "<svg", "HTML": "<!doctype html>"}
    for name, start in starts.items():
        with page.expect_download() as saved:
            page.locator(".export-row", has_text=name).click()
        assert saved.value.path().read_text(encoding="utf-8").lower().startswith(start.lower())


def test_a_bad_file_gives_one_clear_message(
    page: Page, studio: Studio, expected: set[str], tmp_path: Path
) -> None:
    expected.add("422")
    page.goto(f"{studio.address}#/replay")
    bad = tmp_path / "bad.arb"
    bad.write_text(GAME.read_text(encoding="utf-8").replace("1. d", "1. p1(C1)", 1), "utf-8")
    page.locator("#record-file").set_input_files(bad)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("line 13: 'p1(C1)'")
    huge = tmp_path / "huge.arb"
    huge.write_bytes(b"x" * 300_000)
    page.locator("#record-file").set_input_files(huge)
    expect(alert).to_contain_text("300000 bytes")
    page.locator("#record-text").fill("hello")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(alert).to_contain_text("no record")
    # And the page is as usable as before.
    page.locator("#record-file").set_input_files(GAME)
    page.locator(".replay[data-shown]").wait_for()
