"""Replays in a browser: opening, keys, seats, playing on, and files that are no records."""

from pathlib import Path

from playwright.sync_api import Page, expect

from arboretum_env.records.arb_reader import read_arb
from integrations.studio.serving import Studio

GAME = Path(__file__).parents[2] / "tests" / "data" / "games" / "anu_game_1.arb"


def open_game(page: Page, studio: Studio, game: Path = GAME) -> None:
    """Opens a recorded game from its file; it is shown at its end."""
    page.goto(f"{studio.address}#/replay")
    page.locator("#record-file").set_input_files(game)
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


def test_letters_work_where_a_slider_or_a_box_has_the_focus(page: Page, studio: Studio) -> None:
    open_game(page, studio)
    slider = page.get_by_role("slider", name="Position")
    slider.focus()
    page.keyboard.press("Home")  # the slider's own
    at(page, "0 open")
    page.keyboard.press("v")
    at(page, "0 0")
    box = page.get_by_label("Best paths")
    box.focus()
    page.keyboard.press("Space")  # the box's own
    expect(box).to_be_checked()
    page.keyboard.press("b")
    expect(box).not_to_be_checked()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Play on from here")


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


def test_the_same_deal_again_with_another_bot(page: Page, studio: Studio) -> None:
    record = read_arb(GAME.read_text(encoding="utf-8"))
    open_game(page, studio)
    # From the end nothing can be played on: one sentence, and no form.
    page.keyboard.press("x")
    expect(page.get_by_role("alert")).to_contain_text("The game is over here.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Same deal again").click()
    dialog = page.get_by_role("dialog", name="Same deal again")
    dialog.locator("select").first.select_option("greedy")
    dialog.locator("select").last.select_option("human")
    dialog.get_by_role("button", name="Play").click()
    page.locator(".status[data-mine]").wait_for()
    # The hand of the record's second seat, and the first card of its deck went to the bot.
    cards = page.locator(".hand-card").evaluate_all("cards => cards.map(c => c.dataset.card)")
    assert set(cards) == {record.config.card_text(card) for card in record.hands[1]}
    expect(page.locator(".arboretum").last).to_contain_text("Greedy")
    expect(page.locator(".status")).to_contain_text("Practice")


def test_a_record_from_one_chair_is_not_played_on(page: Page, studio: Studio) -> None:
    open_game(page, studio, GAME.with_name("one_chair.arb"))
    expect(page.locator(".replay .status")).to_contain_text("Some cards unknown")
    for name in ("Same deal again", "Play on from here"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("alert")).to_contain_text("were not noted")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.get_by_role("alert").get_by_role("button").click()


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
