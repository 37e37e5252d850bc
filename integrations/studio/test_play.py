"""Whole games in a browser, and what must not lose them."""

import re

from playwright.sync_api import Page, expect

from integrations.studio.conftest import NewContext
from integrations.studio.serving import Studio
from integrations.studio.tabletop import (
    begin,
    click_decision,
    my_turn,
    phase,
    prefer,
    press_decision,
    settle,
    state_of,
)


def test_a_whole_game_by_mouse(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",))
    begin(page, studio)
    expect(page.locator(".hand .hand-card")).to_have_count(7)
    decisions = 0
    while my_turn(page):
        click_decision(page)
        decisions += 1
    assert decisions > 20
    # The verdict, the sheet and the badges tell the same points.
    verdict = page.locator(".status-task").inner_text()
    assert re.fullmatch(
        r"(Ada|Greedy|Ada and Greedy) (won|share the win) with \d+ points\.", verdict
    )
    scores = [int(text) for text in page.locator(".sheet-score").all_inner_texts()]
    badges = page.locator(".arboretum-badges").all_inner_texts()
    assert badges == [f"{score} points" for score in scores]
    assert f"with {max(scores)} points" in verdict
    expect(page.locator(".sheet-player")).to_have_count(2)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Record").click()
    record = saved.value.path().read_text(encoding="utf-8")
    assert f'[Result "{scores[0]}-{scores[1]}"]' in record
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".status-who")).not_to_have_text("The end")
    assert my_turn(page)


def test_a_whole_game_by_keyboard(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",), agents=2, starting_discards=True)
    page.goto(f"{studio.address}#/play")
    page.locator(".setup").wait_for()
    start = page.get_by_role("button", name="Start the game")
    deal = page.get_by_label("Deal", exact=True)
    for _ in range(40):
        page.keyboard.press("Tab")
        if deal.evaluate("field => field === document.activeElement"):
            page.keyboard.type("12")
        if start.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.locator(".table-view[data-state]").wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Draw from the deck")
    page.keyboard.press("Escape")
    while my_turn(page):
        press_decision(page)
    expect(page.locator(".status-who")).to_have_text("The end")
    expect(page.locator("#announcer")).to_contain_text("points")


def test_a_refusal_says_why(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",))
    begin(page, studio)
    # Playwright would wait until they are no longer marked as disabled; a person does not.
    page.locator(".hand-card").first.click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("A turn begins with two draws")
    click_decision(page)
    click_decision(page)
    page.locator(".pile-button").first.click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("You have drawn your two cards")


def test_undo_and_hint(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",), practice=True)
    begin(page, studio)
    before = page.locator(".hand").inner_html()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".notice-hint")).to_contain_text("would play")
    expect(page.locator(".advised")).to_have_count(1)
    click_decision(page)
    assert page.locator(".hand-card").count() == 8
    state = state_of(page)
    page.get_by_role("button", name="Undo").click()
    settle(page, state)
    assert page.locator(".hand").inner_html() == before


def test_an_arboretum_zooms_and_still_takes_a_card(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",))
    begin(page, studio)
    for _ in range(2):
        click_decision(page)
    stage = page.locator(".arboretum-stage").first
    whole = shown_width(page)
    page.get_by_role("button", name="Zoom in").first.click()
    near = shown_width(page)
    assert near < whole
    stage.hover()
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        "near => document.querySelector('.arboretum-stage svg').viewBox.baseVal.width < near",
        arg=near,
    )
    page.locator(".hand-card.legal").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("0")  # the focus is on a cell: all of the arboretum is shown again
    assert shown_width(page) == whole
    before = state_of(page)
    page.locator("g.cell .spot").first.click()
    settle(page, before)
    expect(page.locator(".arboretum").first.locator("g.card")).to_have_count(1)


def shown_width(page: Page) -> float:
    """How much of the own arboretum is shown, in the picture's units."""
    script = "document.querySelector('.arboretum-stage svg').viewBox.baseVal.width"
    return float(page.evaluate(script))


def test_two_tabs(page: Page, studio: Studio, expected: set[str]) -> None:
    expected.add("409")
    prefer(page, ("Ada",))
    begin(page, studio)
    other = page.context.new_page()
    other.goto(page.url)
    other.locator(".table-view[data-state]").wait_for()
    click_decision(page)
    other.locator(".pile.legal .pile-button").first.click()
    expect(other.get_by_role("alert").last).to_contain_text("went on in another tab")
    expect(other.locator(".table-view")).to_have_attribute("data-state", state_of(page))
    assert phase(other) == "draw_second"
    assert other.locator(".hand-card").count() == 8
    click_decision(other)
    assert phase(other) == "play"


def test_a_reload_goes_on(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",))
    begin(page, studio)
    for _ in range(6):
        assert my_turn(page)
        click_decision(page)
    assert my_turn(page)
    hand, at = page.locator(".hand").inner_text(), phase(page)
    boards = page.locator("g.card").evaluate_all("cards => cards.map(c => c.dataset.card)")
    page.reload()
    page.locator(".table-view[data-state]").wait_for()
    assert page.locator("g.card").evaluate_all("cards => cards.map(c => c.dataset.card)") == boards
    assert (page.locator(".hand").inner_text(), phase(page)) == (hand, at)
    click_decision(page)


def test_a_killed_server_loses_nothing(page: Page, own_studio: Studio, expected: set[str]) -> None:
    expected.add("ERR_CONNECTION")
    prefer(page, ("Ada",))
    begin(page, own_studio)
    for _ in range(3):
        click_decision(page)
    assert phase(page) == "discard"
    hand = page.locator(".hand-card").evaluate_all("cards => cards.map(c => c.dataset.card)")
    own_studio.kill()
    page.locator(".hand-card.legal").first.click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    own_studio.start()
    # The page need not be loaded again: the same click now counts.
    state = state_of(page)
    page.locator(".hand-card.legal").first.click()
    settle(page, state)
    assert my_turn(page)
    left = page.locator(".hand-card").evaluate_all("cards => cards.map(c => c.dataset.card)")
    assert left == hand[1:]


def test_a_curtain_between_people(page: Page, studio: Studio, expected: set[str]) -> None:
    expected.add("409")
    prefer(page, ("Ada", "Ben"), agents=0)
    page.goto(f"{studio.address}#/play")
    page.get_by_label("Deal", exact=True).fill("3")
    page.get_by_role("button", name="Start the game").click()
    hands = []
    for who in ("Ada", "Ben"):
        lift = page.get_by_role("button", name=f"I am {who}")
        lift.wait_for()
        # Behind the curtain nobody's cards can be seen.
        assert page.locator(".hand-card:visible").count() == 0
        lift.click()
        page.locator(".hand-card:visible").first.wait_for()
        hands.append(page.locator(".hand-card").evaluate_all("c => c.map(e => e.dataset.card)"))
        for _ in range(3):
            click_decision(page)
        page.locator(".hand-card.legal").last.click()
    assert len(hands[0]) == len(hands[1]) == 7 and not set(hands[0]) & set(hands[1])
    page.reload()
    page.get_by_role("button", name="I am Ada").wait_for()
    assert page.locator(".hand-card").count() == 0


def test_guests_join_by_a_link(
    lan_studio: Studio, new_browser: NewContext, expected: set[str]
) -> None:
    expected.add("Cross-Origin-Opener-Policy")  # means nothing without encryption, says Chromium
    host = new_browser().new_page()
    prefer(host, ("Ada",), agents=1)
    host.goto(f"{lan_studio.address}#/play")
    host.get_by_label("Who plays seat 2").select_option("guest")
    host.get_by_label("Name of seat 2").fill("Ben")
    host.get_by_role("button", name="Start the game").click()
    link = host.get_by_label("Link for seat 2").input_value()
    host.keyboard.press("Escape")
    joined = state_of(host)
    guest = new_browser().new_page()
    guest.goto(link)
    guest.locator(".table-view[data-state]").wait_for()
    expect(guest.locator(".status-who")).to_have_text("Ada’s turn")
    settle(host, joined)
    for _ in range(4):
        click_decision(host)
    expect(guest.locator(".status-who")).to_have_text("Your turn")
    expect(guest.locator(".log-turn")).to_have_count(1)
    click_decision(guest)


def test_a_lost_seat_is_given_again(
    lan_studio: Studio, new_browser: NewContext, expected: set[str]
) -> None:
    expected |= {"Cross-Origin-Opener-Policy", "403", "404"}
    host = new_browser().new_page()
    prefer(host, ("Ada",), agents=1)
    host.goto(f"{lan_studio.address}#/play")
    host.get_by_label("Who plays seat 2").select_option("guest")
    host.get_by_label("Name of seat 2").fill("Ben")
    host.get_by_role("button", name="Start the game").click()
    first = host.get_by_label("Link for seat 2").input_value()
    host.keyboard.press("Escape")
    rival = host.locator(".arboretum").nth(1)
    expect(rival).to_contain_text("not here yet")
    lost = new_browser().new_page()
    lost.goto(first)
    lost.locator(".table-view[data-state]").wait_for()
    expect(rival).not_to_contain_text("not here yet")
    hand = lost.locator(".hand-card").evaluate_all("cards => cards.map(c => c.dataset.card)")
    host.get_by_role("button", name="Guests").click()
    expect(host.get_by_role("dialog")).to_contain_text("Ben, here")
    host.get_by_role("button", name="New link for seat 2").click()
    second = host.get_by_label("Link for seat 2").input_value()
    assert second != first
    # The device that had the seat shows its cards no more, and says why.
    expect(lost.get_by_role("alert")).to_contain_text("no longer yours")
    expect(lost.get_by_role("button", name="Start the game")).to_be_visible()
    assert lost.locator(".hand-card").count() == 0
    lost.goto("about:blank")
    lost.goto(first)
    expect(lost.locator(".field-error")).to_contain_text("the invitation is wrong")
    found = new_browser().new_page()
    found.goto(second)
    found.locator(".table-view[data-state]").wait_for()
    assert (
        found.locator(".hand-card").evaluate_all("cards => cards.map(c => c.dataset.card)") == hand
    )
