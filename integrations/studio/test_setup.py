"""The form for a new game: species and cards by choice; and from a game to its other views."""

from playwright.sync_api import Locator, Page, expect

from integrations.studio.serving import Studio
from integrations.studio.tabletop import click_decision, my_turn, phase, prefer, settle, state_of

_CARDS = "cards => cards.map(card => card.dataset.card)"


def cards_in(row: Locator) -> list[str]:
    """The cards of a row, in order."""
    cards: list[str] = row.locator("[data-card]").evaluate_all(_CARDS)
    return cards


def test_a_deal_card_by_card(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",), starting_discards=True)
    page.goto(f"{studio.address}#/play")
    page.get_by_text("Species and cards").click()
    species = page.get_by_role("group", name="Species in play")
    for name in ("Cassia", "Maple"):
        species.get_by_role("button", name=name).click()
    hand = page.get_by_role("group", name="Dealt to seat 1")
    hand.get_by_role("button", name="Add").click()
    sheet = page.get_by_role("dialog", name="Dealt to seat 1")
    # Cassia is no longer in play, Maple is.
    expect(sheet.locator("[data-card=C1]")).to_have_count(0)
    for card in ("M7", "M8", "D1", "D2", "G4", "G5"):
        sheet.locator(f"[data-card={card}]").click()
        expect(sheet.locator(f"[data-card={card}]")).to_have_count(0)  # each is dealt once
    sheet.locator("[data-card=G6]").click()
    expect(sheet).to_have_count(0)  # seven are enough
    assert cards_in(hand) == ["M7", "M8", "D1", "D2", "G4", "G5", "G6"]
    hand.get_by_role("button", name="Magnolia 6: take away").click()
    pile = page.get_by_role("group", name="Begins the pile of seat 2")
    pile.get_by_role("button", name="Add").click()
    page.locator(".picker-card[data-card=G6]").click()
    deck = page.get_by_role("group", name="Drawn first from the deck")
    deck.get_by_role("button", name="Add").click()
    for card in ("V3", "J8"):
        page.locator(f".picker-card[data-card={card}]").click()
    page.keyboard.press("Escape")
    summary = page.locator(".setup-more summary")
    expect(summary).to_contain_text("6 species, 9 cards chosen, the others shuffled")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".table-view[data-state]").wait_for()
    held = cards_in(page.locator(".hand"))
    assert len(held) == 7 and {"M7", "M8", "D1", "D2", "G4", "G5"} < set(held)
    expect(page.get_by_role("button", name="Greedy’s pile: Magnolia 6 on top")).to_have_count(1)
    for _ in range(2):
        before = state_of(page)
        page.keyboard.press("d")
        settle(page, before)
    page.locator('.dock[data-phase="play"]').wait_for()
    assert set(cards_in(page.locator(".hand"))) == {*held, "V3", "J8"}


def test_a_deal_by_keys_and_what_is_wrong_with_it(
    page: Page, studio: Studio, expected: set[str]
) -> None:
    expected.add("422")
    prefer(page, ("Ada",))
    page.goto(f"{studio.address}#/play")
    page.locator(".setup-more summary").press("Enter")
    add = page.get_by_role("group", name="Dealt to seat 2").get_by_role("button", name="Add")
    add.press("Enter")
    for key in ("ArrowRight", "Enter", "ArrowDown", "Enter", "Escape"):
        page.keyboard.press(key)
    row = page.get_by_role("group", name="Dealt to seat 2")
    assert len(cards_in(row)) == 2
    expect(row.get_by_role("button", name="Add")).to_be_focused()
    species = page.get_by_role("group", name="Species in play")
    for name in ("Jacaranda", "Olive", "Lilac", "Magnolia", "Dogwood"):
        species.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".setup .field-error")).to_contain_text("expected")
    page.get_by_role("button", name="Back to the usual").click()
    assert cards_in(row) == []
    page.get_by_role("button", name="Start the game").click()
    page.locator(".table-view[data-state]").wait_for()


def test_a_practice_game_leads_to_its_replay_and_analysis(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",), practice=True)
    page.goto(f"{studio.address}#/play")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".table-view[data-state]").wait_for()
    table = page.url
    for _ in range(3):
        assert my_turn(page)
        click_decision(page)
    assert phase(page) == "discard"
    page.get_by_role("button", name="Replay").click()
    expect(page.locator(".replay .status-more")).to_contain_text("of 4")
    expect(page.locator(".replay-hand")).to_have_count(2)
    page.goto(table)
    page.locator(".table-actions").get_by_role("link", name="Analyse").click()
    expect(page.get_by_label("Seen by")).to_contain_text("Ada (seat 1)")


def test_a_rated_game_shows_no_replay_before_its_end(page: Page, studio: Studio) -> None:
    prefer(page, ("Ada",))
    page.goto(f"{studio.address}#/play")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".table-actions").get_by_role("button", name="Hint").wait_for()
    expect(page.locator(".table-actions").get_by_role("button", name="Replay")).to_have_count(0)
