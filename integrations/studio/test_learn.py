"""The lesson by mouse and by keyboard, and puzzles that keep their answer until one is tried."""

from playwright.sync_api import Page, expect

from integrations.studio.serving import Studio


def test_turns_are_played(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.address}#/learn/draw")
    page.locator('[data-where="1"]').click()
    expect(page.locator(".learn-work .learn-feedback")).to_have_text("One more card.")
    page.locator('[data-where="deck"]').click()
    expect(page.locator(".learn-right")).to_contain_text("everybody has seen")
    page.get_by_role("link", name="Next step").click()
    expect(page.locator("h1")).to_have_text("Plant one, discard one")
    page.locator('.hand [data-card="O2"]').click()
    page.locator('.arboretum[data-seat="0"] g.cell').first.click()
    expect(page.locator('.arboretum g.card[data-card="O2"]')).to_be_attached()
    page.locator('.hand [data-card="M4"]').click()
    expect(page.locator(".learn-wrong")).to_contain_text("without a path of Maple")
    page.get_by_role("button", name="Begin again").click()
    page.locator('.hand [data-card="M4"]').focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # the focus has moved to the first cell
    expect(page.locator('.arboretum g.card[data-card="M4"]')).to_be_attached()
    page.locator('.hand [data-card="O7"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".learn-right")).to_contain_text("M3 M4: 2 cards")


def test_answers_are_checked(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.address}#/learn/best")
    for card in ("O2", "O4"):
        page.locator(f'g.card[data-card="{card}"]').click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".learn-wrong")).to_contain_text("there is a better one")
    for card in ("O5", "O8"):
        page.locator(f'g.card[data-card="{card}"]').focus()
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".learn-right")).to_contain_text("10 points")
    expect(page.locator('g.path[data-species="O"]')).to_be_attached()
    page.goto(f"{studio.address}#/learn/cancel")
    expect(page.locator("h1")).to_have_text("The 1 fells the 8")
    page.get_by_role("button", name="You", exact=True).click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".learn-wrong")).to_contain_text("(8) = 0")
    page.get_by_role("button", name="You", exact=True).click()
    page.get_by_role("button", name="The third player").click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".learn-right")).to_contain_text("its 8 counts 0")
    page.goto(f"{studio.address}#/learn")
    expect(page.locator("h1")).to_have_text("Two cards to begin with")
    expect(page.locator(".learn-step.done")).to_have_count(2)
    expect(page.locator('[aria-current="step"]')).to_have_text("1")


def test_a_puzzle_keeps_its_answer_until_one_is_tried(page: Page, studio: Studio) -> None:
    bodies: list[str] = []
    page.on(
        "response",
        lambda answer: bodies.append(answer.text()) if "/api/puzzles" in answer.url else None,
    )
    page.goto(f"{studio.address}#/learn/puzzles")
    page.get_by_role("button", name="Discards").click()
    page.locator(".puzzle-row").first.click()
    page.locator(".hand-card.legal").first.wait_for()
    assert bodies and not any('"wins"' in body or '"answer"' in body for body in bodies)
    page.locator(".hand-card.legal").first.click()
    expect(page.locator(".learn-options tbody tr")).to_have_count(8)
    expect(page.locator(".learn-options .best")).to_have_count(1)
    page.goto(f"{studio.address}#/learn/puzzles")
    expect(page.locator(".puzzle-row .badge")).to_have_count(1)


def test_a_right_is_exact(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.address}#/learn/puzzles")
    page.get_by_role("button", name="Rights").click()
    page.locator(".puzzle-row").first.click()
    page.locator(".toggle").first.click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".learn-account li")).to_have_count(2)
    expect(page.locator("g.path").first).to_be_attached()
