"""Every view of the studio, by name, and how a browser gets there.

Pictures are taken of them and axe looks at them. Games are played by fixed deals with the moves
that ``planner`` would make, told to the server by the page's own module: what is looked at is a
table as people leave it, not one of first cards in first cells.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect

from integrations.studio.serving import Studio
from integrations.studio.tabletop import prefer

RECORDS: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "games"
BOARD: Final = """\
Species CDJVLM
Player
Hand C1 C4 L5 D4 J5 D7 L6
J2 V3 C6
.  D8 J6
M6 C8 C7
Player
Hand V4 J1 J3 M4 M8 L1 L8
.  V2 V6 .
L2 D3 V7 V8
.  .  V1 M7
"""

View = Callable[[Page, Studio], None]

_PLAY: Final = """
async ([id, turn, phase]) => {
  const api = await import("/js/api.js");
  const address = `/api/games/${id}`;
  let state = await api.get(address);
  while (!state.over) {
    const { state_id, seat } = state;
    if (state.thinking) state = await api.get(`${address}/events?after=${state_id}&seat=${seat}`);
    else if (state.fault) throw new Error(state.fault.message);
    else if (state.turn >= turn && state.phase === phase) return;
    else {
      const { actions } = await api.post(`${address}/hint`, { seat });
      state = await api.post(`${address}/moves`, { state_id, seat, actions: actions.slice(0, 1) });
    }
  }
}
"""
"""Plays on until a turn's phase is the person's to choose in, or to the end."""


def play(page: Page, studio: Studio, agents: int, turn: int, phase: str) -> None:
    """A table against some agents, as it is at a phase of the person's first turn from ``turn``."""
    prefer(page, ("Ada",), agents=agents)
    page.goto(f"{studio.address}#/play")
    page.get_by_label("Deal", exact=True).fill("7")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".table-view[data-state]").wait_for()
    page.evaluate(_PLAY, [page.url.split("#/play/")[1], turn, phase])
    page.reload()
    page.locator('.status[data-mine], .status:has-text("The end")').wait_for()


def start(page: Page, studio: Studio) -> None:
    """The form for a new game."""
    page.goto(f"{studio.address}#/play")
    page.locator(".setup").wait_for()


def pick(page: Page, *cards: str) -> None:
    """Chooses cards in the dialog that offers them."""
    for card in cards:
        page.locator(f'dialog [data-card="{card}"]').click()


def deal(page: Page, studio: Studio) -> None:
    """The same with some cards chosen."""
    start(page, studio)
    page.get_by_text("Species and cards").click()
    page.get_by_role("group", name="Dealt to seat 1").get_by_role("button", name="Add").click()
    pick(page, "C1", "C8", "V3", "V5")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start the game").scroll_into_view_if_needed()


def deal_picker(page: Page, studio: Studio) -> None:
    """The cards to choose from."""
    start(page, studio)
    page.get_by_text("Species and cards").click()
    page.get_by_role("group", name="Dealt to seat 1").get_by_role("button", name="Add").click()
    pick(page, "C1", "C8", "V3")


def table_2(page: Page, studio: Studio) -> None:
    """Two at the table; a card is to be drawn."""
    play(page, studio, agents=1, turn=12, phase="draw_first")


def table_3(page: Page, studio: Studio) -> None:
    """Three at the table; a card is to be discarded."""
    play(page, studio, agents=2, turn=18, phase="discard")


def table_4(page: Page, studio: Studio) -> None:
    """Four at the table; the second card is to be drawn."""
    play(page, studio, agents=3, turn=24, phase="draw_second")


def ghost(page: Page, studio: Studio) -> None:
    """A card is to be planted; the ghost shows where."""
    play(page, studio, agents=2, turn=18, phase="play")
    page.locator(".hand-card.legal").nth(3).click()
    page.locator("g.cell .spot").nth(2).hover(force=True)


def hint(page: Page, studio: Studio) -> None:
    """An agent says what it would do."""
    play(page, studio, agents=1, turn=10, phase="play")
    page.get_by_role("button", name="Hint").click()
    page.locator(".notice-hint").wait_for()


def end(page: Page, studio: Studio) -> None:
    """The end: every path drawn, and the score sheet."""
    play(page, studio, agents=2, turn=99, phase="play")
    page.locator(".sheet").wait_for()


def curtain(page: Page, studio: Studio) -> None:
    """Between two people at one screen."""
    prefer(page, ("Ada", "Ben"), agents=0)
    start(page, studio)
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="I am Ada").wait_for()


def keys(page: Page, studio: Studio) -> None:
    """The keys of a table."""
    play(page, studio, agents=1, turn=0, phase="draw_first")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()


def replay_opener(page: Page, studio: Studio) -> None:
    """Where a record is opened."""
    page.goto(f"{studio.address}#/replay/open")
    page.locator("#record-text").wait_for()


def open_record(page: Page, studio: Studio, name: str = "anu_game_1.arb") -> None:
    """A recorded game at its end, in Replay."""
    replay_opener(page, studio)
    page.locator("#record-text").fill((RECORDS / name).read_text(encoding="utf-8"))
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator(".replay[data-shown]").wait_for()


def _walk_to(page: Page, position: int) -> None:
    page.get_by_role("slider", name="Position").fill(str(position))
    page.locator(f'.replay[data-shown="{position} open"]').wait_for()


def replay(page: Page, studio: Studio) -> None:
    """A game walked half through."""
    open_record(page, studio)
    _walk_to(page, 98)


def replay_4(page: Page, studio: Studio) -> None:
    """A game of four walked half through, with best paths."""
    open_record(page, studio, "four_players.arb")
    _walk_to(page, 200)
    page.get_by_label("Best paths").check()
    page.locator("g.path").first.wait_for(state="attached")


def replay_end(page: Page, studio: Studio) -> None:
    """A game at its end."""
    open_record(page, studio)


def what_if(page: Page, studio: Studio) -> None:
    """Who plays on from a position."""
    replay(page, studio)
    page.keyboard.press("x")
    page.get_by_role("dialog").locator("select").first.wait_for()


def export(page: Page, studio: Studio) -> None:
    """As what a record is saved."""
    replay(page, studio)
    page.get_by_role("button", name="Export").click()
    page.get_by_role("dialog").wait_for()


def _analysed(page: Page) -> None:
    page.locator("#analysis-part .panel").first.wait_for()
    expect(page.locator(".analysis-progress")).to_have_count(0)


def analyse_chooser(page: Page, studio: Studio) -> None:
    """Which game is to be analysed."""
    page.goto(f"{studio.address}#/analyse")
    page.locator(".view-analyse h1").wait_for()


def analyse(page: Page, studio: Studio) -> None:
    """The value of a whole game."""
    open_record(page, studio)
    page.goto(f"{studio.address}#/analyse/record/0")
    _analysed(page)


def _analyse_position(page: Page, studio: Studio, at: int) -> None:
    open_record(page, studio)
    page.goto(f"{studio.address}#/analyse/record/0/{at}")
    page.get_by_label("Moves of").select_option("levels:4")  # weighs several moves
    page.locator(".chances-words strong", has_text="levels:4").wait_for()
    _analysed(page)


def analyse_position(page: Page, studio: Studio) -> None:
    """What an agent would do in a position: chances on the cards and cells."""
    _analyse_position(page, studio, 102)


def analyse_draw(page: Page, studio: Studio) -> None:
    """The same where a card is drawn."""
    _analyse_position(page, studio, 100)


def analyse_rights(page: Page, studio: Studio) -> None:
    """Rights, beliefs and what held cards deny, further down."""
    analyse_position(page, studio)
    page.locator(".rights").evaluate(
        "part => scrollTo(0, part.closest('.panel').getBoundingClientRect().top + scrollY - 70)"
    )


def mistakes(page: Page, studio: Studio) -> None:
    """A mistake that has been tried again."""
    analyse(page, studio)
    page.keyboard.press("m")
    page.locator(".retry").wait_for()
    attempts = page.locator(".retry-moves button, .retry-form button")
    attempts.first.click()
    page.locator(".verdict").wait_for()


def pad(page: Page, studio: Studio) -> None:
    """Two boards with their points."""
    page.goto(f"{studio.address}#/pad")
    page.get_by_role("button", name="Open").click()
    page.get_by_role("dialog").locator("textarea").fill(BOARD)
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    page.locator(".pad-player g.card").first.wait_for()


def pad_empty(page: Page, studio: Studio) -> None:
    """Nothing entered yet."""
    page.goto(f"{studio.address}#/pad")
    page.locator(".pad-player").first.wait_for()


def pad_picker(page: Page, studio: Studio) -> None:
    """The cards to choose from for a cell."""
    pad(page, studio)
    page.locator('.pad-player[data-seat="0"] .pad-cell').first.click()
    page.get_by_role("dialog").locator("[data-card]").first.wait_for()


def chair_setup(page: Page, studio: Studio) -> None:
    """What is to be known before notes begin."""
    page.goto(f"{studio.address}#/pad/chair")
    page.locator(".chair-setup").wait_for()


def chair(page: Page, studio: Studio) -> None:
    """A game that was noted half through."""
    chair_setup(page, studio)
    page.get_by_role("button", name="Open a record").click()
    text = (RECORDS / "one_chair.arb").read_text(encoding="utf-8")
    half = text.split("\n21. ")[0].replace('[Result "6-16"]\n[Winners "1"]', '[Result "*"]')
    page.get_by_role("dialog").locator("textarea").fill(half)
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    page.locator(".chair-words").wait_for()
    page.evaluate("scrollTo(0, 0)")


def chair_advice(page: Page, studio: Studio) -> None:
    """The same with advice and rights."""
    chair(page, studio)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("[aria-labelledby='chair-advice'] strong").wait_for()
    page.get_by_role("button", name="Show the rights").click()
    page.locator(".table tbody tr").first.wait_for()


def _lesson(page: Page, studio: Studio, step: str) -> None:
    page.goto(f"{studio.address}#/learn/{step}")
    page.locator(".learn-columns g").first.wait_for(state="attached")


def lesson(page: Page, studio: Studio) -> None:
    """A path to be tapped."""
    _lesson(page, studio, "best")


def lesson_turn(page: Page, studio: Studio) -> None:
    """A turn to be played."""
    _lesson(page, studio, "plant")


def lesson_right(page: Page, studio: Studio) -> None:
    """A right to be told, wrongly."""
    page.goto(f"{studio.address}#/learn/cancel")
    page.get_by_role("button", name="You", exact=True).click()
    page.get_by_role("button", name="Check").click()
    page.locator(".learn-wrong").wait_for()


def puzzles(page: Page, studio: Studio) -> None:
    """The list of puzzles."""
    page.goto(f"{studio.address}#/learn/puzzles")
    page.locator(".puzzle-row").first.wait_for()


def puzzle(page: Page, studio: Studio) -> None:
    """One that has been tried."""
    puzzles(page, studio)
    page.locator(".puzzle-row", has_text="What to discard?").first.click()
    page.locator(".hand-card.legal").first.click()
    page.locator(".learn-options").wait_for()


def puzzle_plant(page: Page, studio: Studio) -> None:
    """Where to plant, of four players, not tried yet."""
    puzzles(page, studio)
    page.locator(".puzzle-row", has_text="4 players").filter(has_text="plant").first.click()
    page.locator("g.cell").first.wait_for(state="attached")


def puzzle_right(page: Page, studio: Studio) -> None:
    """Who has the right, tried."""
    puzzles(page, studio)
    page.get_by_role("button", name="Rights").click()
    page.locator(".puzzle-row").first.click()
    page.locator(".toggle").first.click()
    page.get_by_role("button", name="Check").click()
    page.locator(".learn-account").wait_for()


VIEWS: Final[dict[str, View]] = {
    view.__name__.replace("_", "-"): view
    for view in (
        *(start, deal, deal_picker),
        *(table_2, table_3, table_4, ghost, hint, end, curtain, keys),
        *(replay_opener, replay, replay_4, replay_end, what_if, export),
        *(analyse_chooser, analyse, analyse_position, analyse_draw, analyse_rights, mistakes),
        *(pad_empty, pad, pad_picker, chair_setup, chair, chair_advice),
        *(lesson, lesson_turn, lesson_right, puzzles, puzzle, puzzle_plant, puzzle_right),
    )
}
